import { expect } from '@playwright/test'
import { PriceWatchPage } from '../pages/price-watch.ts'
import { ImportPage, OffersPage, OutboxPage } from '../pages/seller.ts'
import { test } from '../support/harness.ts'
import { Shop, someKeys } from '../support/shop.ts'

test('a withdrawal stays as it was read, shows a changed stock, and needs a new press @long', async ({
  harness,
  page,
}) => {
  const offers = new OffersPage(page)
  const shop = await Shop.open(harness)
  const { offerId } = await shop.offer('Quarry of Glass')
  const stock = async (): Promise<number> => (await shop.read(offerId)).stock
  await shop.upload(offerId, 10_000, 20)
  await shop.connect(harness, page)
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('quarry of glass')
  await offers.table.getByRole('row', { name: /Quarry of Glass/ }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Withdraw…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Withdraw keys of Quarry/ })
  await page.getByRole('spinbutton', { name: 'Keys to withdraw' }).fill('5')
  const button = dialog.getByRole('button', { name: /^Withdraw 5 keys/ })
  await expect(button).toBeEnabled()
  await expect(dialog).toContainText('20 to 15')

  await test.step('keys that arrive meanwhile change neither the text nor what a press does', async () => {
    await shop.upload(offerId, 20_000, 20)
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
  await shop.service.stop()
})

test('a guarded price stays as it was read, shows another current price, and needs a new press @long', async ({
  harness,
  page,
}) => {
  const offers = new OffersPage(page)
  const shop = await Shop.open(harness)
  const { offerId } = await shop.offer('Quarry of Glass')
  const price = async (): Promise<number> => (await shop.read(offerId)).price
  await shop.connect(harness, page)
  await page.getByRole('searchbox', { name: 'Filter these offers' }).fill('quarry of glass')
  await expect(offers.table.getByRole('row', { name: /Quarry of Glass/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('0.50')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Unusual price' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: /^Change the price of Quarry of Glass/ })
  await expect(dialog).toContainText('4.00 to 0.50')

  await shop.setPrice(offerId, 5)
  await expect(dialog.getByRole('status')).toContainText(/4\.00 to 0\.50 .*→ .*5\.00 to 0\.50/, {
    timeout: 40_000,
  })
  await expect(dialog.getByRole('button', { name: /^Change price/ })).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  expect(await price()).toBe(5)
  await dialog.getByRole('button', { name: 'Use these' }).click()
  await page.keyboard.press('Control+Enter')
  await expect.poll(price).toBe(0.5)
  await shop.service.stop()
})

test('an upload sends only the keys that were read, and shows what another import took @long', async ({
  harness,
  page,
}) => {
  const imports = new ImportPage(page)
  const shop = await Shop.open(harness)
  const { offerId } = await shop.offer('Quarry of Glass')
  const csv = (keys: readonly string[]): string =>
    ['offer_id,key', ...keys.map((each) => `${offerId},${each}`)].join('\n')
  const upload = page.getByRole('button', { name: /^Upload \d+ keys/ })
  await shop.connect(harness, page)
  await imports.open('Import keys')
  await imports.drop('all.csv', csv(someKeys(10_000, 30)))
  await imports.openVault()
  await expect(upload).toHaveText(/^Upload 30 keys/)
  const draft = page.url()
  await page.goto(`${new URL(draft).origin}/#/import`)
  await imports.drop('some.csv', csv(someKeys(10_000, 12)))
  await expect(upload).toHaveText(/^Upload 12 keys/)
  await upload.click()
  await expect.poll(async () => (await shop.read(offerId)).stock).toBe(12)
  await expect(page.getByRole('button', { name: 'Export report' })).toBeVisible()

  await page.goto(draft)
  await expect(page.getByText('Changed while this was open.')).toBeVisible()
  await expect(page.getByRole('status').first()).toContainText('Ready 30 → Ready 18 (−40 %)')
  await expect(upload).toHaveText(/^Upload 30 keys/)
  await expect(upload).toBeDisabled()
  await page.getByRole('button', { name: 'Use these' }).click()
  await expect(upload).toHaveText(/^Upload 18 keys/)
  await expect(upload).toBeEnabled()
  await shop.service.stop()
})

test('price proposals stay as they were read, show a changed one, and need a new press @long', async ({
  harness,
  page,
}) => {
  const watch = new PriceWatchPage(page)
  const rival = await Shop.open(harness)
  const shop = await rival.newSeller('Kestrel Keys')
  const names = ['Quarry of Glass', 'Hall of Echoes'] as const
  const [glass, echoes] = [await shop.offer(names[0]), await shop.offer(names[1])]
  for (const [at, { offerId }] of [glass, echoes].entries())
    await shop.upload(offerId, 10_000 + at * 100, 5)
  const cheaper = await rival.undercut(glass.productId, 3.5, 20_000)
  await rival.undercut(echoes.productId, 3.5, 21_000)
  const prices = async (): Promise<number[]> =>
    Promise.all([glass, echoes].map(async ({ offerId }) => (await shop.read(offerId)).price))
  await shop.connect(harness, page)
  await watch.open('Price watch')
  await expect(watch.market).toHaveAttribute('aria-busy', 'false')
  await watch.view('Rules')
  await watch.newRule('0.50')
  await watch.view('Market')
  await expect.poll(() => watch.count('Proposals')).toBe(2)
  await watch.tab('Proposals')
  await page.getByRole('button', { name: 'Apply all 2…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply 2 prices?' })
  await expect(dialog).toContainText(/4\.00 to 3\.49/)

  await rival.setPrice(cheaper, 3.3)
  await expect(dialog.getByRole('status')).toContainText(
    /Quarry of Glass.*4\.00 to 3\.49 ?→ ?.*4\.00 to 3\.29 \(−5\.7 %\)/,
    { timeout: 60_000 },
  )
  const apply = dialog.getByRole('button', { name: /^Apply 2 prices/ })
  await expect(apply).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  expect(await prices()).toEqual([4, 4])

  await dialog.getByRole('button', { name: 'Use these' }).click()
  await expect(dialog).toContainText(/4\.00 to 3\.29/)
  expect(await prices()).toEqual([4, 4])
  await page.keyboard.press('Control+Enter')
  await expect.poll(prices).toEqual([3.29, 3.49])
  await shop.service.stop()
})

test('queued changes stay as they were read, show a changed one, and need a new press @long', async ({
  harness,
  page,
}) => {
  const outbox = new OutboxPage(page)
  const offers = new OffersPage(page)
  const shop = await Shop.open(harness)
  const glass = { ...(await shop.offer('Quarry of Glass')), name: 'Quarry of Glass' }
  const echoes = { ...(await shop.offer('Hall of Echoes')), name: 'Hall of Echoes' }
  const prices = async (): Promise<number[]> =>
    Promise.all([glass, echoes].map(async ({ offerId }) => (await shop.read(offerId)).price))
  await shop.connect(harness, page)
  await offers.find(echoes.offerId, echoes.name)
  await shop.service.stop()
  for (const { offerId, name } of [glass, echoes]) {
    await offers.setPrice(offerId, name, 4.11)
    await expect(page.getByText(`${name}: 4.11 queued`)).toBeVisible()
  }
  await shop.service.start()
  await outbox.open('Queued changes')
  const send = page.getByRole('button', { name: /^Send \d ready/ })
  await expect(send).toHaveText(/^Send 2 ready/, { timeout: 60_000 })
  await expect(send).toBeEnabled()

  await shop.setPrice(glass.offerId, 5)
  await outbox.act('Sync now')
  await expect(page.getByRole('status').filter({ hasText: 'Changed while' })).toContainText(
    /Quarry of Glass.*4\.00 to 4\.11.*no longer/,
    { timeout: 60_000 },
  )
  await expect(send).toHaveText(/^Send 2 ready/)
  await expect(send).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  expect(await prices()).toEqual([5, 4])

  await page.getByRole('button', { name: 'Use these' }).click()
  await expect(send).toHaveText(/^Send 1 ready/)
  expect(await prices()).toEqual([5, 4])
  await page.keyboard.press('Control+Enter')
  await expect.poll(prices).toEqual([5, 4.11])
  await shop.service.stop()
})
