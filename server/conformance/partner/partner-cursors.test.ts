import { afterAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { productPage } from '../../api/schemas/product.ts'
import { fieldsOf, startHarness } from '../testing/harness.ts'

const world = await startHarness()
const partner = await world.partner()
afterAll(() => world.close())

type Page = z.output<typeof productPage.strict>
const get = (query: string, key = partner.key) => world.as(key, `/v1/products${query}`)
const page = async (query: string): Promise<Page> =>
  productPage.strict.parse((await get(query)).json)
const change = (id: string, body: object) => world.dashboard.changeProduct({ params: { id }, body })
/** A separate platform for each test, so that its filter excludes other tests' products. */
const shelf = () => world.fresh('Shelf')

describe('a cursor', () => {
  it('belongs to its filters except limit and includeRemoved, and excludes page and updatedSince', async () => {
    const platform = shelf()
    const first = await world.product({ platform })
    await world.product({ platform })
    const { nextCursor } = await page(`?platform=${platform}&limit=1`)
    const cursor = encodeURIComponent(nextCursor ?? '')
    for (const more of [
      '',
      '&limit=7',
      '&includeRemoved=true',
      '&includeRemoved=false&limit=100',
    ]) {
      const next = await page(`?platform=${platform}&cursor=${cursor}${more}`)
      expect(next).toMatchObject({ page: null, total: null, totalPages: null, hasMore: false })
      expect(next.results.map(({ id }) => id)).not.toContain(first)
      expect(next.results).toHaveLength(1)
    }
    const refused: [string, string[]][] = [
      ['', ['cursor']],
      ['&platform=other', ['cursor']],
      [`&platform=${platform}&region=Global`, ['cursor']],
      [`&platform=${platform}&page=1`, ['page']],
      [`&platform=${platform}&updatedSince=2020-01-01T00:00:00Z`, ['updatedSince']],
      [`&platform=${platform}&page=1&updatedSince=2020-01-01T00:00:00Z`, ['page', 'updatedSince']],
    ]
    for (const [more, expected] of refused) {
      const answer = await get(`?cursor=${cursor}${more}`)
      expect([more, answer.code, fieldsOf(answer)]).toEqual([more, 'VALIDATION_ERROR', expected])
    }
    expect((await get(`?platform=${platform}&cursor=${cursor}&cursor=${cursor}`)).code).toBe(
      'VALIDATION_ERROR',
    )
  })

  it('comes with the last page and with an empty one, and later returns changes, including removals', async () => {
    const platform = shelf()
    const made = [await world.product({ platform }), await world.product({ platform })]
    const last = await page(`?platform=${platform}`)
    expect(last).toMatchObject({ hasMore: false, nextCursor: expect.any(String) })
    const at = (cursor: string | null) =>
      page(`?platform=${platform}&includeRemoved=true&cursor=${encodeURIComponent(cursor ?? '')}`)
    expect(await at(last.nextCursor)).toMatchObject({
      results: [],
      hasMore: false,
      nextCursor: last.nextCursor,
    })
    await change(made[0] ?? '', { removed: true })
    const news = await at(last.nextCursor)
    expect(news.results).toMatchObject([{ id: made[0], removed: true }])
    expect((await at(news.nextCursor)).results).toEqual([])
  })

  it('neither skips nor repeats products with the same updatedAt, which are ordered by id', async () => {
    const platform = shelf()
    const seller = await world.seller()
    const made: string[] = []
    for (let i = 0; i < 7; i += 1) made.push(await world.product({ platform }))
    for (const id of made.toReversed()) await world.offer(seller, id, 1000, 1)
    await world.dashboard.changeSeller({ params: { id: seller.id }, body: { status: 'suspended' } })
    const read: { id: string; updatedAt: string }[] = []
    for (let cursor = ''; ;) {
      const { results, nextCursor, hasMore } = await page(`?platform=${platform}&limit=2${cursor}`)
      read.push(...results)
      cursor = `&cursor=${encodeURIComponent(nextCursor ?? '')}`
      if (!hasMore) break
    }
    expect(new Set(read.map(({ updatedAt }) => updatedAt))).toHaveProperty('size', 1)
    expect(read.map(({ id }) => id)).toEqual(made.toSorted())
  })

  it("from another account has the same position: prices differ, positions don't", async () => {
    const platform = shelf()
    await world.product({ platform })
    const second = await world.product({ platform })
    const other = await world.partner({ priceFactor: 2 }, { balance: 0 })
    const { nextCursor } = await page(`?platform=${platform}&limit=1`)
    const answer = await get(
      `?platform=${platform}&cursor=${encodeURIComponent(nextCursor ?? '')}`,
      other.key,
    )
    expect(productPage.strict.parse(answer.json).results.map(({ id }) => id)).toEqual([second])
  })

  it('neither skips nor repeats while writers change, remove and add products between its pages', async () => {
    const platform = shelf()
    const all = []
    for (let i = 0; i < 12; i += 1) all.push(await world.product({ platform }))
    const seen = new Map<string, string>()
    let cursor = ''
    let step = 0
    for (let more = true; more; step += 1) {
      const { results, nextCursor, hasMore } = await page(
        `?platform=${platform}&includeRemoved=true&limit=2` +
          (cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`),
      )
      for (const { id, updatedAt } of results) {
        expect([id, seen.get(id)]).not.toEqual([id, updatedAt])
        seen.set(id, updatedAt)
      }
      cursor = nextCursor ?? ''
      more = hasMore
      if (step === 1) await change(all[0] ?? '', { name: 'read already' })
      if (step === 2) await change(all[11] ?? '', { name: 'not read yet' })
      if (step === 3) await change(all[1] ?? '', { removed: true })
      if (step === 4) all.push(await world.product({ platform }))
    }
    const now = (await page(`?platform=${platform}&includeRemoved=true&limit=100`)).results
    expect(Object.fromEntries(seen)).toEqual(
      Object.fromEntries(now.map(({ id, updatedAt }) => [id, updatedAt])),
    )
    expect(now).toHaveLength(all.length)
  })
})
