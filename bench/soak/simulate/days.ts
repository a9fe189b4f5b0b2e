import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { withCompileCache } from '../support/console-process.ts'
import type { DayResult } from './day.ts'
import type { PlantedBug } from './planted.ts'
import type { Said, WorkerOptions } from './worker.ts'

type Options = Omit<WorkerOptions, 'bug'> & { bug?: PlantedBug }

const workerFile = path.join(import.meta.dirname, 'worker.ts')
/** Days in one process: what modules and killed consoles leave behind stays small. */
const DAYS_A_PROCESS = 100

/**
 * Simulates days in processes of their own, one after another. A day that can't be finished counts
 * as wrong.
 */
export async function* simulateDays({ seeds, ...options }: Options): AsyncGenerator<DayResult> {
  for (let next = 0; next < seeds.length;) {
    const some = seeds.slice(next, next + DAYS_A_PROCESS)
    for await (const said of runWorker({ ...options, seeds: some })) {
      next += 1
      yield 'day' in said ? said.day : unfinished(said.failed.seed, said.failed.error)
    }
  }
}

async function* runWorker(options: Options): AsyncGenerator<Said> {
  const child = spawn(process.execPath, [workerFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // One thread for files: several would finish in an order that no seed decides.
    env: { ...withCompileCache, UV_THREADPOOL_SIZE: '1' },
  })
  const exited = once(child, 'exit') as Promise<[code: number | null]>
  child.stdin.write(`${JSON.stringify(options)}\n`)
  let said = 0
  for await (const line of createInterface({ input: child.stdout })) {
    said += 1
    yield JSON.parse(line) as Said
  }
  const [code] = await exited
  const seed = options.seeds[said]
  if (code !== 0 && seed !== undefined)
    yield { failed: { seed, error: `the process exited with ${code}` } }
}

const unfinished = (seed: number, what: string): DayResult => ({
  seed,
  findings: [{ kind: 'wrong', what }],
  digest: '',
  events: 0,
  requests: 0,
  kills: 0,
  deeds: {},
  log: [],
})
