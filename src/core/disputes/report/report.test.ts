import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { disputeFacts } from '../sync/facts.ts'
import { buildReport } from './report.ts'
import { disputesSchemas } from '../schema.ts'
import { disputeStore } from '../store.ts'

test('counts every dispute of the period once, also if many were opened at the same moment', async () => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'mirror.db'), [catalogueSchema, ...disputesSchemas])
  const store = disputeStore(db)
  const day = Date.UTC(2026, 0, 5)
  store.transaction(() => {
    for (let at = 0; at < 900; at += 1) {
      // Three hundred at each of three moments; the last moment is outside the period.
      const openedAt = new Date(day + Math.floor(at / 300) * 1000).toISOString()
      store.put(
        disputeFacts(
          {
            id: `dsp_${at}`,
            saleId: `sal_${at}`,
            productId: `p${at % 2}`,
            name: `Ironwharf ${at % 2}`,
            status: at % 3 === 0 ? 'open' : 'resolved',
            openedAt,
            ...(at % 3 === 0 ? {} : { resolution: { type: 'replaced', at: openedAt } }),
          },
          `dsp_${at}`,
        ),
        { reason: null, fingerprint: null },
        1,
        1,
      )
    }
  })
  let rests = 0
  const report = await buildReport(
    db,
    day,
    day + 2000,
    ({ saleId }) =>
      saleId === 'sal_7' ? { batchId: 'b', batchName: 'October', supplier: 'Kestrel' } : null,
    () => {
      rests += 1
      return Promise.resolve()
    },
  )
  expect(report).toMatchObject({
    claims: 600,
    outcome: { replaced: 400, open: 200 },
    byProduct: [{ claims: 300 }, { claims: 300 }],
    byBatch: [
      { name: 'Unknown', claims: 599 },
      { name: 'October', claims: 1 },
    ],
  })
  expect(rests).toBeGreaterThan(1)
  db.close()
  folder.remove()
})

test('adds up: rows beyond the largest are one row, and the trend counts every dispute once', async () => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'mirror.db'), [catalogueSchema, ...disputesSchemas])
  const store = disputeStore(db)
  const from = Date.UTC(2026, 0, 1)
  const day = 86_400_000
  const claims = 130
  store.transaction(() => {
    for (let at = 0; at < claims; at += 1)
      store.put(
        disputeFacts(
          {
            id: `dsp_${at}`,
            productId: `p${at}`,
            name: `Product ${at}`,
            status: 'open',
            openedAt: new Date(from + (at % 30) * day).toISOString(),
          },
          `dsp_${at}`,
        ),
        { reason: null, fingerprint: null },
        1,
        1,
      )
  })
  const report = await buildReport(
    db,
    from,
    from + 30 * day,
    () => null,
    () => Promise.resolve(),
  )
  expect(report.byProduct).toHaveLength(101)
  expect(report.byProduct.at(-1)).toMatchObject({ key: 'others', name: '30', claims: 30, open: 30 })
  expect(report.total).toMatchObject({ claims, open: claims })
  expect([report.trend.length, report.trend[0]?.claims, report.trend[29]?.claims]).toEqual([
    30, 5, 4,
  ])
  expect(report.trend.reduce((sum, step) => sum + step.claims, 0)).toBe(claims)
  db.close()
  folder.remove()
})
