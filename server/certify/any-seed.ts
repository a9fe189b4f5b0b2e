import { seededRandom } from '../market/random.ts'

/** A seed for schedules that don't repeat earlier ones. */
export const anySeed = (): number =>
  seededRandom(String(process.hrtime.bigint())).between(1, 999_999)
