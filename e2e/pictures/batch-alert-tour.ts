import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { ImportPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import type { Harness } from '../support/harness.ts'
import { claimSome, createOffer } from '../support/disputes.ts'
import { ExternalService } from '../support/service.ts'
import { bulkReplies, movedPrice, priceGuard } from './guards-tour.ts'
import type { Stop } from './stop.ts'

/**
 * A dispute about a batch whose keys are claimed one after the other, with the alert, the key and
 * its history; then a reply to all of them, and prices that are questioned. Uses its own service.
 */
export async function batchAlert(harness: Harness, page: Page, at: Stop): Promise<void> {
  const service = new ExternalService(harness.home, 40, ['--no-limits'])
  await service.start()
  const { key } = await service.issueKey('sellers')
  const imports = new ImportPage(page)
  const inbox = new DisputesPage(page)
  const beside = page.getByRole('complementary', { name: 'About this sale' })
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  const { offerId } = await imports.intoEmptyOffer(
    'october.txt',
    Array.from({ length: 8 }, (_, line) => `ALARM-${String(10_000 + line)}-WHARF`).join('\n'),
    8,
  )
  await imports.upload()
  await imports.isReported()
  const { productId } = (await service.seller(key, 'PATCH', `/offers/${offerId}`, {
    price: 0.01,
    status: 'active',
  })) as { productId: string }
  const [id = ''] = await claimSome(service, productId, 4)
  await inbox.act('Sync now')
  await inbox.goThere()
  await page.evaluate((hash) => {
    window.location.hash = hash
  }, `#/disputes/${id}`)
  await expect(beside.getByRole('alert')).toContainText('Batch alarm: 4 of 8 keys disputed', {
    timeout: 30_000,
  })
  await expect(beside.getByText('ALARM-•••••-•••••')).toBeVisible()
  // The service would send the oldest key in stock, which is one of the batch.
  await expect(page.getByText('4 of 4 keys in stock are from Import 1')).toBeVisible()
  await expect(beside.getByText('4 keys are still for sale.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Replace from stock/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Replace with a key/ })).toHaveClass(/primary/)
  await at('dispute-alarm')
  await page.keyboard.press('s')
  await expect(
    page.getByRole('dialog').getByRole('button', { name: /^Withdraw 4 keys/ }),
  ).toBeVisible()
  // Half of the upload is sold, and the dialog counts the current stock, not the uploaded one.
  await expect(page.getByRole('dialog').getByText('All 4 keys move into the vault')).toBeVisible()
  await at('dispute-take-back')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('b')
  await expect(
    page.getByRole('toolbar', { name: 'Selected disputes' }).getByText('4 selected'),
  ).toBeVisible()
  await bulkReplies(page, at)
  await page.keyboard.press('Escape')
  await priceGuard(page, at)
  const own = await createOffer(service, key, 'Quarry of Glass')
  await service.seller(key, 'POST', `/offers/${own.offerId}/keys`, { keys: ['QUARY-10001-GLASS'] })
  await movedPrice(page, at, {
    service,
    sellerKey: key,
    offerId: own.offerId,
    product: 'Quarry of Glass',
  })
  await service.stop()
}
