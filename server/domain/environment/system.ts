import { randomBytes } from 'node:crypto'
import type { MachineClock, Random } from '../ports/environment.ts'

export const machineClock: MachineClock = { now: Date.now }

/**
 * Bytes read from the operating system in one call. An id takes eleven bytes, and a call costs more
 * than they do.
 */
const DRAWN = 4096

function drawAhead(): Random {
  let drawn = randomBytes(DRAWN)
  let next = 0
  return {
    bytes(count) {
      if (count > DRAWN) return randomBytes(count)
      if (next + count > DRAWN) {
        drawn = randomBytes(DRAWN)
        next = 0
      }
      const bytes = Buffer.from(drawn.subarray(next, next + count))
      drawn.fill(0, next, next + count)
      next += count
      return bytes
    },
  }
}

/**
 * Unpredictable bytes from the operating system. Each byte is returned once and then cleared from
 * the buffer.
 */
export const systemRandom: Random = drawAhead()
