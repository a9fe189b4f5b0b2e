import type { Problem } from '../../contract/base.ts'

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

const notDone = new Set(['OFFLINE', 'RATE_LIMITED', 'KEY_MISSING', 'UNAUTHORIZED', 'ACCOUNT_NOT_ACTIVE', 'IP_NOT_ALLOWED', 'INSUFFICIENT_SCOPE', 'VAULT_LOCKED', 'VAULT_UNSET'])
const unknown = new Set(['ANSWER_LOST', 'BAD_ANSWER', 'CANCELLED', 'IDEMPOTENCY_IN_PROGRESS'])

/** The places in the request that a VALIDATION_ERROR names (`keys[17]`). */
export function refusedIndexes(problem: Problem): number[] {
  const places = (problem.fields ?? []).map(({ field }) => /^(?:body\.)?keys(?:\[|\.)(\d+)\]?$/.exec(field)?.[1])
  return [...new Set(places.filter((place) => place !== undefined).map(Number))]
}

/** Judges a failed upload of keys by the service's code (Decision 32) and by whether it can have been carried out. */
export function verdictOn(problem: Problem): Verdict {
  const { code, status } = problem
  if (unknown.has(code)) return 'unknown'
  if (notDone.has(code)) return 'not-done'
  if (code === 'VALIDATION_ERROR') return refusedIndexes(problem).length > 0 ? 'refused-keys' : 'refused-request'
  if (code === 'IDEMPOTENCY_CONFLICT') return 'stop'
  if (status === null || status >= 500) return 'unknown'
  return status >= 400 ? 'refused-offer' : 'stop'
}

/**
 * Without an Idempotency-Key, what became of a request whose answer was lost, by the offer's stock (Decision 34): unchanged, it did not arrive;
 * grown by all its keys, it did. Anything else can't be told from sales and other uploads.
 */
export function reconcile(before: number | null, now: number, keys: number): 'not-arrived' | 'arrived' | 'unclear' {
  if (before === null) return 'unclear'
  if (now === before) return 'not-arrived'
  return now === before + keys ? 'arrived' : 'unclear'
}
