import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../../server/api/money.ts'
import type { ChangeReason } from '../../../contract/price-watch/price-rules.ts'

/** State of a price change that is sent. */
export type SendState = 'queued' | 'sending' | 'applied' | 'refused' | 'returned'
/** A price change, from being queued until its result. */
export type Send = {
  sendId: string
  offerId: string
  ruleId: string
  sentBy: 'person' | 'auto'
  state: SendState
  reason: ChangeReason
  fromCents: Cents
  targetCents: Cents
  bestCents: Cents | null
  result: string | null
  queuedAt: number
  settledAt: number | null
}

const SEND = `send_id AS sendId, offer_id AS offerId, rule_id AS ruleId, sent_by AS sentBy,
  state, reason, from_cents AS fromCents, target_cents AS targetCents, best_cents AS bestCents, result,
  queued_at AS queuedAt, settled_at AS settledAt`

/** The price changes of one account, in the order in which they are sent. */
export function createSendStore(db: Database) {
  const queue =
    db.prepare(`INSERT INTO watch_sends (send_id, offer_id, rule_id, sent_by, state, reason,
      from_cents, target_cents, best_cents, number, queued_at)
    VALUES (:sendId, :offerId, :ruleId, :sentBy, 'queued', :reason, :fromCents, :targetCents,
      :bestCents, (SELECT numbered FROM watch_switch), :at)`)
  const count = db.prepare('UPDATE watch_switch SET numbered = numbered + 1')
  const nextSends = db.prepare<{ limit: number }, Send>(
    `SELECT ${SEND} FROM watch_sends WHERE state = 'queued' ORDER BY number LIMIT :limit`,
  )
  const inState = db.prepare<{ state: SendState }, Send>(
    `SELECT ${SEND} FROM watch_sends WHERE state = :state ORDER BY number`,
  )
  const queuedByRules = db.prepare<{ ruleId: string | null }, Send>(
    `SELECT ${SEND} FROM watch_sends WHERE state = 'queued' AND sent_by = 'auto'
      AND (:ruleId IS NULL OR rule_id = :ruleId) ORDER BY number`,
  )
  const openSend = db.prepare<{ offerId: string }, Send>(
    `SELECT ${SEND} FROM watch_sends WHERE offer_id = :offerId AND state IN ('queued', 'sending')`,
  )
  const setSend = db.prepare(
    'UPDATE watch_sends SET state = :state, result = :result, settled_at = :settledAt WHERE send_id = :sendId',
  )

  return {
    /** Queues a change. The caller has checked that no other send is open for the offer. */
    queue(
      send: Pick<
        Send,
        | 'sendId'
        | 'offerId'
        | 'ruleId'
        | 'sentBy'
        | 'reason'
        | 'fromCents'
        | 'targetCents'
        | 'bestCents'
      >,
      at: number,
    ): void {
      count.run()
      queue.run({ ...send, at })
    },
    /** The first queued sends, at most `limit`. */
    nextSends: (limit: number): Send[] => nextSends.all({ limit }),
    sends: (state: SendState): Send[] => inState.all({ state }),
    /** Queued prices that no person approved: of one rule, or of all. */
    queuedByRules: (ruleId: string | null = null): Send[] => queuedByRules.all({ ruleId }),
    openSend: (offerId: string): Send | null => openSend.get({ offerId }) ?? null,
    send: (sendId: string): Send | null =>
      db
        .prepare<{ sendId: string }, Send>(
          `SELECT ${SEND} FROM watch_sends WHERE send_id = :sendId`,
        )
        .get({ sendId }) ?? null,
    setSend: (
      sendId: string,
      state: SendState,
      result: string | null,
      settledAt: number | null,
    ): void => void setSend.run({ sendId, state, result, settledAt }),
    openOffers: (): string[] =>
      db
        .prepare<[], string>(
          "SELECT offer_id FROM watch_sends WHERE state IN ('queued', 'sending')",
        )
        .pluck()
        .all(),
    openSends: (): number =>
      db
        .prepare<[], number>(
          "SELECT count(*) FROM watch_sends WHERE state IN ('queued', 'sending')",
        )
        .pluck()
        .get() ?? 0,
    /** Settled sends of the offer, newest first. */
    settled: (offerId: string, limit: number): Send[] =>
      db
        .prepare<{ offerId: string; limit: number }, Send>(
          `SELECT ${SEND} FROM watch_sends WHERE offer_id = :offerId AND settled_at IS NOT NULL
            ORDER BY number DESC LIMIT :limit`,
        )
        .all({ offerId, limit }),
  }
}
