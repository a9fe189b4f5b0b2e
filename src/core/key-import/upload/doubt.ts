import type { Problem } from '../../../contract/base.ts'
import { t } from '../../../contract/localization/localized.ts'
import { isFresh } from '../../clock.ts'
import { IDEMPOTENCY_KEPT_MS } from '../../journaled-send/journaled-send.ts'
import { remainingKeysOf, stop } from './upload-run.ts'
import type { UploadRun } from './upload-run.ts'
import type { RequestRow } from './store/upload-read-store.ts'

/** Whether the service has forgotten the Idempotency-Key of an earlier attempt without a response. */
export const isForgotten = (
  { context }: UploadRun,
  { state, sent_at: sentAt }: RequestRow,
): boolean =>
  state === 'sent' && sentAt !== null && !isFresh(context.clock, sentAt, IDEMPOTENCY_KEPT_MS)

/**
 * Whether a request may have arrived although the service rejected it now: an earlier attempt lost
 * its response, and the rejection says nothing about that one.
 *
 * @param before the request before this attempt
 * @param now the request after it
 */
export function mayHaveArrived(run: UploadRun, before: RequestRow, now: RequestRow): boolean {
  if (now.in_doubt === 1) return true
  if (run.context.accounts.acceptsIdempotencyKeys(run.session.accountId))
    return isForgotten(run, before)
  // Without Idempotency-Keys, a request is only marked as waiting, then sent again, after the stock
  // showed that nothing arrived.
  return before.state === 'sent' && now.state === 'sent' && before.attempts === now.attempts
}

/** Stops an upload whose request was rejected although an earlier attempt may have arrived. */
export function stopRejected(run: UploadRun, request: RequestRow, problem: Problem): void {
  const { name } = run.session.uploads.offer(request)
  stopInDoubt(run, request, {
    what: `the service now rejects the request to ${name}.`,
    effect: problem.what,
    facts: {
      keys: remainingKeysOf(run, request).length,
      before: request.stock_before,
      now: null,
      sold: null,
      offer: name,
    },
  })
}

type Doubt = {
  /** Why the result can't be found out. */
  what: string
  effect: string
  facts: {
    keys: number
    /** The offer's stock before the request and now, and the keys sold since; null: unknown. */
    before: number | null
    now: number | null
    sold: number | null
    offer: string
  }
}

/** Stops an upload until a person decides about a request with an unknown result. */
export function stopInDoubt(
  run: UploadRun,
  request: RequestRow,
  { what, effect, facts }: Doubt,
): void {
  const number = request.position + 1
  stop(run, request, {
    code: 'UPLOAD_UNCLEAR',
    what: `The response to request ${number} was lost, and ${what}`,
    effect: `${t('imports.keys-in-doubt', { count: facts.keys })}. ${effect}`,
    next: 'Choose what to do with them. If you send them again, the service skips keys it already has.',
    status: null,
    requestId: null,
    retryAfterMs: null,
    details: { ...facts, request: number },
  })
}
