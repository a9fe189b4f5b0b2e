import { createHash } from 'node:crypto'
import type { DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import type {
  BulkReply,
  BulkReplyPlan,
  DisputeActionKind,
  ReplyOutcome,
} from '../../../contract/disputes/dispute-replies.ts'
import { addCents, plainEuros } from '../../../../server/api/money.ts'
import { failure } from '../../failure.ts'
import { saleOf } from '../../sales/sales.ts'
import type { DisputeAccess } from '../access.ts'
import { readOfferStock } from '../alerts/batch-alarms.ts'
import { fillTemplate } from '../answers/templates.ts'
import { keyOfDispute } from '../detail/detail.ts'
import { readRow } from '../list/list.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { actionOf } from './send-reply.ts'
import type { ReplyRecord } from './store.ts'

export type BulkRequest = {
  accountId: string
  disputeIds: readonly string[]
  outcome: ReplyOutcome
  texts: Readonly<Record<string, string>>
}
type Line = BulkReplyPlan['lines'][number]
type LeftOut = BulkReplyPlan['leftOut'][number]
type Stock = { after: number; entry: BulkReplyPlan['stock'][number] | null; alarm: boolean }

/** The most urgent disputes get the keys, if there are too few for all. */
const byDeadline = (a: DisputeRow, b: DisputeRow): number =>
  (a.escalatesAt ?? Number.MAX_SAFE_INTEGER) - (b.escalatesAt ?? Number.MAX_SAFE_INTEGER) ||
  (a.openedAt ?? 0) - (b.openedAt ?? 0)

/** Whether an answer or action of a dispute is held, queued or being sent. */
export const isInProgress = ({
  pendingReply,
  pendingAnswer,
  pendingAction,
  waits,
}: DisputeRow): boolean =>
  waits ||
  (pendingReply !== null && pendingReply !== 'failed') ||
  (pendingAnswer !== null && pendingAnswer !== 'refused') ||
  (pendingAction !== null && pendingAction !== 'refused')

/**
 * Plans one reply to several disputes: the text for each, and why others are left out. Its id
 * identifies everything that a person confirms.
 */
export function createBulkPlanner(access: DisputeAccess) {
  const { context, dependencies, accountOf, partsOf } = access

  async function stockOf(accountId: string, row: DisputeRow): Promise<Stock | null> {
    const { offer, alarmsInStock } = await readOfferStock(
      context,
      dependencies,
      accountId,
      row.offerId,
    )
    if (offer === null) return null
    const { offerId, stock } = offer
    const { name, platform, region, deliveryType } = row
    return {
      after: stock,
      alarm: alarmsInStock.length > 0,
      entry: { offerId, name, platform, region, deliveryType, before: stock, after: stock },
    }
  }

  /** Takes a key of the dispute's offer; why that isn't possible, otherwise null. */
  async function takeKey(
    accountId: string,
    row: DisputeRow,
    stocks: Map<string, Stock | null>,
  ): Promise<LeftOut['reason'] | null> {
    const offerId = row.offerId ?? ''
    if (!stocks.has(offerId)) stocks.set(offerId, await stockOf(accountId, row))
    const stock = stocks.get(offerId) ?? null
    if (stock === null) return 'no-offer'
    if (stock.alarm) return 'batch-alarm'
    if (stock.after === 0) return 'no-stock'
    stock.after -= 1
    return null
  }

  function textFor(
    account: DisputeAccount,
    row: DisputeRow,
    texts: BulkRequest['texts'],
  ): string | LeftOut['reason'] {
    const body = texts[row.language ?? '']?.trim() ?? ''
    if (body === '') return 'no-text'
    const { text, missing } = fillTemplate(body, row, {
      shop: context.accounts.get(account.accountId).name,
      last4: keyOfDispute(account, row, dependencies)?.last4 ?? null,
    })
    return missing.length > 0 ? 'missing-field' : text
  }

  function lineOf(
    account: DisputeAccount,
    row: DisputeRow,
    kind: DisputeActionKind | null,
    texts: BulkRequest['texts'],
  ): Line | LeftOut['reason'] {
    if (row.status === 'resolved') return 'resolved'
    if (isInProgress(row)) return 'in-progress'
    const sale = row.saleId === null ? null : saleOf(account.store.db, row.saleId)
    const refundCents = kind === 'refund' ? (sale?.customerCents ?? null) : null
    if (kind === 'refund' && refundCents === null) return 'unknown-amount'
    const text = textFor(account, row, texts)
    if (isReason(text)) return text
    const { disputeId, name, platform, region, deliveryType } = row
    const { orderId, language, status, messages } = row
    return {
      disputeId,
      name,
      platform,
      region,
      deliveryType,
      orderId,
      language,
      text,
      refundCents,
      seen: { status, messages },
    }
  }

  return async function plan({
    accountId,
    disputeIds,
    outcome,
    texts,
  }: BulkRequest): Promise<BulkReplyPlan> {
    const account = accountOf(accountId)
    const kind = actionOf(outcome)
    const lines: Line[] = []
    const leftOut: LeftOut[] = []
    const rows: DisputeRow[] = []
    for (const disputeId of new Set(disputeIds)) {
      const row = readRow(account.store.db, disputeId, partsOf(accountId))
      if (row === undefined) leftOut.push({ disputeId, name: disputeId, reason: 'not-found' })
      else rows.push(row)
    }
    const stocks = new Map<string, Stock | null>()
    for (const row of rows.toSorted(byDeadline)) {
      const line = lineOf(account, row, kind, texts)
      const reason =
        typeof line === 'string'
          ? line
          : kind === 'replace-stock'
            ? await takeKey(accountId, row, stocks)
            : null
      if (typeof line !== 'string' && reason === null) lines.push(line)
      else if (reason !== null) leftOut.push({ disputeId: row.disputeId, name: row.name, reason })
    }
    const live = context.accounts.get(accountId).mode === 'live'
    return withId({
      outcome,
      lines,
      leftOut,
      stock: [...stocks.values()].flatMap((stock) =>
        stock === null || stock.entry === null || stock.after === stock.entry.before
          ? []
          : [{ ...stock.entry, after: stock.after }],
      ),
      ...totalsOf(lines, kind, live),
    })
  }
}

const isReason = (text: string): text is LeftOut['reason'] =>
  text === 'no-text' || text === 'missing-field'

/** The totals of a plan, and the words that confirm them in LIVE. */
export function totalsOf(
  lines: readonly Pick<Line, 'refundCents'>[],
  kind: DisputeActionKind | null,
  live: boolean,
): Pick<BulkReplyPlan, 'refundCents' | 'keys' | 'typed'> {
  const refundCents = addCents(...lines.flatMap((line) => line.refundCents ?? []))
  const keys = kind === 'replace-stock' ? lines.length : 0
  const typed =
    !live || lines.length === 0
      ? null
      : kind === 'refund'
        ? `refund ${plainEuros(refundCents)}`
        : kind === 'replace-stock'
          ? `send ${keys}`
          : null
  return { refundCents, keys, typed }
}

/**
 * Whether a retry sends a reply. Left out: replies that were dismissed or replaced by another one,
 * disputes that were resolved or have a reply in progress, and refunds of an unknown amount.
 */
export const isRetryable = (
  { state, dismissed, outcome }: Pick<ReplyRecord, 'state' | 'dismissed' | 'outcome'>,
  row: DisputeRow,
  refundCents: Line['refundCents'],
): boolean =>
  state === 'failed' &&
  !dismissed &&
  row.status !== 'resolved' &&
  !isInProgress(row) &&
  (outcome !== 'refund' || refundCents !== null)

/** The effects of sending these replies again, as {@link bulkReplySchema} describes them. */
export function retryOf(
  lines: readonly (Pick<Line, 'refundCents' | 'seen'> & { replyId: string })[],
  outcome: ReplyOutcome,
  live: boolean,
): BulkReply['retry'] {
  const totals = totalsOf(lines, actionOf(outcome), live)
  return { planId: idOf([outcome, lines, totals.typed]), count: lines.length, ...totals }
}

/** Fails unless the words that LIVE asks for were typed. */
export function assertTyped(word: string | null, typed: string | undefined): void {
  if (word !== null && typed?.trim() !== word)
    throw failure(
      'INVALID_INPUT',
      'Not sent: the confirmation text doesn’t match.',
      `Type “${word}”.`,
      { effect: 'No reply was sent, and no key or money moved.' },
    )
}

const idOf = (confirmed: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(confirmed)).digest('hex')

const withId = (plan: Omit<BulkReplyPlan, 'planId'>): BulkReplyPlan => ({
  ...plan,
  planId: idOf([plan.outcome, plan.lines, plan.typed]),
})
