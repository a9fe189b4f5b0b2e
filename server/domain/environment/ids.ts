import { hash } from 'node:crypto'
import type { Ids, MachineClock, Random } from '../ports/environment.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The low-order base-32 digits of a number, most significant first. */
function digits(value: number, count: number): string {
  let text = ''
  for (let rest = value, i = 0; i < count; i += 1, rest = Math.floor(rest / 32))
    text = alphabet.charAt(rest % 32) + text
  return text
}

/**
 * Ids of nine characters of time and eleven random ones (55 bits), such as
 * `ord_01hq3v8zk4m2x7c9d1e5`. Two ids made in the same millisecond may sort either way.
 */
export function createIds(clock: MachineClock, random: Random): Ids {
  return {
    next(prefix) {
      let tail = ''
      for (const byte of random.bytes(11)) tail += alphabet.charAt(byte & 31)
      return `${prefix}_${digits(clock.now(), 9)}${tail}`
    },
  }
}

const seededFrom = Date.UTC(2026, 0, 1)

/**
 * Ids that are the same for the same calls, for reproducible worlds. Later ids sort after earlier
 * ones.
 *
 * @param counts the number of ids made of each prefix, which is updated
 */
export function createCountingIds(counts = new Map<string, number>()): Ids {
  return {
    next(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      let tail = ''
      for (const byte of hash('sha256', `${prefix} ${count}`, 'buffer').subarray(0, 11))
        tail += alphabet.charAt(byte & 31)
      return `${prefix}_${digits(seededFrom + count, 9)}${tail}`
    },
  }
}
