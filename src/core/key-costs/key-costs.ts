import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { FINGERPRINT_BYTES, importedCosts } from '../key-import/key-import.ts'
import { prepared } from '../mirror/mirror.ts'

/*
 * What sold keys cost, from the notes about batches and the terms of offers. Sales can't ask these
 * features, which read sales themselves.
 */

const recordsOf = (sale: string, table: string, past: string): string => `
  SELECT import_number, offer, product_id, fate, at, ${past} AS past FROM ${table}
  WHERE fingerprint = substr(${sale}.key_fingerprint, 1, ${FINGERPRINT_BYTES})`

/**
 * The batch that the key of a sale came from, as an SQL expression over a row of `sales`: the import
 * and its offer as one text, NULL if this console didn't upload the key. Same choice as `originOf`,
 * for queries over many sales.
 *
 * @param sale - Name of the row in the query.
 */
export const batchOfSale = (sale: string): string => `(
  SELECT import_number || '.' || coalesce(offer, 0) FROM (
    ${recordsOf(sale, 'import_uploaded_keys', '0')} UNION ALL
    ${recordsOf(sale, 'import_key_history', 'number')})
  WHERE (fate IN ('added', 'unsure')
      OR fate = 'excluded' AND import_number NOT IN (SELECT import_number FROM import_returns))
    AND (${sale}.product_id IS NULL
    OR product_id = ${sale}.product_id OR product_id GLOB 'offer *')
  ORDER BY ${sale}.sold_at IS NULL OR at IS NULL OR at <= ${sale}.sold_at DESC,
    coalesce(at, -1) DESC, import_number DESC, past DESC, product_id DESC LIMIT 1)`

/**
 * The cost per key of each batch that has one, by the text of {@link batchOfSale}. Until the user
 * edits a batch, its cost is the one in the imported files.
 */
export function batchCosts(db: Database, batches: Iterable<string>): Map<string, Cents> {
  const noted = prepared(
    db,
    `SELECT cost_cents AS costCents FROM batch_notes
      WHERE import_number = :importNumber AND offer = :offer`,
  )
  const imported = new Map<number, Map<number, Cents>>()
  const costs = new Map<string, Cents>()
  for (const batch of batches) {
    const [importNumber = 0, offer = 0] = batch.split('.').map(Number)
    const note = noted.get({ importNumber, offer }) as { costCents: Cents | null } | undefined
    const inFiles = imported.get(importNumber) ?? importedCosts(db, importNumber)
    imported.set(importNumber, inFiles)
    const costCents = note === undefined ? inFiles.get(offer) : note.costCents
    if (costCents != null) costs.set(batch, costCents)
  }
  return costs
}

/** The costs that the user entered for these offers; offers without one are left out. */
export const offerCosts = (db: Database, offerIds: Iterable<string>): Map<string, Cents> =>
  new Map(
    (
      prepared(
        db,
        `SELECT offer_id AS offerId, cost_cents AS costCents FROM offer_terms
          WHERE offer_id IN (SELECT value FROM json_each(:ids)) AND cost_cents IS NOT NULL`,
      ).all({ ids: JSON.stringify([...offerIds]) }) as { offerId: string; costCents: Cents }[]
    ).map(({ offerId, costCents }) => [offerId, costCents]),
  )
