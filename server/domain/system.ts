import { randomBytes } from 'node:crypto'
import type { MachineClock, Random } from './ports/environment.ts'

export const machineClock: MachineClock = { now: Date.now }

/** Unpredictable bytes from the operating system. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) }
