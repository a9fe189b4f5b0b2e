import { localized } from '../../../contract/localization/localized.ts'
import { resultOf, sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { WaitingKey } from '../plan/plan-requests.ts'
import { isForgotten, stopInDoubt } from './doubt.ts'
import { reconcile } from './responses.ts'
import type { Counted } from './responses.ts'
import { isActive, remainingKeysOf, reportChange, settle } from './upload-run.ts'
import type { UploadRun } from './upload-run.ts'
import type { Answer } from './store/upload-store.ts'
import type { RequestRow } from './store/upload-read-store.ts'

/** Sends one request and settles it with the service's response. */
export async function sendRequest(run: UploadRun, request: RequestRow): Promise<void> {
  const { context, session } = run
  const offer = session.uploads.offer(request)
  const keys = remainingKeysOf(run, request)
  if (keys.length === 0) return settle(run, request, [], { added: 0, duplicates: 0, stock: null })
  const isRepeatable = context.accounts.acceptsIdempotencyKeys(session.accountId)
  let counted: Counted | null = null
  if (!isRepeatable) {
    if (request.state === 'sent' && !(await reconcileRequest(run, request, keys, offer))) return
    counted = await countKeys(run, offer.offerId)
  }
  if (!isActive(run)) return
  const outcome = await sendJournaled<Answer>({
    // A request with an unknown result stays unknown until a repetition is examined.
    again: request.state !== 'waiting',
    write() {
      session.uploads.markSent(request, context.clock.now(), counted)
      reportChange(run)
    },
    send: () => uploadKeys(run, request, keys, offer.offerId, isRepeatable),
    settle(settled) {
      // Duplicates are then this import's own keys, at least most of them.
      if (settled.state === 'done' && settled.result.duplicates > 0 && isForgotten(run, request))
        settleForgotten(run, request, keys, settled.result)
      else if (settled.state === 'done') settle(run, request, keys, settled.result)
      if (settled.state === 'not-done') session.uploads.markUnsent(request)
    },
  })
  // The loop settles a rejection: it may concern single keys, the request or its offer.
  resultOf(outcome)
}

function settleForgotten(
  run: UploadRun,
  request: RequestRow,
  keys: readonly WaitingKey[],
  answer: Answer,
): void {
  run.session.uploads.note(
    request.import_number,
    run.context.clock.now(),
    localized('imports.uploaded-before', { request: request.position + 1 }),
    localized('imports.uploaded-before-detail', { count: answer.duplicates }),
  )
  settle(run, { ...request, in_doubt: 1 }, keys, answer)
}

async function uploadKeys(
  { connection, signal }: UploadRun,
  request: RequestRow,
  keys: readonly WaitingKey[],
  offerId: string,
  isRepeatable: boolean,
): Promise<Answer> {
  const { added, duplicates, stock } = await connection.call(
    'uploadKeys',
    { params: { id: offerId }, body: { keys: keys.map(({ key }) => key) } },
    {
      priority: 'watch',
      signal,
      ...(isRepeatable && { idempotencyKey: request.idempotency_key }),
    },
  )
  return { added, duplicates, stock }
}

async function countKeys({ connection, signal }: UploadRun, offerId: string): Promise<Counted> {
  const { stock, sold = null } = await connection.call(
    'getOffer',
    { params: { id: offerId } },
    { priority: 'watch', signal },
  )
  return { stock, sold }
}

/**
 * Finds out what happened to a request without a response if the service has no Idempotency-Keys.
 * Returns true if it can be sent.
 */
async function reconcileRequest(
  run: UploadRun,
  request: RequestRow,
  keys: readonly WaitingKey[],
  offer: { offerId: string; name: string },
): Promise<boolean> {
  const now = await countKeys(run, offer.offerId)
  const before =
    request.stock_before === null
      ? null
      : { stock: request.stock_before, sold: request.sold_before }
  const outcome = reconcile(before, now, keys.length)
  if (outcome === 'not-arrived') {
    run.session.uploads.sendAgain(request, false)
    return true
  }
  if (outcome === 'arrived')
    settle(run, request, keys, { added: keys.length, duplicates: 0, stock: now.stock })
  else stopUnclear(run, request, keys.length, offer.name, before, now)
  return false
}

function stopUnclear(
  run: UploadRun,
  request: RequestRow,
  keys: number,
  offer: string,
  before: Counted | null,
  now: Counted,
): void {
  const stockBefore = before?.stock ?? null
  stopInDoubt(run, request, {
    what: `the stock of ${offer} doesn’t show whether its keys arrived.`,
    effect: `Its stock was ${stockBefore ?? 'unknown'} before and is ${now.stock} now.`,
    facts: {
      keys,
      before: stockBefore,
      now: now.stock,
      sold: before?.sold == null || now.sold === null ? null : now.sold - before.sold,
      offer,
    },
  })
}
