import complaints from '../../../resources/demo/complaints.json' with { type: 'json' }
import { randomFor } from './random-for.ts'
import type { Problem } from './events.ts'

/** The customers of one language; texts can contain `{product}` and `{country}`. */
export interface Language {
  /** The shop they buy at, by its index. */
  shop: number
  /** Their share of all customers, as a weight. */
  weight: number
  countries: readonly string[]
  claims: Readonly<Record<Problem, readonly string[]>>
  /** Their first answer to a seller, and later ones. */
  details: readonly string[]
  again: readonly string[]
  /** Their texts on escalation. */
  tired: readonly string[]
  /** Title and line of the window in their screenshot. */
  windows: { readonly [P in Problem]?: readonly string[] }
}

const languages: readonly Language[] = complaints.languages

/** A customer, fully determined by the seed and a number. */
export interface Customer {
  language: Language
  country: string
  /** From 0.88 (looks for bargains) to 1.12 (ignores prices): the customer's price sensitivity. */
  generosity: number
  /**
   * Hours without an answer until they escalate; some wait longer than the 72 hours after which the
   * service escalates.
   */
  patience: number
}

export function customerOf(seed: string | number, number: number): Customer {
  const random = randomFor(seed, 'customer', number)
  const language = random.weighted(languages)
  return {
    language,
    country: random.pick(language.countries),
    generosity: 0.88 + random.next() * 0.24,
    patience: random.between(22, 96),
  }
}
