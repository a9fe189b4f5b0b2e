import type { Problem } from '../../contract/base.ts'
import { outlookOf } from '../certainty/certainty.ts'
import type { KeyFate } from '../../contract/batches.ts'

/** What a failed request means for it and for the upload. */
export type Verdict =
  /** It did not leave, or was certainly not carried out: it waits as before. */
  | 'not-done'
  /** It may have been carried out: ask again with the same Idempotency-Key, or reconcile. */
  | 'unknown'
  /** Some keys of it are not accepted. */
  | 'refused-keys'
  | 'refused-request'
  /** The offer takes no keys (any more). */
  | 'refused-offer'
  /** A person has to look. */
  | 'stop'

/** The places in the request that a VALIDATION_ERROR names (`keys[17]`). */
export function refusedIndexes(problem: Problem): number[] {
  const places = (problem.fields ?? []).map(
    ({ field }) => /^(?:body\.)?keys(?:\[|\.)(\d+)\]?$/.exec(field)?.[1],
  )
  return [...new Set(places.filter((place) => place !== undefined).map(Number))]
}

/**
 * Judges a failed upload of keys by the service's code (Decision 32) and by whether it can have
 * been carried out.
 */
export function verdictOn(problem: Problem): Verdict {
  const { code, status } = problem
  const { certainty } = outlookOf(code, status, 'change')
  if (certainty !== 'rejected') return certainty
  if (code === 'VALIDATION_ERROR')
    return refusedIndexes(problem).length > 0 ? 'refused-keys' : 'refused-request'
  if (code === 'IDEMPOTENCY_CONFLICT') return 'stop'
  return 'refused-offer'
}

/** An offer's keys as the service counts them. `sold` null: it doesn't tell. */
export type Counted = { stock: number; sold: number | null }

/**
 * Without an Idempotency-Key, what became of a request whose answer was lost, by the offer's stock,
 * what was sold meanwhile added (Decision 34): unchanged, it did not arrive; grown by all its keys,
 * it did. Anything else can't be told from withdrawals and other uploads.
 */
export function reconcile(
  before: Counted | null,
  now: Counted,
  keys: number,
): 'not-arrived' | 'arrived' | 'unclear' {
  if (before === null) return 'unclear'
  const sold = before.sold === null || now.sold === null ? 0 : now.sold - before.sold
  const grown = now.stock + sold - before.stock
  if (grown === 0) return 'not-arrived'
  return grown === keys ? 'arrived' : 'unclear'
}

/**
 * What an answer that only counts tells of each key: all were added, or none was. Of a mixture
 * nobody knows which; and what was there already when a request was sent again in doubt came with
 * the lost answer, most likely.
 */
export function fateOf(
  answer: { added: number; duplicates: number },
  keys: number,
  inDoubt: boolean,
): KeyFate {
  if (answer.added === keys) return 'added'
  return answer.added === 0 && answer.duplicates === keys && !inDoubt ? 'duplicate' : 'unsure'
}
