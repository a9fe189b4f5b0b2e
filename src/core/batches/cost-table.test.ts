import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { type CostLine, MOST_COST_LINES } from '../../contract/keys/cost-table.ts'
import { costParts, type CostTarget, readCostTable } from './cost-table.ts'

const edition = { platform: 'Steam', region: 'Global', deliveryType: 'key' }
const targets: Record<string, CostTarget> = {
  off_1: { of: 'offer', id: 'off_1', name: 'Cinderkeep', ...edition, beforeCents: cents(100) },
  'imp.0': {
    of: 'batch',
    id: 'imp.0',
    name: 'Import 1, Cinderkeep',
    ...edition,
    beforeCents: null,
  },
}
const read = (text: string) => readCostTable(text, (id) => targets[id] ?? null)
const reasons = async (text: string) =>
  (await read(text)).lines.map(({ line, reason }) => [line, reason])

test('reads costs of offers and batches, and says why a line can’t be used', async () => {
  const { lines, left } = await read(
    'offer,cost\noff_1,3.20\nimp.0,"1,10"\n\nunknown,1\noff_1,2\n,5',
  )
  expect(left).toBe(0)
  expect(lines).toMatchObject([
    { line: 2, target: { of: 'offer', beforeCents: 100 }, costCents: 320, reason: null },
    { line: 3, target: { of: 'batch', beforeCents: null }, costCents: 110, reason: null },
    { line: 5, target: null, reason: 'No offer or batch on this computer has this id.' },
    { line: 6, costCents: 200, reason: 'Line 2 has the same id.' },
    { line: 7, target: null, reason: 'The offer or batch is missing.' },
  ])
})

test.each([
  ['off_1', 'The cost is missing.'],
  ['off_1,abc', 'The cost isn’t an amount in EUR.'],
  ['off_1,1.234', 'The cost has more than two decimals.'],
  ['off_1,-1', 'The cost must be between 0.00 and 100,000.00.'],
  ['off_1,100000.01', 'The cost must be between 0.00 and 100,000.00.'],
  ['off_1,100000', null],
  ['off_1,0', null],
])('a line %s: %s', async (line, reason) => {
  expect(await reasons(line)).toEqual([[1, reason]])
})

test('finds the columns of the exported table of offers', async () => {
  const text =
    'Offer id;Product id;Product;Price EUR;Cost EUR\r\noff_1;prd_1;Cinderkeep;9,99;4,50\r\n'
  expect((await read(text)).lines).toMatchObject([{ line: 2, costCents: 450, reason: null }])
})

test('every line that isn’t empty has one result, whatever it contains', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z0-9_.;\- ]{0,20}$/), { maxLength: 20 }),
      async (rows) => {
        const { lines } = await read(rows.join('\n'))
        expect(lines.length).toBeLessThanOrEqual(rows.length)
        for (const { target, costCents, reason } of lines)
          if (reason === null) expect([target, costCents]).not.toContain(null)
      },
    ),
  )
})

test('returns a long table in small parts, and one part of an empty table', async () => {
  const long = await read('off_1,1\n'.repeat(MOST_COST_LINES + 3))
  const lines: CostLine[] = []
  for await (const part of costParts(long)) {
    expect(part.lines.length).toBeLessThanOrEqual(500)
    expect(part.left).toBe(3)
    lines.push(...part.lines)
  }
  expect(lines).toEqual(long.lines)
  expect(lines).toHaveLength(MOST_COST_LINES)
  const parts = []
  for await (const part of costParts(await read(''))) parts.push(part)
  expect(parts).toEqual([{ lines: [], left: 0 }])
})
