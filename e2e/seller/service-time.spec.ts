import { expect } from '@playwright/test'
import { DAY_MS } from '../../server/api/time.ts'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun } from '../pages/shell.ts'
import { claimSome, createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

const cases = [
  { who: 'the service’s clock is two weeks ahead', serviceMs: 14 * DAY_MS, computerMs: 0 },
  { who: 'this computer’s clock is two weeks ahead', serviceMs: 0, computerMs: 14 * DAY_MS },
]

/** Two sales of now, one of them disputed, and the days until the money of a sale is released. */
async function sellTwo(service: ExternalService, key: string): Promise<number> {
  const { productId, offerId } = await createOffer(service, key, 'Quarry of Glass')
  await service.seller(key, 'POST', `/offers/${offerId}/keys`, {
    keys: ['SOLDK-10000-WHARF', 'SOLDK-10001-WHARF'],
  })
  await claimSome(service, productId, 1)
  const partner = await service.issueKey('partners')
  await service.partner(partner.key, 'POST', '/orders?wait=10', {
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
  test(`deadlines, releases and periods are right when ${who}`, async ({ harness, page }) => {
    const service = new ExternalService(harness.home, 40, ['--no-limits'])
    await service.start()
    if (serviceMs > 0) await service.dashboard('POST', '/clock/advance', { ms: serviceMs })
    const { key } = await service.issueKey('sellers')
    const days = await sellTwo(service, key)
    Object.assign(harness.environment, {
      NODE_OPTIONS: `--import=${new URL('../support/shift-clock.ts', import.meta.url).href}`,
      KEYDESK_TEST_SHIFT_MS: String(computerMs),
    })
    await page.clock.install({ time: Date.now() + computerMs })
    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
    const disputes = new DisputesPage(page)
    await disputes.goThere()
    const row = disputes.list.getByRole('button', { name: /Quarry of Glass/ })
    await expect(row).toContainText('2 d 23 h')
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    const sold = page.getByRole('grid', { name: 'Sales' }).getByRole('row', { name: /Quarry/ })
    await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: '7 d' }).click()
    await expect(sold).toHaveCount(2)
    await expect(sold.first()).toContainText(/today, \d\d:\d\d/)
    await expect(sold.filter({ hasText: `Pending, ${days} d` })).toHaveCount(1)
    await service.stop()
  })
