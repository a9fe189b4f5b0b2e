import { expect } from '@playwright/test'
import { CataloguePage, ImportPage } from '../pages/seller.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

test('creates the missing offers of an import, and asks about a price far from the best one @long', async ({
  harness,
  page,
}) => {
  const other = await Shop.open(harness)
  const { productId, offerId } = await other.offer('Quarry of Glass')
  await other.upload(offerId, 10_000, 3)
  const shop = await other.newSeller('Kestrel Keys')
  await shop.connect(harness, page)
  const imports = new ImportPage(page)
  await imports.open('Catalogue')
  await new CataloguePage(page).isComplete(41)
  await imports.open('Import keys')
  const unknown = Array.from({ length: 205 }, (_, at) => `NEWKY-${30_000 + at}-WHARF;SKU ${at}`)
  await imports.drop(
    'new.csv',
    ['code;sku', `NEWKY-20000-WHARF;${productId}`, ...unknown].join('\n'),
  )
  await imports.openVault()
  await expect.poll(() => imports.sum('No offer yet')).toBe(206)
  // Nothing of the column matches an offer, so it wasn't detected.
  await page.getByRole('combobox', { name: 'Offer column' }).click()
  await page.getByRole('option', { name: /sku/ }).click()
  await page.getByRole('button', { name: 'Create offers…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create missing offers' })
  await expect(dialog.getByText('6 more values have no offer')).toBeVisible()
  const price = dialog.getByLabel(`You receive for ${productId}`)
  const create = dialog.getByRole('button', { name: 'Create 1 offer' })
  await expect(create).toBeEnabled()
  await price.fill('40.00')
  await price.blur()
  await expect(dialog.getByText('from the best price')).toBeVisible()
  await expect(create).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Send this price anyway' }).check()
  await expect(create).toBeEnabled()
  // The confirmation is for that price only.
  await price.fill('50.00')
  await price.blur()
  await expect(create).toBeDisabled()
  await price.fill('4.00')
  await price.blur()
  await create.click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => imports.sum('Ready to upload')).toBe(1)
})
