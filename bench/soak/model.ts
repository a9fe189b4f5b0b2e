import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { type Checked, checkSeed, type Limits } from './model/check.ts'
import type { Task } from './model/worker.ts'

export const defaultRounds = 2000

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  /** Approximate number of operations per seed; up to 500. */
  operations?: number
  /** Number of processes that share the seeds; 0: this one runs all of them. */
  processes?: number
}

export type ModelSoak = {
  lost: number
  twice: number
  wrong: number
  seeds: number
  operations: number
  perSecond: number
}

const workerFile = path.join(import.meta.dirname, 'model', 'worker.ts')
/** A defect appears in many seeds; this many are enough to identify it. */
const ENOUGH_FAILURES = 3
const TELL_EVERY = 50
/** A new service with every seed leaves many short-lived objects behind. */
const forGarbage = ['--max-semi-space-size=64']

type Check = { run: (task: Task) => Promise<Checked>; end: () => void }

function inChild(): Check {
  const child = fork(workerFile, { execArgv: [...process.execArgv, ...forGarbage] })
  const died = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`a process of the soak exited with ${String(code)}`)),
  )
  died.catch(() => undefined)
  return {
    async run(task) {
      child.send(task)
      const [checked] = (await Promise.race([once(child, 'message'), died])) as [Checked]
      return checked
    },
    end: () => child.disconnect(),
  }
}

const here: Check = { run: ({ seed, limits }) => checkSeed(seed, limits), end: () => undefined }

/**
 * Random operations, executed by the real service and predicted by a plain model of it: statuses,
 * codes, amounts, stock, balances. Each round is a seed with a new service; `--seed S --rounds 1`
 * repeats one. A failure is shrunk to a few operations and reported.
 */
export default async function soakModel({
  rounds,
  seed,
  log,
  operations = 500,
  processes = availableParallelism(),
}: Options): Promise<ModelSoak> {
  const limits: Limits = { operations, shrinkMs: 120_000 }
  const outcomes = new Map<string, number>()
  const result = { lost: 0, twice: 0, wrong: 0, seeds: 0, operations: 0, perSecond: 0 }
  const started = performance.now()
  let next = 0

  function note({ operations: done, outcomes: seen, failure }: Checked): void {
    result.seeds += 1
    result.operations += done
    result.perSecond = Math.round(result.operations / ((performance.now() - started) / 1000))
    for (const [name, times] of seen) outcomes.set(name, (outcomes.get(name) ?? 0) + times)
    if (failure) {
      result[failure.kind] += 1
      log(failure.message)
    }
    if (result.seeds % TELL_EVERY === 0)
      log(
        `${result.seeds} seeds, ${result.operations} operations, ${result.perSecond} per ` +
          `second; lost ${result.lost}, twice ${result.twice}, wrong ${result.wrong}`,
      )
  }

  async function work(check: Check): Promise<void> {
    try {
      while (next < rounds && result.lost + result.twice + result.wrong < ENOUGH_FAILURES) {
        const each = (seed + next) % 2 ** 31
        next += 1
        note(await check.run({ seed: each, limits }))
      }
    } finally {
      check.end()
    }
  }

  const workers =
    processes === 0 ? [here] : Array.from({ length: Math.min(processes, rounds) }, inChild)
  await Promise.all(workers.map((check) => work(check)))
  log(
    [...outcomes]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, times]) => `${name}: ${times}`)
      .join(', '),
  )
  return result
}
