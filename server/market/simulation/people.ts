import complaints from '../../../resources/demo/complaints.json' with { type: 'json' }
import { chanceOf } from './chance.ts'
import type { Problem } from './events.ts'

/** How customers of one language write; texts may name `{product}` and `{country}`. */
export interface Language {
  /** The shop they buy at, by its place. */
  shop: number
  /** How many they are beside the others. */
  weight: number
  countries: readonly string[]
  claims: Readonly<Record<Problem, readonly string[]>>
  /** What they answer a seller first, and what later. */
  details: readonly string[]
  again: readonly string[]
  /** What they write as they escalate. */
  tired: readonly string[]
  /** Title and line of the window on their screenshot. */
  windows: { readonly [P in Problem]?: readonly string[] }
}

const languages: readonly Language[] = complaints.languages

/** A customer: who they are follows from the seed and their number. */
export interface Customer {
  language: Language
  country: string
  /**
   * From 0.88 (looks for bargains) to 1.12 (does not mind): how much the usual price means to them.
   */
  generosity: number
  /**
   * Hours without an answer until they escalate; some have more than the 72 after which the service
   * does it.
   */
  patience: number
}

export function customerOf(seed: string | number, number: number): Customer {
  const random = chanceOf(seed, 'customer', number)
  const language = random.weighted(languages)
  return {
    language,
    country: random.pick(language.countries),
    generosity: 0.88 + random.next() * 0.24,
    patience: random.between(22, 96),
  }
}
