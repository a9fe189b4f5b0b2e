import { createHash } from 'node:crypto'
import { prepared } from '../../mirror/mirror.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

type Vault = Pick<DisputeAccount['context'], 'vault'>

const fingerprintOf = ({ vault }: Vault, text: string): Buffer =>
  vault.fingerprint(createHash('sha256').update(text.trim()).digest())

/** Records that an answer was sent from this computer. The vault must be unlocked. */
export function recordOwnAnswer(
  { store, context }: Pick<DisputeAccount, 'store' | 'context'>,
  disputeId: string,
  text: string,
): void {
  prepared(
    store.db,
    'INSERT OR IGNORE INTO dispute_own_answers (dispute_id, fingerprint) VALUES (:disputeId, :fingerprint)',
  ).run({ disputeId, fingerprint: fingerprintOf(context, text) })
}

type Message = { author: string | null; body: string | null; at: number | null }

/**
 * Whether this computer sent a seller's message; null for other authors, while the vault is locked,
 * and for messages from before this was recorded.
 */
export function ownAnswers(
  { store: { db }, context }: Pick<DisputeAccount, 'store' | 'context'>,
  disputeId: string,
): (message: Message) => boolean | null {
  const since = prepared(db, 'SELECT at FROM dispute_own_since').pluck().get() as number
  const own = new Set(
    (
      prepared(db, 'SELECT fingerprint FROM dispute_own_answers WHERE dispute_id = :disputeId')
        .pluck()
        .all({ disputeId }) as Buffer[]
    ).map((fingerprint) => fingerprint.toString('hex')),
  )
  return ({ author, body, at }) => {
    if (author !== 'seller' || body === null) return null
    if (own.has(fingerprintOf(context, body).toString('hex'))) return true
    return at !== null && at >= since ? false : null
  }
}
