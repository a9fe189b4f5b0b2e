/*
 * Simulates days in a process of its own, whose time and randomness it replaces. Reads one line of
 * JSON, reports one line per day.
 */
import { bytes, time } from './virtual-globals.ts'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { DayResult } from './day.ts'
import { plant } from './planting.ts'
import type { PlantedBug } from './planted.ts'
import { tracePath } from './traces.ts'
import { Endless } from './virtual-time.ts'
import type { Finding } from './witness.ts'

export type WorkerOptions = {
  /** The seeds of the days, in order. */
  seeds: readonly number[]
  /** An empty folder for the files of the days: a file system in memory is fastest. */
  folder: string
  /** Writes every event to standard error. */
  show?: boolean
  /** A folder for the events of each day, in a file named after its seed. */
  traces?: string
  /** Runs of the console in a day, kills not counted. */
  shifts?: number
  /** A bug to plant into the modules of this process. */
  bug?: PlantedBug
}
export type Said = { day: DayResult }

/** No day takes longer, including the time in which the console finishes its work. */
const LONGEST_DAY = { ms: 4 * 86_400_000, steps: 150_000 }

const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`)
/** A day of which nothing but a finding is known. */
const dayOf = (seed: number, finding: Finding): DayResult => ({
  seed,
  findings: [finding],
  digest: '',
  events: 0,
  requests: 0,
  kills: 0,
  deeds: {},
  log: [],
})
const textOf = (error: unknown): string =>
  error instanceof Error ? String(error.stack) : String(error)

async function main({
  seeds,
  folder,
  show = false,
  traces,
  shifts,
  bug,
}: WorkerOptions): Promise<void> {
  if (bug !== undefined) plant(bug)
  const { createBeginning } = await import('./beginning.ts')
  const { dayStart } = await import('./service.ts')
  const { installVirtualWorkers } = await import('./virtual-workers.ts')
  const { observeWrites } = await import('./kills.ts')
  const { simulate } = await import('./day.ts')
  observeWrites()
  await time.runUntil(installVirtualWorkers(), LONGEST_DAY)
  time.reset(dayStart)
  const beginning = await time.runUntil(
    createBeginning({ folder: `${folder}/beginning`, time, bytes }),
    LONGEST_DAY,
  )
  let unhandled: string | null = null
  process.on('unhandledRejection', (error) => void (unhandled ??= textOf(error)))
  /** A planted bug may not let a day end: its first finding is enough. */
  const stopAtFinding = (seed: number) => (finding: Finding) => {
    say({ day: dayOf(seed, finding) })
    process.exit(0)
  }
  const showOf = (seed: number) => (line: string) => {
    if (show) process.stderr.write(`${line}\n`)
    if (traces !== undefined) appendFileSync(tracePath(traces, seed), `${line}\n`)
  }
  let days = 0
  const parts = () => ({ time, bytes, folder: `${folder}/day-${(days += 1)}`, beginning })
  time.reset(beginning.at)
  // The first day of a process initializes modules, which takes turns of the event loop. A planted
  // bug may not let it end.
  await time
    .runUntil(simulate(0, { ...parts(), shifts: 0 }), LONGEST_DAY)
    .catch((error: unknown) => {
      if (bug === undefined || !(error instanceof Endless)) throw error
    })
  for (const seed of seeds) {
    time.reset(beginning.at)
    unhandled = null
    try {
      const watched = {
        show: showOf(seed),
        ...(shifts !== undefined && { shifts }),
        ...(bug !== undefined && { found: stopAtFinding(seed) }),
      }
      const day = await time.runUntil(simulate(seed, { ...parts(), ...watched }), LONGEST_DAY)
      if (unhandled !== null) day.findings.push({ kind: 'wrong', what: unhandled })
      say({ day })
    } catch (error) {
      // A console that never becomes idle is a finding, and so is an uncaught error.
      const what =
        error instanceof Endless ? `the day doesn't end: ${error.message}` : textOf(error)
      say({ day: dayOf(seed, { kind: 'wrong', what }) })
      // What such a day left behind could disturb the next one.
      break
    }
  }
}

const input = createInterface({ input: process.stdin })
input.once('close', () => process.exit(1))
input.once('line', (line) => {
  void main(JSON.parse(line) as WorkerOptions).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
