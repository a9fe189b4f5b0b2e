import BetterSqlite3 from 'better-sqlite3'
import type { Block } from '../spool/checked-lines.ts'
import { fingerprintBytes } from '../fingerprint/fingerprint.ts'
import type { Repeat, UploadedBefore } from './classify-lines.ts'

const LOOK_UP = 512

/** Looks up fingerprints in the journal in batches, with a separate connection. */
export function lookUpUploads(
  path: string,
  products: readonly string[],
): { before: UploadedBefore; close(): void } {
  const db = new BetterSqlite3(path, { readonly: true })
  const any = db.prepare('SELECT 1 FROM import_uploaded_keys LIMIT 1').get() !== undefined
  const select = db.prepare<(Buffer | null)[], { fingerprint: Buffer; product_id: string }>(
    `
      SELECT fingerprint, product_id FROM import_uploaded_keys
      WHERE fingerprint IN (${Array.from({ length: LOOK_UP }, () => '?').join(',')})`,
  )
  const before: UploadedBefore = !any
    ? null
    : (block: Block, candidates) => {
        const found = new Map<number, Repeat>()
        for (let from = 0; from < candidates.length; from += LOOK_UP) {
          const some = candidates.slice(from, from + LOOK_UP).map(({ index, offer }) => ({
            index,
            product: products[offer] ?? '',
            print: fingerprintBytes(block.words, block.fingerprintAt(index)),
          }))
          const unused = Array.from({ length: LOOK_UP - some.length }, () => null)
          const known = new Set(
            select
              .all(...some.map(({ print }) => print), ...unused)
              .flatMap((row) => [
                row.fingerprint.toString('latin1'),
                `${row.fingerprint.toString('latin1')} ${row.product_id}`,
              ]),
          )
          // Stryker disable next-line ConditionalExpression: it only saves the time of the loop
          if (known.size === 0) continue
          for (const { index, product, print } of some) {
            const key = print.toString('latin1')
            if (known.has(key))
              found.set(
                index,
                known.has(`${key} ${product}`) ? 'uploaded-before' : 'on-another-offer',
              )
          }
        }
        return found
      }
  return { before, close: () => db.close() }
}
