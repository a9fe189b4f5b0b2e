/*
 * Simulates days in a process of its own, whose time and randomness it replaces. Reads one line of
 * JSON, reports one line per day.
 */
import { bytes, time } from './virtual-globals.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { DayResult } from './day.ts'
import { plant } from './planting.ts'
import type { PlantedBug } from './planted.ts'

export type WorkerOptions = {
  /** The seeds of the days, in order. */
  seeds: readonly number[]
  /** Where the days keep their files: a file system in memory is fastest. */
  folder: string
  /** Writes every event to standard error. */
  show?: boolean
  /** A bug to plant into the modules of this process. */
  bug?: PlantedBug
}
export type Said = { day: DayResult } | { failed: { seed: number; error: string } }

/** No day takes longer, including the time in which the console finishes its work. */
const LONGEST_DAY_MS = 10 * 86_400_000

const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`)

async function main({ seeds, folder, show = false, bug }: WorkerOptions): Promise<void> {
  if (bug !== undefined) plant(bug)
  const { createServiceTemplate, dayStart } = await import('./service.ts')
  const { installVirtualWorkers } = await import('./virtual-workers.ts')
  const { observeWrites } = await import('./kills.ts')
  const { simulate } = await import('./day.ts')
  observeWrites()
  const root = mkdtempSync(`${folder}/keydesk-simulate-`)
  await time.runUntil(installVirtualWorkers(), LONGEST_DAY_MS)
  time.reset(dayStart)
  const copyService = await time.runUntil(
    createServiceTemplate(`${root}/template`, time, bytes),
    LONGEST_DAY_MS,
  )
  let unhandled: string | null = null
  process.on('unhandledRejection', (error) => {
    unhandled ??= error instanceof Error ? String(error.stack) : String(error)
  })
  const shown = show ? { show: (line: string) => void process.stderr.write(`${line}\n`) } : {}
  let days = 0
  const parts = () => ({ time, bytes, folder: `${root}/day-${(days += 1)}`, copyService })
  // The first day of a process initializes modules, which takes turns of the event loop.
  await time.runUntil(simulate(0, parts()), LONGEST_DAY_MS)
  for (const seed of seeds) {
    time.reset(dayStart)
    unhandled = null
    try {
      const day = await time.runUntil(simulate(seed, { ...parts(), ...shown }), LONGEST_DAY_MS)
      if (unhandled !== null) day.findings.push({ kind: 'wrong', what: unhandled })
      say({ day })
    } catch (error) {
      // What such a day left behind could disturb the next one.
      say({ failed: { seed, error: error instanceof Error ? String(error.stack) : String(error) } })
      break
    }
  }
  rmSync(root, { recursive: true, force: true })
}

createInterface({ input: process.stdin }).once('line', (line) => {
  void main(JSON.parse(line) as WorkerOptions).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
