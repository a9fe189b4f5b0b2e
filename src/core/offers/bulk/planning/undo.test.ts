import { expect, test } from 'vitest'
import { catalogueSchema } from '../../../catalogue/catalogue.ts'
import { createMirrors } from '../../../mirror/files/mirrors.ts'
import { temporaryFolder } from '../../../testing/context.ts'
import { offersSchemas } from '../../offers.ts'
import type { StoredLine } from '../store.ts'
import { planUndo } from './undo.ts'

const state = {
  priceCents: null,
  customerCents: null,
  status: null,
  stock: null,
  leads: null,
  aheadCents: null,
}

test('reads the lines of a long bulk change in pieces, with other work in between', async () => {
  const folder = temporaryFolder()
  const mirrors = createMirrors(folder.path, [catalogueSchema, ...offersSchemas])
  let reads = 0
  function* done(): Generator<StoredLine> {
    for (let line = 0; line < 1200; line += 1) {
      reads += 1
      const about = { name: 'Ironwharf', platform: '', region: '', deliveryType: 'key' }
      const subjectId = `off_${line}`
      yield { number: 1, line, subjectId, ...about, before: state, after: state, state: 'done' }
    }
  }
  const planning = planUndo(
    {
      db: mirrors.database('11111111-1111-4111-8111-111111111111'),
      limits: () => ({ floorCents: null, ceilingCents: null }),
      guardPercent: 0,
    },
    done(),
  )
  expect(reads).toBe(500)
  const { lines, summary } = await planning
  expect(lines.map(({ subjectId }) => subjectId)).toEqual(
    Array.from({ length: 1200 }, (_, line) => `off_${line}`),
  )
  expect(summary.leftOut).toBe(1200)
  mirrors.close()
  folder.remove()
})
