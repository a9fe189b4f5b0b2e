import { expect, test } from 'vitest'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { offersSchemas } from '../offers.ts'
import { createBulkResults } from './results.ts'
import { bulkStore } from './store.ts'

const LINES = 1200
const state = {
  priceCents: null,
  customerCents: null,
  status: null,
  stock: null,
  leads: null,
  aheadCents: null,
}

test('exports each line of a bulk change once while its lines are sent', async () => {
  const folder = temporaryFolder()
  const mirrors = createMirrors(folder.path, [catalogueSchema, ...offersSchemas])
  const store = bulkStore(mirrors.database('11111111-1111-4111-8111-111111111111'))
  const offerIds = Array.from({ length: LINES }, (_, at) => `off_${String(at).padStart(5, '0')}`)
  const about = { name: 'Ironwharf', platform: '', region: '', deliveryType: 'key' }
  const bulk = await store.write(
    { bulkId: 'bulk', kind: 'price', title: 'Prices', undoes: null, startedAt: 1 },
    offerIds.map((subjectId) => ({ subjectId, ...about, before: state, after: state })),
  )
  const { export: exportResults } = createBulkResults({ storeOf: () => store })
  const exporting = exportResults({ accountId: 'a', bulkId: 'bulk' })
  // Lines that are done follow those that wait.
  store.transaction(() => {
    for (let line = 0; line < 500; line += 1)
      store.settle({ number: bulk.number, line }, 'done', null, 2)
  })
  const { text, rows } = await exporting
  expect(rows).toBe(LINES)
  expect((text.match(/off_\d{5}/g) ?? []).toSorted()).toEqual(offerIds)
  mirrors.close()
  folder.remove()
})
