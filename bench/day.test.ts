import { expect, test } from 'vitest'
import benchDay, { dayParts } from './day.ts'

test('the benchmark of a day measures each of its parts', async () => {
  const figures = await benchDay({
    log: () => {},
    parts: dayParts,
    sizes: {
      world: { products: 1400, offers: 450, sales: 300, disputes: 10, keysPerOffer: 2 },
      pasted: [450],
      prices: 8,
      idle: { accounts: 1, settleS: 0, seconds: 1 },
      hours: { sales: 18, disputes: 2, looks: 50, steps: 2 },
    },
  })
  expect(figures.world).toMatchObject({ offers: 450, sales: 300, disputes: 10 })
  expect(Object.keys(figures.pages?.actions ?? {})).toContain('csv of the sales')
  expect(figures.prices?.offers).toBe(8)
  expect(figures.bulk?.predictions).toHaveLength(4)
  expect(figures.idle?.accounts).toBe(1)
  expect(figures.hours?.late.page).toBeGreaterThan(0)
}, 180_000)
