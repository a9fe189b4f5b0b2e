import { createHash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueSchema } from '../catalogue/catalogue.ts'
import { createChanges } from '../changes.ts'
import { disputeFacts } from '../disputes/sync/facts.ts'
import { disputesSchemas } from '../disputes/disputes.ts'
import { disputeStore } from '../disputes/store.ts'
import { createScope } from '../lifecycle/lifecycle.ts'
import { importsSchemas, keyRecords } from '../key-import/key-import.ts'
import { createMirrors } from '../mirror/files/mirrors.ts'
import type { MirrorFiles } from '../mirror/files/mirrors.ts'
import { saleFacts } from '../sales/sync/facts.ts'
import { salesSchema } from '../sales/sales.ts'
import { saleStore } from '../sales/store.ts'
import { temporaryFolder } from '../testing/context.ts'
import { until } from '../testing/core.ts'
import { manualClock } from '../testing/manual-clock.ts'
import {
  areEqual,
  batchesWithDisputes,
  countBatches,
  countsOf,
  recountDispute,
} from './counting.ts'
import { createCountCache } from './count-cache.ts'

const KEYS = 24
const fingerprint = (key: number): Buffer => createHash('sha256').update(String(key)).digest()
const folder = temporaryFolder()
let mirrors: MirrorFiles
let db: Database

/**
 * Puts a dispute about a sale, concerning the sold key or another one; null removes the dispute.
 */
function claim(number: number, about: number, state: 'open' | 'replaced' | null): void {
  const id = `dsp_${number}`
  if (state === null) return disputeStore(db).drop(id)
  disputeStore(db).put(
    disputeFacts(
      {
        id,
        saleId: `sal_${number}`,
        status: state === 'open' ? 'open' : 'resolved',
        openedAt: new Date(1_700_000_000_000 + number * 1000).toISOString(),
        ...(state === 'open'
          ? {}
          : { resolution: { type: state, at: '2026-01-06T09:00:00.000Z' } }),
      },
      id,
    ),
    { reason: null, fingerprint: about === number ? null : fingerprint(about) },
    1,
    1,
  )
}
const rest = (): Promise<void> => Promise.resolve()

/** Three batches of eight keys each, all of them sold. */
beforeAll(() => {
  mirrors = createMirrors(folder.path, [
    catalogueSchema,
    ...importsSchemas,
    salesSchema,
    ...disputesSchemas,
  ])
  db = mirrors.database('11111111-1111-4111-8111-111111111111')
  for (let key = 0; key < KEYS; key += 1) {
    keyRecords(db).settle({
      fingerprint: fingerprint(key).subarray(0, 16),
      product: 'p',
      importNumber: 1 + Math.floor(key / 8),
      offer: 0,
      request: 0,
      file: 0,
      line: key,
      fate: 'added',
      at: 1,
    })
    saleStore(db).put(
      saleFacts({
        id: `sal_${key}`,
        productId: 'p',
        name: 'Ironwharf',
        status: 'pending',
        soldAt: '2026-01-05T09:00:00.000Z',
      }),
      fingerprint(key),
      1,
      1,
      1,
    )
  }
})
afterAll(() => {
  mirrors.close()
  folder.remove()
})

test('counts disputes one by one to the same result as a full count', async () => {
  const change = fc.tuple(
    fc.nat(KEYS - 1),
    fc.nat(KEYS - 1),
    fc.constantFrom('open', 'replaced', null),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const counted = await countBatches(db, rest)
      for (const [number, about, state] of changes) {
        claim(number, about, state)
        recountDispute(db, counted, `dsp_${number}`)
      }
      const anew = await countBatches(db, rest)
      for (const number of [1, 2, 3])
        expect(countsOf(counted, number, 0)).toEqual(countsOf(anew, number, 0))
      expect(areEqual(counted, anew)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('counts a dispute about a replacement for that key’s batch, and finds batches by disputes', async () => {
  for (let key = 0; key < KEYS; key += 1) claim(key, key, null)
  claim(0, 0, 'replaced')
  claim(1, 20, 'open')
  const counted = await countBatches(db, rest)
  expect(
    [1, 2, 3].map((number) =>
      countsOf(counted, number, 0).claims.map(({ claim: { disputeId } }) => disputeId),
    ),
  ).toEqual([['dsp_0'], [], ['dsp_1']])
  expect(batchesWithDisputes(counted, 1)).toEqual([
    { importNumber: 1, offer: 0 },
    { importNumber: 3, offer: 0 },
  ])
  expect(batchesWithDisputes(counted, 2)).toEqual([])
})

test('returns the last count of a large account while it recounts, and notifies when the result changed', async () => {
  const changes = createChanges()
  const clock = manualClock()
  const scope = createScope({ clock, report: () => {} })
  const told: (string | null)[] = []
  void (async () => {
    for await (const { topic, id } of changes.listen(scope.signal))
      if (topic === 'imports') told.push(id)
  })()
  const counts = createCountCache(
    {
      changes,
      clock,
      report: (_where, error) => {
        throw error
      },
    },
    { db, files: Object.assign(scope, { accountId: 'a' }), many: 1 },
  )
  const soldOf = async (): Promise<number> => countsOf(await counts.read(), 1, 0).sold
  expect(await soldOf()).toBe(8)
  saleStore(db).put(
    saleFacts({
      id: 'sal_0',
      productId: 'p',
      name: 'Ironwharf',
      status: 'cancelled',
      soldAt: '2026-01-05T09:00:00.000Z',
    }),
    fingerprint(0),
    1,
    1,
    1,
  )
  disputeStore(db).drop('dsp_0')
  db.prepare("DELETE FROM sale_disputes WHERE sale_id = 'sal_0'").run()
  changes.notify('sales', 'a')
  expect(await until(soldOf, (sold) => sold === 7)).toBe(7)
  await until(
    () => told,
    (ids) => ids.length > 0,
  )
  expect(told).toEqual(['counts'])
  await scope.end()
})
