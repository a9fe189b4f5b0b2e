import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { claimSome, createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

test('offers no replacement from an empty stock, neither as a button nor as a shortcut @long', async ({
  harness,
  page,
}) => {
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const { productId, offerId } = await createOffer(service, key, 'Quarry of Glass')
  await service.seller(key, 'POST', `/offers/${offerId}/keys`, { keys: ['SOLDK-10000-WHARF'] })
  await claimSome(service, productId, 1)
  await shop.connect(harness, page)
  const disputes = new DisputesPage(page)
  await disputes.goThere()
  await page.getByText('Quarry of Glass').first().click()
  await expect(page.getByRole('button', { name: /^Replace: no keys in stock/ })).toBeDisabled()
  await page.keyboard.press('s')
  await expect(page.getByText('The offer has no keys in stock')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Replace with a key/ })).toBeEnabled()
  await service.stop()
})
