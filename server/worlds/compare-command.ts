/** The command line of a comparison of versions: `keydesk-sandbox compare OLD NEW FILE…`. */
import { stderrLog } from '../stderr-log.ts'
import { readWorldAt } from './command.ts'
import { programAt, startProgram } from './other-version.ts'
import { compareVersions } from './replay.ts'
import { replayReport } from './report.ts'

const usage = `Usage: keydesk-sandbox compare OLD NEW FILE...
Sends the requests of world files to two versions of the service, and lists the answers of NEW that
differ from those of OLD. OLD and NEW are folders of an installed keydesk-sandbox, such as
node_modules/keydesk-sandbox, or their main.js.
Exit status: 0 all answers are the same, 1 some differ, 2 it could not run.`

const say = (text: string): void => void process.stderr.write(`${text}\n`)

/** Compares two versions, prints the differences, and returns the exit status. */
export async function compareMain(args: readonly string[]): Promise<number> {
  const [old, next, ...paths] = args
  if (old === '--help') {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (old === undefined || next === undefined || paths.length === 0) {
    say(usage)
    return 2
  }
  const programs = [old, next].map(programAt)
  const [before, after] = programs
  if (before == null || after == null) {
    say(`There is no keydesk-sandbox at ${before == null ? old : next}.`)
    return 2
  }
  let differs = false
  for (const path of paths) {
    const file = readWorldAt(path)
    if (typeof file === 'string') {
      say(file)
      return 2
    }
    try {
      const differences = await compareVersions(
        file,
        startProgram(before),
        startProgram(after),
        stderrLog,
      )
      differs ||= differences.length > 0
      process.stdout.write(`${path}\n${replayReport(file, differences)}`)
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
      return 2
    }
  }
  return differs ? 1 : 0
}
