import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { DisputedKey } from '../../../contract/disputes/dispute-records.ts'
import { Failure } from '../../failure.ts'
import { lastFour, maskKey } from '../../mask-key.ts'
import { keyOfSale } from '../../sales/sales.ts'
import { actionJournal } from '../settle/action-journal.ts'
import type { DisputeDependencies, Sold } from '../settle/effects.ts'
import { findKeys } from './keys-in-texts.ts'
import { textRecords } from '../schema.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

type DisputeKeyFacts = {
  saleId: string | null
  productId: string | null
  openedAt: number | null
  fingerprint: Buffer | null
}
type Hint = Pick<DisputedKey, 'masked' | 'last4'>

/** The masked form in which a key can be shown. */
export const hintOf = (key: string): Hint => ({ masked: maskKey(key), last4: lastFour(key) })

/**
 * The key that a dispute is about: the one the dispute names, otherwise the one of its sale
 * (Decisions 30 and 31); null if neither is known.
 */
export function soldKey(
  db: Database,
  { saleId, productId, openedAt, fingerprint }: DisputeKeyFacts,
): Sold | null {
  const sale = saleId === null ? null : keyOfSale(db, saleId)
  if (fingerprint !== null && sale?.fingerprint.equals(fingerprint) !== true)
    return { fingerprint, productId, soldAt: openedAt }
  return sale
}

/**
 * The masked form of a disputed key: from the vault if a withdrawal stored it, from the hint stored
 * with an upload or a typed replacement, or from the messages if they contain it. Null if it isn't
 * known, and while the vault is locked.
 */
export function disputedKey(
  { accountId, store, texts, context }: DisputeAccount,
  sold: Sold | null,
  messages: () => readonly (string | null)[],
  dependencies: DisputeDependencies,
): DisputedKey | null {
  if (sold === null) return null
  try {
    const held = dependencies.vaultKeyHint(accountId, sold.fingerprint)
    if (held !== null)
      return {
        masked: held.masked,
        last4: held.last4,
        from: 'vault',
        held: { withdrawalId: held.withdrawalId, position: held.position },
      }
    const uploaded = dependencies.uploadedKeyHint(accountId, sold)
    if (uploaded !== null) return { ...uploaded, from: 'upload', held: null }
    const typed = actionJournal(store.db).hintFor(sold.fingerprint)
    const hint =
      typed === null
        ? null
        : texts.open(accountId, textRecords.hint(typed.actionId), typed.hintSealed)
    // Parsed without a schema: this feature sealed the value itself.
    if (hint !== null) return { ...(JSON.parse(hint) as Hint), from: 'replacement', held: null }
    const written = findKeys(messages()).find((key) =>
      context.vault.fingerprint(createHash('sha256').update(key).digest()).equals(sold.fingerprint),
    )
    return written === undefined ? null : { ...hintOf(written), from: 'message', held: null }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
