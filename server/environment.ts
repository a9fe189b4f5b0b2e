/** Where the time and the random bytes of a sandbox come from. */
import { createHash } from 'node:crypto'
import { machineClock, systemRandom } from './domain/environment/system.ts'
import type { MachineClock, Random } from './domain/ports/environment.ts'

export type Environment = {
  /** The time of the service, before its offset. */
  readonly clock: MachineClock
  /** For ids, keys and every decision by chance. */
  readonly random: Random
  /** For the ids of requests. */
  readonly requestRandom: Random
  /** For trials of the explanation of a refusal, which must not change later ids. */
  readonly trialRandom: Random
  /** Durations, in milliseconds. */
  readonly monotonic: () => number
  /** Moves the time as a request begins; null: time passes on its own. */
  readonly tick: (() => void) | null
  /** The environment of a branch; `no` counts from 1. */
  branch(no: number): Environment
}

/** The computer's clock, and unpredictable bytes. */
export const systemEnvironment: Environment = {
  clock: machineClock,
  random: systemRandom,
  requestRandom: systemRandom,
  trialRandom: systemRandom,
  monotonic: () => performance.now(),
  tick: null,
  branch: () => systemEnvironment,
}

/** What a repeatable sandbox derives everything from. */
export type Repeatable = {
  readonly seed: string
  /** The time of the start, in milliseconds since 1970 UTC. */
  readonly at: number
}

/** Bytes that are the same for the same seed and the same sequence of calls. */
function seededRandom(seed: string): Random {
  let drawn = 0
  return {
    bytes(count) {
      drawn += 1
      const name = JSON.stringify([seed, drawn])
      return createHash('shake256', { outputLength: count }).update(name).digest()
    },
  }
}

/**
 * The same for the same seed, start and order of requests: a request moves the time by a
 * millisecond, and otherwise it moves only with the service's own clock.
 */
export function repeatableEnvironment({ seed, at }: Repeatable): Environment {
  let now = at
  return {
    clock: { now: () => now },
    random: seededRandom(seed),
    requestRandom: seededRandom(`${seed}/requests`),
    trialRandom: seededRandom(`${seed}/trials`),
    monotonic: () => 0,
    tick: () => void (now += 1),
    branch: (no) => repeatableEnvironment({ seed: `${seed}/${no}`, at: now }),
  }
}
