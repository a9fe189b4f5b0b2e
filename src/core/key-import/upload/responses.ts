import type { Problem } from '../../../contract/base.ts'
import { outlookOf } from '../../certainty/certainty.ts'
import type { KeyOutcome } from '../../../contract/keys/batches.ts'

/** The consequence of a failed request for the request and the upload. */
export type Reaction =
  /** It wasn't sent, or certainly wasn't carried out: it waits as before. */
  | 'not-done'
  /** It may have been carried out: send it again with the same Idempotency-Key, or reconcile. */
  | 'unknown'
  /** Some of its keys were rejected. */
  | 'refused-keys'
  | 'refused-request'
  /** The offer doesn't accept keys (any more). */
  | 'refused-offer'
  /** A person has to decide. */
  | 'stop'

/** The indexes in the request that a VALIDATION_ERROR names (`keys[17]`). */
export function rejectedIndexes(problem: Problem): number[] {
  const places = (problem.fields ?? []).map(
    ({ field }) => /^(?:body\.)?keys(?:\[|\.)(\d+)\]?$/.exec(field)?.[1],
  )
  return [...new Set(places.filter((place) => place !== undefined).map(Number))]
}

/**
 * Decides about a failed key upload by the service's code (Decision 32) and by whether it can have
 * been carried out.
 */
export function reactionTo(problem: Problem): Reaction {
  const { code, status } = problem
  const { certainty } = outlookOf(code, status, 'change')
  if (certainty !== 'rejected') return certainty
  if (code === 'VALIDATION_ERROR')
    return rejectedIndexes(problem).length > 0 ? 'refused-keys' : 'refused-request'
  if (code === 'IDEMPOTENCY_CONFLICT') return 'stop'
  return 'refused-offer'
}

/** An offer's key counts on the service. `sold` null: not reported. */
export type Counted = { stock: number; sold: number | null }

/**
 * Without an Idempotency-Key, decides about a request whose response was lost by comparing the
 * offer's stock plus the keys sold since then (Decision 34). If unchanged, the request didn't
 * arrive; if grown by all its keys, it did. Any other change may come from withdrawals and other
 * uploads.
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
 * The outcome of each key, derived from a response with counts only: certain if all keys were added
 * or none was. In a mixture it is unknown which key is which. If a request was sent again in doubt,
 * its duplicates most likely arrived with the first attempt.
 */
export function outcomeOf(
  answer: { added: number; duplicates: number },
  keys: number,
  inDoubt: boolean,
): KeyOutcome {
  if (answer.added === keys) return 'added'
  return answer.added === 0 && answer.duplicates === keys && !inDoubt ? 'duplicate' : 'unsure'
}
