import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { KeyCheck } from '../../../contract/disputes/dispute-records.ts'
import { classifyKey, keyRecords, shapesOf, usualShapes } from '../../key-import/key-import.ts'
import { keyOfSale, salesOfKey } from '../../sales/sales.ts'
import type { DisputesContext } from '../context.ts'
import { disputesOfKey } from '../disputes-on-sales.ts'
import type { ActionJournal } from './action-journal.ts'

type ProductFacts = { productId: string | null; platform: string; deliveryType: string }
const isFinding = (refusal: string): refusal is 'blank' | 'too-long' | 'spreadsheet-damage' =>
  refusal === 'blank' || refusal === 'too-long' || refusal === 'spreadsheet-damage'
/** Only keys have a shape; links, logins and pictures have none. */
const shaped = (deliveryType: string): boolean => deliveryType === '' || deliveryType === 'key'

/**
 * Checks a key that is to be sent to a customer: returns the cleaned key and its findings
 * (Decisions 28 and 31: it must be new for its product). While the vault is locked, `fingerprint`
 * is null and duplicates aren't checked.
 */
export function checkReplacementKey(
  db: Database,
  vault: DisputesContext['vault'],
  journal: ActionJournal,
  text: string,
  { productId, platform, deliveryType }: ProductFacts,
): KeyCheck & { key: string; fingerprint: Buffer | null } {
  const { key, cleaned, doubt, refusal } = classifyKey(text)
  const findings: KeyCheck['findings'] = []
  if (refusal !== null)
    return {
      key,
      fingerprint: null,
      blocked: true,
      findings: [isFinding(refusal) ? refusal : 'control-characters'],
    }
  if (cleaned.length > 0) findings.push('cleaned')
  if (doubt === 'confusable') findings.push('confusable')
  const usual = usualShapes(platform)
  if (shaped(deliveryType) && usual !== null && (shapesOf(key) & usual) === 0)
    findings.push('odd-shape')
  let fingerprint: Buffer | null = null
  try {
    fingerprint = vault.fingerprint(createHash('sha256').update(key).digest())
  } catch {
    return { key, fingerprint, blocked: false, findings }
  }
  const isOurs = (product: string | null): boolean =>
    productId === null || product === null || product === productId
  const sold = salesOfKey(db, fingerprint).filter((sale) => isOurs(sale.productId))
  const isClaimed =
    sold.some(({ disputeId }) => disputeId !== null) ||
    disputesOfKey(db, fingerprint).some(({ saleId }) =>
      isOurs(keyOfSale(db, saleId)?.productId ?? null),
    )
  if (isClaimed) findings.push('claimed')
  if (
    sold.length > 0 ||
    keyRecords(db)
      .of(fingerprint)
      .some(({ product, goneAt, fate }) => isOurs(product) && goneAt === null && fate !== 'refused')
  )
    findings.push('uploaded')
  if (journal.sentFor(fingerprint).some(isOurs)) findings.push('sent')
  return {
    key,
    fingerprint,
    blocked: findings.some(
      (finding) => finding === 'uploaded' || finding === 'sent' || finding === 'claimed',
    ),
    findings,
  }
}
