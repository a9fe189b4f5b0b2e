import type { Book } from '../book.ts'
import type { Ask } from '../console.ts'
import type { Finding } from '../witness.ts'
import type { World } from '../world.ts'

export type Person = {
  ask: Ask
  seller: string
  partner: string
  below: (limit: number) => number
  book: Book
  world: World
  /** Whether the console that this person uses still runs: what a killed one reports doesn't count. */
  isAlive: () => boolean
  pause: (ms: number) => Promise<void>
  note: (finding: Finding) => void
  /** A text that no other action of the day uses. */
  unique: (prefix: string) => string
}
export type Deed = () => Promise<unknown>

/** A part of every key that a person imports or sends, and of nothing else. */
export const KEY_MARK = 'KEYAAA-'

/** Each person uses other offers, so that the result of each action is known. In list order. */
const places = {
  prices: [0, 8],
  statuses: [8, 16],
  stock: [16, 24],
  bulk: [24, 31],
} as const

export async function offersFor(
  { ask, seller }: Pick<Person, 'ask' | 'seller'>,
  use: keyof typeof places,
) {
  const { rows } = await ask.offers.list({ accountId: seller })
  return rows.slice(...places[use])
}
