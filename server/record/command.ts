/** The command line of a recording: `keydesk-sandbox record --target URL --out FILE`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { integerOption, UsageError } from '../options.ts'
import { type Exchange, type Recording, startRecording } from './recording.ts'

const recordUsage = `Usage: keydesk-sandbox record --target URL --out FILE [--port N]
Passes requests on to a service, checks every answer against the contract, and writes all of it to a
file without keys and secrets when it is stopped (Ctrl+C).
  --target URL   origin of the service, such as https://api.example.com
  --out FILE     the file to write, as JSON
  --port N       port to listen on; 0 for any free port (0)
Exit status: 0 every answer follows the contract, 1 some don't, 2 it could not run.`

/** Lines about the answers that break the contract, and their number. */
function recordReport(exchanges: readonly Exchange[]): string {
  const wrong = exchanges.filter(({ problems }) => problems.length > 0)
  return [
    ...wrong.flatMap(({ method, path, status, problems }) => [
      `${method} ${path}: ${status}`,
      ...problems.map((problem) => `  ${problem}`),
    ]),
    `${exchanges.length - wrong.length} of ${exchanges.length} answers follow the contract.`,
    '',
  ].join('\n')
}

function given(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        target: { type: 'string' },
        out: { type: 'string' },
        port: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
  }
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })

function save(path: string, target: URL, { exchanges }: Recording): void {
  const file = { format: 'keydesk-exchanges', version: 1, target: target.origin, exchanges }
  writeFileSync(path, `${JSON.stringify(file, null, 1)}\n`, { mode: 0o600 })
}

/** Records until `stopped`, writes the file, and returns the exit status. */
export async function recordMain(
  args: readonly string[],
  stopped: () => Promise<void> = interrupted,
): Promise<number> {
  try {
    const { help, target: text = '', out, port } = given(args)
    if (help) {
      process.stdout.write(`${recordUsage}\n`)
      return 0
    }
    const target = URL.parse(text)
    if (target === null || !/^https?:$/.test(target.protocol))
      throw new UsageError('--target must be an address such as https://api.example.com.')
    if (out === undefined || out === '') throw new UsageError('--out must name a file.')
    const recording = await startRecording(target, integerOption(port, 'port', 65_535))
    process.stdout.write(`${JSON.stringify({ ready: true, origin: recording.origin })}\n`)
    await stopped()
    await recording.stop()
    save(out, target, recording)
    process.stderr.write(recordReport(recording.exchanges))
    return recording.exchanges.every(({ problems }) => problems.length === 0) ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}
