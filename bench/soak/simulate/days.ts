import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { withCompileCache } from '../support/console-process.ts'
import type { DayResult } from './day.ts'
import type { PlantedBug } from './planted.ts'
import type { Said, WorkerOptions } from './worker.ts'

type Options = Omit<WorkerOptions, 'bug' | 'folder'> & {
  bug?: PlantedBug
  /** Ends the day that is being simulated, which then isn't reported. */
  stop?: AbortSignal
}

const workerFile = path.join(import.meta.dirname, 'worker.ts')
/** A file system in memory, where there is one: a day syncs its files thousands of times. */
const parentFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** Days in one process: what modules and killed consoles leave behind stays small. */
const DAYS_A_PROCESS = 100

/** A day that couldn't be simulated. */
class Unsimulated extends Error {}

/** Simulates days in processes of their own, one after another. Throws {@link Unsimulated}. */
export async function* simulateDays({
  seeds,
  stop = new AbortController().signal,
  ...options
}: Options): AsyncGenerator<DayResult> {
  for (let next = 0; next < seeds.length && !stop.aborted;) {
    const some = seeds.slice(next, next + DAYS_A_PROCESS)
    for await (const said of runWorker({ ...options, seeds: some }, stop)) {
      next += 1
      yield said.day
    }
  }
}

async function* runWorker(
  options: Omit<WorkerOptions, 'folder'>,
  stop: AbortSignal,
): AsyncGenerator<Said> {
  const folder = mkdtempSync(path.join(parentFolder, 'keydesk-simulate-'))
  const child = spawn(process.execPath, [workerFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // One thread for files: several would finish in an order that no seed decides. The locks of data
    // folders are files in the folder for temporary files.
    env: { ...withCompileCache, UV_THREADPOOL_SIZE: '1', TMPDIR: folder },
  })
  const exited = once(child, 'exit') as Promise<[code: number | null]>
  const end = (): void => void child.kill()
  stop.addEventListener('abort', end)
  let said = 0
  try {
    child.stdin.write(`${JSON.stringify({ ...options, folder })}\n`)
    for await (const line of createInterface({ input: child.stdout })) {
      said += 1
      yield JSON.parse(line) as Said
    }
    const [code] = await exited
    const seed = options.seeds[said]
    if (code !== 0 && seed !== undefined && !stop.aborted)
      throw new Unsimulated(`seed ${seed}: the process exited with ${code}`)
  } finally {
    // The caller may want no more days.
    end()
    stop.removeEventListener('abort', end)
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
}
