/** The command line of a replay: `keydesk-sandbox replay FILE`. */
import { readFileSync } from 'node:fs'
import { worldFile, type WorldFile } from '../api/dashboard/worlds.ts'
import { startSandbox } from '../sandbox.ts'
import { stderrLog } from '../stderr-log.ts'
import { type ReplayedDifference, replayWorld } from './replay.ts'

const replayUsage = `Usage: keydesk-sandbox replay FILE
Repeats a world file, as GET /dashboard/world returns it, and compares every answer.
Exit status: 0 all are the same, 1 some differ, 2 it could not run.`

/** Differences shown for one answer. */
const MAX_LINES = 5

/** The values that differ, such as `results/0/price: 12.5 instead of 12.4`. */
function valuesOf(expected: unknown, received: unknown, place = ''): string[] {
  if (JSON.stringify(expected) === JSON.stringify(received)) return []
  if (
    typeof expected !== 'object' ||
    typeof received !== 'object' ||
    expected === null ||
    received === null
  )
    return [
      `${place.slice(1) || 'body'}: ${JSON.stringify(received)} instead of ${JSON.stringify(expected)}`,
    ]
  const [before, after] = [expected, received] as Record<string, unknown>[]
  const names = new Set([...Object.keys(expected), ...Object.keys(received)])
  return [...names].flatMap((name) => valuesOf(before?.[name], after?.[name], `${place}/${name}`))
}

function linesOf({ no, method, path, expected, received }: ReplayedDifference): string[] {
  const values = valuesOf(expected.body, received.body)
  const status =
    received.status === expected.status
      ? `status ${received.status}, another body`
      : `status ${received.status} instead of ${expected.status}`
  return [
    `Request ${no}, ${method} ${path}: ${status}`,
    ...values.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ...(values.length > MAX_LINES ? [`  and ${values.length - MAX_LINES} more`] : []),
    ...(values.length === 0 && received.status === expected.status
      ? ['  in a masked or a large part of the body']
      : []),
  ]
}

/** The report of a replay, in lines. */
export function replayReport(file: WorldFile, differences: readonly ReplayedDifference[]): string {
  const all = file.requests.length
  return [
    ...differences.flatMap(linesOf),
    `${all - differences.length} of ${all} answers are the same.`,
    '',
  ].join('\n')
}

function readWorld(path: string): WorldFile | string {
  try {
    const file = worldFile.strict.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    return file.success ? file.data : `${path} isn't a world file of this version.`
  } catch (error) {
    return `${path} can't be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Repeats a world file, prints the report, and returns the exit status. */
export async function replayMain(args: readonly string[]): Promise<number> {
  const [path, ...rest] = args
  if (path === '--help') {
    process.stdout.write(`${replayUsage}\n`)
    return 0
  }
  const file = path === undefined || rest.length > 0 ? replayUsage : readWorld(path)
  if (typeof file === 'string') {
    process.stderr.write(`${file}\n`)
    return 2
  }
  const differences = await replayWorld(file, startSandbox, stderrLog)
  process.stdout.write(replayReport(file, differences))
  return differences.length === 0 ? 0 : 1
}
