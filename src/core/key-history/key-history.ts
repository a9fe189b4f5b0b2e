import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { InferContractRouterInputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { KeyOrigin } from '../../contract/keys/batches.ts'
import type { KeyState, KeyHistoryResult } from '../../contract/keys/key-history.ts'
import type { SaleRow } from '../../contract/sales.ts'
import { originOf } from '../batches/batches.ts'
import type { Batches, Sold } from '../batches/batches.ts'
import type { CoreContext } from '../context.ts'
import { disputesOfKey, disputesOfSale, findSoldDispute, soldKey } from '../disputes/disputes.ts'
import type { Claim } from '../disputes/disputes.ts'
import { Failure, failure } from '../failure.ts'
import { importedBatch, keyRecords } from '../key-import/key-import.ts'
import type { KeyRecord } from '../key-import/key-import.ts'
import { maskKey } from '../mask-key.ts'
import { keyOfSale, saleOf, salesOfKey, countSoldKeys } from '../sales/sales.ts'
import { keyEvents } from './key-events.ts'

type KeyHistoryContext = Pick<CoreContext, 'accounts' | 'vault' | 'mirrors'>

type Inputs = InferContractRouterInputs<Contract['keyHistory']>

/** Number of lines shown before and after a key's own. */
const ADJACENT_LINES = 2

/**
 * The history of one key: file, line, import, batch and offer from this computer; sale and dispute
 * if the service reports which key was sold.
 */
export function createKeyHistory(context: KeyHistoryContext, batches: Batches) {
  const dbOf = (accountId: string): Database => {
    if (context.accounts.get(accountId).role !== 'seller')
      throw failure('NOT_FOUND', 'Partner accounts don’t upload keys.', 'Choose a seller account.')
    return context.mirrors.database(accountId)
  }
  const adjacentState = (
    db: Database,
    record: KeyRecord,
  ): KeyHistoryResult['neighbours'][number]['state'] => {
    if (record.fate === 'duplicate' || record.fate === 'refused') return record.fate
    if (claimsOf(db, record.fingerprint).length > 0) return 'claimed'
    if (salesOfKey(db, record.fingerprint).length > 0) return 'sold'
    if (record.goneAt !== null) return 'gone'
    return record.fate === 'added' ? 'not-sold' : record.fate
  }

  function historyOf(accountId: string, fingerprint: Buffer, masked: string): KeyHistoryResult {
    const db = dbOf(accountId)
    const records = keyRecords(db).of(fingerprint)
    const uploads = records.flatMap((record) => {
      const origin = batches.describe(accountId, record)
      return origin === null ? [] : [{ record, origin }]
    })
    const sales = salesOfKey(db, fingerprint).flatMap(({ saleId }) => saleOf(db, saleId) ?? [])
    const sale = sales.at(-1) ?? null
    const claims = claimsOf(db, fingerprint)
    const claim = claims.at(-1) ?? null
    const home =
      originOf(keyRecords(db), {
        fingerprint,
        productId: sale?.productId ?? null,
        soldAt: sale?.soldAt ?? claim?.openedAt ?? null,
      }) ??
      records.at(-1) ??
      null
    const batch = home === null ? null : importedBatch(db, home.importNumber, home.offer ?? 0)
    const near =
      home === null
        ? []
        : keyRecords(db).between(
            home.importNumber,
            home.file,
            home.line - ADJACENT_LINES,
            home.line + ADJACENT_LINES,
          )
    return {
      masked,
      state: stateOf(home, sale, claim),
      events: keyEvents({ db, uploads, sales, claims }),
      origin: home === null ? null : batches.describe(accountId, home),
      uploads: uploads.map(({ origin }): KeyOrigin => origin),
      platform: batch?.platform ?? sale?.platform ?? '',
      region: batch?.region ?? sale?.region ?? '',
      deliveryType: batch?.deliveryType ?? sale?.deliveryType ?? '',
      sale:
        sale === null
          ? null
          : {
              saleId: sale.saleId,
              priceCents: sale.priceCents,
              customerCents: sale.customerCents,
              status: sale.status,
              held: sale.held,
              soldAt: sale.soldAt,
            },
      dispute:
        claim === null
          ? null
          : {
              disputeId: claim.disputeId,
              status: claim.status,
              escalatesAt: claim.escalatesAt,
              answered: claim.lastAuthor === 'seller',
            },
      neighbours: near.map((record) => ({
        line: record.line,
        isThis: record.line === home?.line,
        state: adjacentState(db, record),
        at: salesOfKey(db, record.fingerprint).at(-1)?.soldAt ?? record.goneAt,
      })),
      told: countSoldKeys(db),
    }
  }

  /**
   * The masked key as recorded since its upload. Empty if there is no record, and while the vault
   * is locked.
   */
  function masked(accountId: string, sold: Sold): string {
    try {
      return batches.hintOf(accountId, sold)?.masked ?? ''
    } catch (error) {
      if (error instanceof Failure) return ''
      throw error
    }
  }

  return {
    look({ accountId, key }: Inputs['find']): KeyHistoryResult {
      const text = key.trim()
      return historyOf(
        accountId,
        context.vault.fingerprint(createHash('sha256').update(text, 'utf8').digest()),
        maskKey(text),
      )
    },
    ofSale({ accountId, saleId, disputeId }: Inputs['ofSale']): KeyHistoryResult | null {
      const sold = soldIn(dbOf(accountId), saleId, disputeId)
      return sold === null ? null : historyOf(accountId, sold.fingerprint, masked(accountId, sold))
    },
  }
}
export type KeyHistory = ReturnType<typeof createKeyHistory>

/**
 * The disputes about a key: those that name it, and those about its sales that name no key. Earliest
 * first.
 */
const claimsOf = (db: Database, fingerprint: Buffer): Claim[] =>
  [
    ...disputesOfKey(db, fingerprint),
    ...salesOfKey(db, fingerprint)
      .flatMap(({ saleId }) => disputesOfSale(db, saleId))
      .filter((claim) => claim.fingerprint === null),
  ].toSorted(
    (a, b) => (a.openedAt ?? 0) - (b.openedAt ?? 0) || (a.disputeId < b.disputeId ? -1 : 1),
  )

/** The key of a sale, or of a dispute about it, which can be about a replacement. */
function soldIn(db: Database, saleId: string, disputeId: string | undefined): Sold | null {
  const sale = keyOfSale(db, saleId)
  const claim = disputeId === undefined ? undefined : findSoldDispute(db, disputeId)
  return claim?.saleId === saleId
    ? soldKey(db, { ...claim, productId: sale?.productId ?? null })
    : sale
}

function stateOf(home: KeyRecord | null, sale: SaleRow | null, claim: Claim | null): KeyState {
  if (claim !== null) {
    if (claim.resolution === 'replaced' || claim.resolution === 'refunded') return claim.resolution
    return claim.resolution === 'rejected' ? 'kept' : 'claimed'
  }
  if (sale !== null && sale.status !== 'cancelled') return 'sold'
  if (home === null) return sale === null ? 'unknown' : 'refunded'
  if (home.goneAt !== null) return 'taken-back'
  return home.fate === 'added' ? 'in-stock' : home.fate
}
