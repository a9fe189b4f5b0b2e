import { expect } from '@playwright/test'
import { OffersPage } from '../pages/seller.ts'
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
