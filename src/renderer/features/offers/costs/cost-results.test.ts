import { expect, it } from 'vitest'
import { cents } from '../../../../../server/api/money.ts'
import type { CostLine } from '../../../../contract/keys/cost-table.ts'
import { changesIn, costResultOf, costsCsv, savedKey } from './cost-results.ts'

const line = (at: number, id: string, some: Partial<CostLine> = {}): CostLine => ({
  line: at,
  target: {
    of: 'offer',
    id,
    name: 'Cinderkeep',
    platform: 'Steam',
    region: 'Europe',
    deliveryType: 'key',
    beforeCents: cents(100),
  },
  text: `${id}, 3.20`,
  costCents: cents(320),
  reason: null,
  ...some,
})
const lines = [
  line(2, 'off_1'),
  line(3, 'off_2', { costCents: cents(100) }),
  line(4, 'off_3'),
  line(5, 'x', { target: null, reason: 'No offer or batch on this computer has this id.' }),
]
const saved = new Set([savedKey({ of: 'offer', id: 'off_1' })])

it('saves what changes, and reports an offer that was gone by then as not saved', () => {
  expect(changesIn(lines).map(({ id }) => id)).toEqual(['off_1', 'off_3'])
  expect(lines.map((each) => costResultOf(each, saved))).toEqual([
    'changed',
    'same',
    'skipped',
    'rejected',
  ])
})

it('exports a result per line with its product, both costs and the reason', () => {
  expect(costsCsv(lines, saved).trim().split('\r\n').slice(1)).toEqual([
    '2,off_1,Cinderkeep,Steam,Europe,key,1.00,3.20,Saved,,"off_1, 3.20"',
    '3,off_2,Cinderkeep,Steam,Europe,key,1.00,1.00,No change,,"off_2, 3.20"',
    '4,off_3,Cinderkeep,Steam,Europe,key,1.00,3.20,Not saved,' +
      '"It is no longer on this computer, or already had this cost.","off_3, 3.20"',
    '5,,,,,,,3.20,Rejected,No offer or batch on this computer has this id.,"x, 3.20"',
  ])
})
