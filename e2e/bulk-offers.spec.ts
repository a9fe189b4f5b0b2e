import { expect } from '@playwright/test'
import { startFaultyProxy } from '../src/core/testing/faulty-proxy.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/desk.ts'
import { Service } from './support/service.ts'
import type { ServiceOffer } from './support/service.ts'

const lots = 5000
/** Requests on their way at once while the service is filled. */
const atOnce = 16

/** All offers of a seller, page by page, past the console. */
async function allOffers(service: Service, key: string): Promise<ServiceOffer[]> {
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

/** Offers products that the seller doesn't offer yet, until there are so many. */
async function offerMany(service: Service, key: string, count: number): Promise<void> {
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

/** Runs beside the console, and outlives the test otherwise. */
let service: Service | undefined
test.afterEach(async () => {
  await service?.stop()
})

test('thousands of offers are re-priced while Keydesk is killed in the middle, each exactly once', async ({
  desk,
  page,
}) => {
  test.setTimeout(540_000)
  // A sandbox that counts no requests, so that the console need not either.
  const running = new Service(desk.home, lots + 100, ['--no-limits'])
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

  await page.goto(await desk.start())
  await new FirstRun(page).connect(key, proxy.baseUrl, 'Kestrel Keys')
  await expect(page.getByRole('button', { name: new RegExp(`^All ${count}`) })).toBeVisible({
    timeout: 60_000,
  })

  await test.step('all are chosen, the rule is typed, every line is shown before anything is sent', async () => {
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

  await test.step('Keydesk is killed in the middle and goes on by itself', async () => {
    await expect(async () => expect(asked.length).toBeGreaterThan(lots / 10)).toPass({
      timeout: 120_000,
      intervals: [20],
    })
    await desk.end('SIGKILL')
    expect(asked.length, 'it was in the middle').toBeLessThan(lots)
    await page.goto(await desk.start())
    await new Shell(page).enterKey(key)
    await expect(async () => expect(asked.length).toBeGreaterThanOrEqual(lots)).toPass({
      timeout: 300_000,
    })
  })

  await test.step('each price was changed once, and the result says so', async () => {
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
})
