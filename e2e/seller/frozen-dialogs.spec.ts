import { expect } from '@playwright/test'
import { ImportPage, OffersPage } from '../pages/seller.ts'
import { FirstRun } from '../pages/shell.ts'
import { createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

const someKeys = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `WHARF-${from + at}-KEEPS`)

test('a withdrawal stays as it was read, shows a changed stock, and needs a new press @long', async ({
  harness,
  page,
}) => {
  const offers = new OffersPage(page)
  const service = new ExternalService(harness.home, 40, ['--no-limits'])
  await service.start()
  const { key } = await service.issueKey('sellers')
  const { offerId } = await createOffer(service, key, 'Quarry of Glass')
  const upload = (from: number, count: number): Promise<unknown> =>
    service.seller(key, 'POST', `/offers/${offerId}/keys`, { keys: someKeys(from, count) })
  const stock = async (): Promise<unknown> =>
    ((await service.seller(key, 'GET', `/offers/${offerId}`)) as { stock: number }).stock
  await upload(10_000, 20)
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('quarry of glass')
  await offers.table.getByRole('row', { name: /Quarry of Glass/ }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Withdraw…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Withdraw keys of Quarry/ })
  await page.getByRole('spinbutton', { name: 'Keys to withdraw' }).fill('5')
  const button = dialog.getByRole('button', { name: /^Withdraw 5 keys/ })
  await expect(button).toBeEnabled()
  await expect(dialog).toContainText('20 to 15')

  await test.step('keys that arrive meanwhile change neither the text nor what a press does', async () => {
    await upload(20_000, 20)
    await expect(dialog.getByText('Changed while this was open.')).toBeVisible({ timeout: 40_000 })
    await expect(dialog.getByRole('status')).toContainText(/20 to 15 → .*40 to 35 \(\+100 %\)/)
    await expect(button).toBeDisabled()
    await page.keyboard.press('Control+Enter')
    expect(await stock()).toBe(40)
  })
  await test.step('a new press withdraws after the change was accepted', async () => {
    await dialog.getByRole('button', { name: 'Use these' }).click()
    await expect(dialog.getByText('Changed while this was open.')).toBeHidden()
    expect(await stock()).toBe(40)
    await page.keyboard.press('Control+Enter')
    await offers.openVault()
    await expect.poll(stock).toBe(35)
  })
  await service.stop()
})

test('a guarded price stays as it was read, shows another current price, and needs a new press', async ({
  harness,
  page,
}) => {
  const offers = new OffersPage(page)
  const service = new ExternalService(harness.home, 40, ['--no-limits'])
  await service.start()
  const { key } = await service.issueKey('sellers')
  const { offerId } = await createOffer(service, key, 'Quarry of Glass')
  const price = async (): Promise<unknown> =>
    ((await service.seller(key, 'GET', `/offers/${offerId}`)) as { price: number }).price
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('quarry of glass')
  await expect(offers.table.getByRole('row', { name: /Quarry of Glass/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('0.50')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Unusual price' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: /^Change the price of Quarry of Glass/ })
  await expect(dialog).toContainText('4.00 to 0.50')

  await service.seller(key, 'PATCH', `/offers/${offerId}`, { price: 5 })
  await expect(dialog.getByRole('status')).toContainText(/4\.00 to 0\.50 .*→ .*5\.00 to 0\.50/, {
    timeout: 40_000,
  })
  await expect(dialog.getByRole('button', { name: /^Change price/ })).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  expect(await price()).toBe(5)
  await dialog.getByRole('button', { name: 'Use these' }).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(price).toBe(0.5)
  await service.stop()
})

test('an upload sends only the keys that were read, and shows what another import took', async ({
  harness,
  page,
}) => {
  const imports = new ImportPage(page)
  const service = new ExternalService(harness.home, 40, ['--no-limits'])
  await service.start()
  const { key } = await service.issueKey('sellers')
  const { offerId } = await createOffer(service, key, 'Quarry of Glass')
  const csv = (keys: readonly string[]): string =>
    ['offer_id,key', ...keys.map((each) => `${offerId},${each}`)].join('\n')
  const upload = page.getByRole('button', { name: /^Upload \d+ keys/ })
  await page.goto(await harness.start())
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  await imports.open('Import keys')
  await imports.drop('all.csv', csv(someKeys(10_000, 30)))
  await imports.openVault()
  await expect(upload).toHaveText(/^Upload 30 keys/)
  const draft = page.url()
  await page.goto(`${new URL(draft).origin}/#/import`)
  await imports.drop('some.csv', csv(someKeys(10_000, 12)))
  await expect(upload).toHaveText(/^Upload 12 keys/)
  await upload.click()
  await expect
    .poll(
      async () =>
        ((await service.seller(key, 'GET', `/offers/${offerId}`)) as { stock: number }).stock,
    )
    .toBe(12)
  await expect(page.getByRole('button', { name: 'Export report' })).toBeVisible()

  await page.goto(draft)
  await expect(page.getByText('Changed while this was open.')).toBeVisible()
  await expect(page.getByRole('status').first()).toContainText('Ready 30 → Ready 18 (−40 %)')
  await expect(upload).toHaveText(/^Upload 30 keys/)
  await expect(upload).toBeDisabled()
  await page.getByRole('button', { name: 'Use these' }).click()
  await expect(upload).toHaveText(/^Upload 18 keys/)
  await expect(upload).toBeEnabled()
  await service.stop()
})
