import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { claimSome, createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

type There = {
  status: string
  resolution: { type: string } | null
  messages: { author: string; body: string }[]
}

test('answers several disputes together by keyboard, with one text per language and a result per line @long', async ({
  harness,
  page,
}) => {
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const { productId, offerId } = await createOffer(service, key, 'Quarry of Glass')
  await service.seller(key, 'POST', `/offers/${offerId}/keys`, {
    keys: Array.from({ length: 6 }, (_, at) => `SOLDK-1000${at}-WHARF`),
  })
  const ids = [
    ...(await claimSome(service, productId, 4, (index) => ({
      message:
        index === 0
          ? 'Der Code ist ungültig, ich habe jedes Zeichen geprüft und er geht nicht.'
          : 'It says this code has already been used. I tried it twice.',
    }))),
  ]
  await shop.connect(harness, page)
  const disputes = new DisputesPage(page)
  const dialog = page.getByRole('dialog')
  await disputes.goThere()
  await disputes.findAndUnlock('Quarry of Glass', 4)

  await test.step('rows are selected by X, Shift+J and Ctrl+A', async () => {
    const selected = page.getByRole('toolbar', { name: 'Selected disputes' })
    await page.keyboard.press('x')
    await expect(selected.getByText('1 selected')).toBeVisible()
    await page.keyboard.press('Shift+J')
    await expect(selected.getByText('2 selected')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(selected).toBeHidden()
    await page.keyboard.press('Control+a')
    await expect(selected.getByText('4 selected')).toBeVisible()
    await page.keyboard.press('r')
    await expect(dialog.getByText('Answer 4 disputes')).toBeVisible()
  })
  await test.step('two keys for four disputes: the others are listed with the reason', async () => {
    await dialog.getByLabel('Template').selectOption({ label: 'New key on its way' })
    await expect(dialog.getByRole('radio', { name: 'Key from stock' })).toBeChecked()
    await expect(dialog.getByLabel('German · 1 customer')).toHaveValue(/^Das tut uns leid/)
    await page.screenshot({ path: test.info().outputPath('compose.png') })
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByText('Before you send')).toBeVisible()
    await expect(dialog.getByText('2 keys', { exact: true })).toBeVisible()
    await expect(
      dialog.getByRole('list', { name: 'Left out' }).getByText('No key is left in stock for it.'),
    ).toHaveCount(2)
    await page.screenshot({ path: test.info().outputPath('review.png') })
  })
  await test.step('LIVE asks to type what moves, and nothing is sent for ten seconds', async () => {
    const wanted = dialog.locator('label b')
    if ((await wanted.count()) > 0) await page.keyboard.type((await wanted.textContent()) ?? '')
    await page.keyboard.press('Control+Enter')
    await expect(dialog).toBeHidden()
    const bar = page.getByRole('region', { name: 'Replies that can be undone' })
    await expect(bar.getByText(/^Sending 2 replies in \d+ s\./)).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('sending.png') })
    await bar.getByRole('button', { name: 'Send now' }).click()
    await expect(bar).toBeHidden({ timeout: 30_000 })
  })
  await test.step('every line has a result, also as a file, and the service agrees', async () => {
    await page.getByRole('button', { name: 'Bulk replies' }).click()
    await expect(dialog.getByText('Done', { exact: true })).toHaveCount(2, { timeout: 30_000 })
    await page.screenshot({ path: test.info().outputPath('results.png') })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    expect(readFileSync(await file.path(), 'utf8').match(/replace-stock/g)).toHaveLength(2)
    const there = (await Promise.all(
      ids.map((id) => service.seller(key, 'GET', `/disputes/${id}`)),
    )) as There[]
    expect(
      there
        .map(({ resolution, messages }) => [
          resolution?.type ?? 'open',
          messages.filter(({ author }) => author === 'seller').length,
        ])
        .toSorted(),
    ).toEqual([
      ['open', 0],
      ['open', 0],
      ['replaced', 1],
      ['replaced', 1],
    ])
  })
  await service.stop()
})
