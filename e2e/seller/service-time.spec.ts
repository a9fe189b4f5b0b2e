import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { DAY_MS } from '../../server/api/time.ts'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun } from '../pages/shell.ts'
import { claimSome, createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { go } from '../support/keyboard.ts'
import type { ExternalService } from '../support/service.ts'
import { Shop } from '../support/shop.ts'

test.use({ timezoneId: 'Europe/Berlin' })

/** Five hours before summer time begins in Berlin the next time, from now in milliseconds. */
function untilSummerTime(): number {
  const begins = (year: number): number => {
    const lastOfMarch = new Date(Date.UTC(year, 2, 31, 1))
    return lastOfMarch.getTime() - lastOfMarch.getUTCDay() * DAY_MS
  }
  const year = new Date().getUTCFullYear()
  const next = [begins(year), begins(year + 1)].find((at) => at > Date.now() + DAY_MS) ?? 0
  return next - 5 * 3_600_000 - Date.now()
}

const cases = [
  { who: 'the service’s clock is two weeks ahead', serviceMs: 14 * DAY_MS, computerMs: 0 },
  { who: 'this computer’s clock is two weeks ahead', serviceMs: 0, computerMs: 14 * DAY_MS },
  { who: 'this computer’s clock is two weeks behind', serviceMs: 0, computerMs: -14 * DAY_MS },
  {
    who: 'the clocks differ by four weeks',
    serviceMs: 14 * DAY_MS,
    computerMs: -14 * DAY_MS,
  },
  {
    who: 'summer time begins before a deadline',
    serviceMs: untilSummerTime(),
    computerMs: untilSummerTime(),
  },
]
/** A day as Today writes it, in the time zone of the browser. */
const dayText = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'Europe/Berlin',
  }).format(at)
/** `24 Nov`, of a day of the service. */
const serviceDay = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(at)
    .replace('Sept', 'Sep')

/** No time on a page is wrong by the difference of the clocks: nothing here lasts ten days. */
async function expectPlausibleSpans(page: Page): Promise<void> {
  const text = await page.getByRole('main').innerText()
  expect(text.match(/\b\d{2,} d \d+ h\b/g) ?? [], page.url()).toEqual([])
}

async function checkSellerPages(page: Page, now: () => number): Promise<void> {
  await go(page, 't', 'Today')
  await expect(page.getByText(dayText(now()), { exact: true })).toBeVisible()
  await expect(page.getByLabel('The shop today')).toContainText(/[1-9]\d* sales?/)
  await expect(
    page
      .getByRole('table', { name: 'Needs attention' })
      .getByRole('rowgroup', { name: 'Disputes' }),
  ).toContainText(/ ?2 d \d+ h left/)
  const earned = page.getByRole('figure', { name: 'Earned in 30 days' })
  await earned.getByRole('button', { name: 'Show as table' }).click()
  await expect(earned.getByRole('row').last()).not.toContainText(/ 0$/)
  await page.getByRole('button', { name: 'Support' }).click()
  await expect(page.getByLabel('Disputes today').getByText('Opened today')).toBeVisible()
  await expect(page.getByLabel('Disputes today')).toContainText(/Opened today\s*[1-9]/)
  await expectPlausibleSpans(page)
  for (const [letter, heading] of [
    ['o', 'Offers'],
    ['i', 'Import keys'],
    ['h', 'Import history'],
    ['p', 'Price watch'],
    ['d', 'Disputes'],
    ['e', 'Sales and balance'],
    ['c', 'Catalogue'],
    ['x', 'Queued changes'],
    ['a', 'Activity'],
    ['s', 'Settings'],
  ] as const) {
    await go(page, letter, heading)
    await expectPlausibleSpans(page)
  }
  const calendar = page.getByRole('group', { name: 'Releases by day' })
  await go(page, 'e', 'Sales and balance')
  const day = new Date(now()).getUTCDate()
  // With a release on that day, its amount follows.
  await expect(calendar.locator('[data-today]')).toHaveText(
    new RegExp(`^${day}(?:$|[\\d,]+EUR on ${day} )`),
  )
  await page.evaluate(() => {
    location.hash = '/disputes/report'
  })
  const trend = page.getByRole('figure', { name: 'Disputes opened' })
  await trend.getByRole('button', { name: 'Show as table' }).click()
  await expect(trend.getByRole('row').last()).toContainText(serviceDay(now()))
  await expect(trend.getByRole('row').last()).not.toContainText(/ 0$/)
  await go(page, 'k', 'Key history')
  await expectPlausibleSpans(page)
}

async function checkPartnerPages(page: Page, now: () => number): Promise<void> {
  await go(page, 't', 'Today')
  await expect(page.getByText(dayText(now()), { exact: true })).toBeVisible()
  await expect(page.getByLabel('Balance and orders')).toContainText(/[1-9]\d* orders?/)
  const paid = page.getByRole('figure', { name: 'Paid in 30 days, EUR' })
  await paid.getByRole('button', { name: 'Show as table' }).click()
  await expect(paid.getByRole('row').last()).toContainText(serviceDay(now()))
  await go(page, 'o', 'Orders')
  const order = page.getByRole('grid', { name: 'Orders' }).getByRole('row', { name: /sold-now/ })
  await expect(order).toContainText(/today, \d\d:\d\d/)
  for (const [letter, heading] of [
    ['k', 'Keys'],
    ['l', 'Claims'],
    ['b', 'Balance'],
    ['c', 'Catalogue'],
    ['w', 'Webhook inspector'],
    ['a', 'Activity'],
  ] as const) {
    await go(page, letter, heading)
    await expectPlausibleSpans(page)
  }
}

/** Two sales of now, one of them disputed, and the days until the money of a sale is released. */
async function sellTwo(service: ExternalService, key: string, partnerKey: string): Promise<number> {
  const { productId, offerId } = await createOffer(service, key, 'Quarry of Glass')
  await service.seller(key, 'POST', `/offers/${offerId}/keys`, {
    keys: ['SOLDK-10000-WHARF', 'SOLDK-10001-WHARF'],
  })
  await claimSome(service, productId, 1)
  await service.partner(partnerKey, 'POST', '/orders?wait=10', {
    externalId: 'sold-now',
    items: [{ productId, qty: 1, maxUnitPrice: 10 }],
  })
  const { results } = (await service.seller(key, 'GET', '/sales?limit=1')) as {
    results: { releaseAt: string; soldAt: string }[]
  }
  const [{ releaseAt, soldAt } = { releaseAt: '', soldAt: '' }] = results
  return Math.round((Date.parse(releaseAt) - Date.parse(soldAt)) / DAY_MS)
}

for (const { who, serviceMs, computerMs } of cases)
  test(`every page shows the service’s time when ${who} @long`, async ({ harness, page }) => {
    test.setTimeout(120_000)
    const shop = await Shop.open(harness)
    const { service, key } = shop
    if (serviceMs > 0) await service.dashboard('POST', '/clock/advance', { ms: serviceMs })
    const partner = await service.issueKey('partners')
    const days = await sellTwo(service, key, partner.key)
    const now = (): number => Date.now() + serviceMs
    Object.assign(harness.environment, {
      NODE_OPTIONS: `--import=${new URL('../support/shift-clock.ts', import.meta.url).href}`,
      KEYDESK_TEST_SHIFT_MS: String(computerMs),
    })
    await page.clock.install({ time: Date.now() + computerMs })
    await shop.connect(harness, page)
    const disputes = new DisputesPage(page)
    await disputes.goThere()
    const row = disputes.list.getByRole('button', { name: /Quarry of Glass/ })
    await expect(row).toContainText('2 d 23 h')
    await go(page, 'e', 'Sales and balance')
    const sold = page.getByRole('grid', { name: 'Sales' }).getByRole('row', { name: /Quarry/ })
    await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: '7 d' }).click()
    await expect(sold).toHaveCount(2)
    await expect(sold.first()).toContainText(/today, \d\d:\d\d/)
    await expect(sold.filter({ hasText: `Pending, ${days} d` })).toHaveCount(1)
    await checkSellerPages(page, now)
    await disputes.act('Connect an account')
    await new FirstRun(page).connect(partner.key, service.baseUrl, 'Northgate')
    await checkPartnerPages(page, now)
    await service.stop()
  })
