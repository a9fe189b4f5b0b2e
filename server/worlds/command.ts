/** The command line of a replay: `keydesk-sandbox replay FILE`. */
import { readFileSync } from 'node:fs'
import { readWorldFile, type WorldFile, type WorldFileProblem } from '../api/dashboard/worlds.ts'
import { startSandbox } from '../sandbox.ts'
import { stderrLog } from '../stderr-log.ts'
import { replayWorld } from './replay.ts'
import { replayReport } from './report.ts'

const replayUsage = `Usage: keydesk-sandbox replay FILE
Repeats a world file, as GET /dashboard/world returns it, and compares every answer.
Exit status: 0 all are the same, 1 some differ, 2 it could not run.`

const problems: Readonly<Record<WorldFileProblem, string>> = {
  foreign: "isn't a world file.",
  damaged: 'is damaged or incomplete. Ask for it again.',
  newer: 'was saved by a newer version. Update keydesk-sandbox.',
}

/** The world file at a path, or why it can't be used. */
export function readWorldAt(path: string): WorldFile | string {
  try {
    const read = readWorldFile(readFileSync(path, 'utf8'))
    return typeof read === 'string' ? `${path} ${problems[read]}` : read
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
  const file = path === undefined || rest.length > 0 ? replayUsage : readWorldAt(path)
  if (typeof file === 'string') {
    process.stderr.write(`${file}\n`)
    return 2
  }
  const differences = await replayWorld(file, startSandbox, stderrLog)
  process.stdout.write(replayReport(file, differences))
  return differences.length === 0 ? 0 : 1
}
