import { expect } from '@playwright/test'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'
import type { ServiceOffer } from '../support/service.ts'

/** Enough for a kill in the middle; `npm run soak -- reprice` changes many more. */
const lots = 1500
/** Parallel requests while filling the service. */
const atOnce = 16

/** All offers of a seller, page by page, directly from the service. */
async function allOffers(service: ExternalService, key: string): Promise<ServiceOffer[]> {
  const found: ServiceOffer[] = []
  for (let page = 1; ; page += 1) {
    const { results, hasMore } = (await service.seller(
      key,
      'GET',
      `/offers?limit=100&page=${page}`,
    )) as { results: ServiceOffer[]; hasMore: boolean }
    found.push(...results)
    if (!hasMore) return found
  }
}

/** Creates offers for products the seller doesn't offer, until there are `count`. */
async function offerMany(service: ExternalService, key: string, count: number): Promise<void> {
  const own = new Set((await allOffers(service, key)).map(({ productId }) => productId))
  const wanted: string[] = []
  for (let page = 1; own.size + wanted.length < count; page += 1) {
    const { results } = (await service.seller(key, 'GET', `/products?limit=100&page=${page}`)) as {
      results: { productId: string }[]
    }
    wanted.push(
      ...results
        .map(({ productId }) => productId)
        .filter((productId) => !own.has(productId))
        .slice(0, count - own.size - wanted.length),
    )
  }
  for (let from = 0; from < wanted.length; from += atOnce) {
    await Promise.all(
      wanted
        .slice(from, from + atOnce)
        .map((productId) => service.seller(key, 'POST', '/offers', { productId, price: 10 })),
    )
  }
}

/** Runs next to the console, and would otherwise outlive the test. */
let service: ExternalService | undefined
test.afterEach(async () => {
  await service?.stop()
})

test(
  're-prices many offers exactly once while Keydesk is killed midway',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(540_000)
    // A sandbox without rate limits, so that the console isn't limited either.
    const running = new ExternalService(harness.home, lots + 100, ['--no-limits'])
    service = running
    await running.start()
    const { key } = await running.issueKey('sellers')
    await offerMany(running, key, lots)
    const before = await allOffers(running, key)
    expect(before).toHaveLength(lots)
    const proxy = await startFaultyProxy(running.baseUrl)
    const asked: string[] = []
    proxy.served = ({ method, path, status }) => {
      if (method === 'PATCH' && status === 200) asked.push(path)
    }
    const count = new Intl.NumberFormat('en-GB').format(lots)

    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, proxy.baseUrl, 'Kestrel Keys')
    await expect(page.getByRole('button', { name: new RegExp(`^All ${count}`) })).toBeVisible({
      timeout: 60_000,
    })

    await test.step('select all offers, type the rule, and see every change before anything is sent', async () => {
      await page.getByRole('button', { name: 'Re-price…' }).first().click()
      const dialog = page.getByRole('dialog', { name: new RegExp(`^Re-price ${count} offers`) })
      await dialog.getByText('By amount').click()
      await dialog.getByRole('textbox', { name: 'Amount in EUR' }).fill('0.07')
      await expect(
        dialog.getByRole('button', { name: new RegExp(`^Change ${count} prices`) }),
      ).toBeEnabled({ timeout: 30_000 })
      await expect(dialog.getByRole('grid', { name: 'Planned changes' })).toHaveAttribute(
        'aria-rowcount',
        String(lots + 1),
      )
      expect(asked).toEqual([])
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('Prices +0.07: started')).toBeVisible()
    })

    await test.step('kill Keydesk midway; it resumes automatically', async () => {
      await expect(async () => expect(asked.length).toBeGreaterThan(lots / 10)).toPass({
        timeout: 120_000,
        intervals: [20],
      })
      await harness.end('SIGKILL')
      expect(asked.length, 'killed midway').toBeLessThan(lots)
      await page.goto(await harness.start())
      await new Shell(page).enterKey(key)
      await expect(async () => expect(asked.length).toBeGreaterThanOrEqual(lots)).toPass({
        timeout: 300_000,
      })
    })

    await test.step('each price was changed once, and the result says so', async () => {
      await new Shell(page).open('Offers')
      await page.getByRole('button', { name: 'More: export, copy, changes' }).click()
      await page.getByRole('menuitem', { name: /^Prices \+0\.07/ }).click()
      await expect(page.getByRole('dialog').getByText(`${count} of ${count} done`)).toBeVisible({
        timeout: 30_000,
      })
      expect(asked.length).toBe(lots)
      expect(new Set(asked).size).toBe(lots)
      const after = new Map((await allOffers(running, key)).map((offer) => [offer.id, offer.price]))
      for (const { id, price } of before)
        expect(Math.round((after.get(id) ?? 0) * 100)).toBe(Math.round(price * 100) + 7)
    })
    await proxy.close()
  },
)
