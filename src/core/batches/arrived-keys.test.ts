import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueSchema } from '../catalogue/catalogue.ts'
import { disputeFacts } from '../disputes/sync/facts.ts'
import { disputesSchemas } from '../disputes/disputes.ts'
import { disputeStore } from '../disputes/store.ts'
import { importedBatch, importsSchemas, keyRecords } from '../key-import/key-import.ts'
import { undoStore } from '../key-import/undo-store.ts'
import { createMirrors } from '../mirror/files/mirrors.ts'
import type { MirrorFiles } from '../mirror/files/mirrors.ts'
import { offersSchemas } from '../offers/offers.ts'
import { saleFacts } from '../sales/sync/facts.ts'
import { salesSchema } from '../sales/sales.ts'
import { saleStore } from '../sales/store.ts'
import { temporaryFolder } from '../testing/context.ts'
import { countBatches, countsOf, countUnreadSales, keysOf, linesOf } from './counting.ts'
import { stockReader } from './offer-stock.ts'
import { squaresOf } from './squares.ts'

const happenings = ['nothing', 'sale', 'dispute', 'sale and dispute'] as const
type Happening = (typeof happenings)[number]
/**
 * The keys of a request. `added`: the service's response; null: it was lost, and the import was
 * canceled or the user excluded the keys.
 */
type Request = { keys: readonly Happening[]; added: number | null; isExcluded?: boolean }
type Place = { importNumber: number; request: number; line: number }

const request: fc.Arbitrary<Request> = fc
  .record({
    keys: fc.array(fc.constantFrom(...happenings), { minLength: 1, maxLength: 5 }),
    added: fc.option(fc.nat(5)),
    isExcluded: fc.boolean(),
  })
  .map(({ added, ...more }) => ({
    ...more,
    added: added === null ? null : Math.min(added, more.keys.length),
  }))

const folder = temporaryFolder()
const soldAt = '2026-01-05T09:00:00.000Z'
let mirrors: MirrorFiles
let db: Database
let importNumber = 0
beforeAll(() => {
  mirrors = createMirrors(folder.path, [
    catalogueSchema,
    ...offersSchemas,
    ...importsSchemas,
    salesSchema,
    ...disputesSchemas,
  ])
  db = mirrors.database('11111111-1111-4111-8111-111111111111')
})
afterAll(() => {
  mirrors.close()
  folder.remove()
})

/** A key with its outcome, and what happened to it after its upload. */
function importKey(
  place: Place,
  fate: 'added' | 'duplicate' | 'unsure' | 'excluded' | 'in doubt',
  happening: Happening,
): void {
  const id = `${place.importNumber}.${place.line}`
  const fingerprint = createHash('sha256').update(id).digest()
  const record = {
    ...place,
    fingerprint: fingerprint.subarray(0, 16),
    product: 'p',
    offer: 0,
    file: 0,
    at: 1,
  }
  if (fate === 'in doubt') keyRecords(db).leaveInDoubt({ ...record, fate: 'unsure' })
  else keyRecords(db).settle({ ...record, fate })
  if (happening.startsWith('sale'))
    saleStore(db).put(
      saleFacts({
        id: `sal_${id}`,
        productId: 'p',
        name: 'Ironwharf',
        status: 'pending',
        soldAt,
      }),
      fingerprint,
      1,
      1,
      1,
    )
  if (happening.endsWith('dispute'))
    disputeStore(db).put(
      disputeFacts(
        { id: `dsp_${id}`, saleId: `sal_${id}`, status: 'open', openedAt: soldAt },
        `dsp_${id}`,
      ),
      { reason: null, fingerprint },
      1,
      1,
    )
}

/** An import of these requests on an offer of its own. */
function importRequests(requests: readonly Request[]): void {
  importNumber += 1
  db.prepare(
    `INSERT INTO imports (number, import_id, state, created_at, started_at, sums, problems)
      VALUES (?, ?, 'cancelled', 1, 1, '{}', '[]')`,
  ).run(importNumber, `imp_${importNumber}`)
  db.prepare(
    `INSERT INTO import_offers (import_number, position, offer_id, product, name, platform, region)
      VALUES (?, 0, ?, 'p', '', '', '')`,
  ).run(importNumber, `ofr_${importNumber}`)
  for (const [position, { keys, added, isExcluded = false }] of requests.entries()) {
    db.prepare(
      `INSERT INTO import_requests (import_number, position, offer, keys, frame, frame_offset,
        frame_length, idempotency_key, state, added) VALUES (?, ?, 0, ?, 0, 0, 0, ?, ?, ?)`,
    ).run(
      importNumber,
      position,
      keys.length,
      `${importNumber}.${position}`,
      added !== null ? 'settled' : isExcluded ? 'refused' : 'sent',
      added ?? 0,
    )
    const fates = { [keys.length]: 'added', 0: 'duplicate' } as const
    for (const [index, happening] of keys.entries())
      importKey(
        { importNumber, request: position, line: position * 10 + index },
        added !== null ? (fates[added] ?? 'unsure') : isExcluded ? 'excluded' : 'in doubt',
        happening,
      )
  }
}

/** The batch as its page shows it. */
async function readBatch() {
  const counted = await countBatches(db, async () => {})
  const counts = countsOf(counted, importNumber, 0)
  const batch = importedBatch(db, importNumber, 0)
  if (batch === null) throw new Error('no batch')
  const keys = keysOf(db, batch, counts)
  const { squares } = await squaresOf(db, { ...batch, keys }, linesOf(counts), async () => {})
  return {
    keys,
    sold: counts.sold + countUnreadSales(counts),
    claimed: counts.claims.length,
    squares,
    ...stockReader(db, counted)(batch.offerId).shareOf(batch),
  }
}

test.each([
  ['of a canceled import', false],
  ['that the user excluded', true],
])('counts a sold or disputed key %s as one of its batch’s keys', async (_of, isExcluded) => {
  importRequests([
    { keys: ['sale', 'nothing'], added: 2 },
    {
      keys: ['sale', 'dispute', 'nothing', 'sale and dispute', 'nothing'],
      added: null,
      isExcluded,
    },
  ])
  expect(await readBatch()).toEqual({
    keys: 5,
    sold: 4,
    claimed: 2,
    squares: 'snscc',
    sent: 0,
    forSale: 1,
  })
})

test('counts a key that an undo returned and the user excluded for its first import', async () => {
  importRequests([{ keys: ['sale'], added: 1 }])
  const first = importNumber
  const [record] = keyRecords(db).between(first, 0, 0, 0)
  if (record === undefined) throw new Error('no record')
  keyRecords(db).withdraw('p', [record.fingerprint], 2)
  keyRecords(db).settle({ ...record, importNumber: first + 1, fate: 'excluded', at: 3 })
  importNumber += 1
  undoStore(db).markReturn(importNumber, first, 0)
  const counted = await countBatches(db, async () => {})
  expect([first, importNumber].map((number) => countsOf(counted, number, 0).sold)).toEqual([1, 0])
})

test('shows no more sold or disputed keys of a batch than keys, whatever its responses @long', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 4 }), async (requests) => {
      importRequests(requests)
      const { keys, sold, claimed, forSale, squares } = await readBatch()
      expect(sold).toBeLessThanOrEqual(keys)
      expect(claimed).toBeLessThanOrEqual(keys)
      expect(sold + forSale).toBe(keys)
      expect(squares.replaceAll(/[^sc]/g, '')).toHaveLength(sold)
      // The report adds up added and undetermined lines.
      const sum = (from: readonly (number | null)[]): number =>
        from.reduce<number>((all, each) => all + (each ?? 0), 0)
      expect(keys).toBeGreaterThanOrEqual(sum(requests.map(({ added }) => added)))
      expect(keys).toBeLessThanOrEqual(
        sum(requests.map(({ keys: sent, added }) => (added === 0 ? 0 : sent.length))),
      )
    }),
    { numRuns: 60 },
  )
})
