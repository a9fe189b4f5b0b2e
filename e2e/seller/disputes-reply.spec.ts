import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { claimSome, createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

type There = {
  resolution: { type: string } | null
  messages: { author: string; body: string }[]
}

test(
  'sends a template with the key that it promises, and takes it back within ten seconds',
  { tag: '@long' },
  async ({ harness, page }) => {
    const shop = await Shop.open(harness)
    const { service, key } = shop
    const { productId, offerId } = await createOffer(service, key, 'Quarry of Glass')
    await service.seller(key, 'POST', `/offers/${offerId}/keys`, {
      keys: ['SOLDK-10000-WHARF', 'SOLDK-10001-WHARF', 'SOLDK-10002-WHARF'],
    })
    const [id = ''] = await claimSome(service, productId, 1, () => ({
      message: 'It says this code has already been used.',
    }))
    const there = async (): Promise<There> =>
      (await service.seller(key, 'GET', `/disputes/${id}`)) as There
    await shop.connect(harness, page)
    const disputes = new DisputesPage(page)
    const dialog = page.getByRole('dialog')
    const bar = page.getByRole('region', { name: 'Replies that can be undone' })
    await disputes.goThere()
    await disputes.list.getByRole('button', { name: /Quarry of Glass/ }).click()
    // The shortcut of a template asks for the vault, then fills the answer.
    await disputes.enterVault('1')

    await test.step('the effect is shown beside the button that sends it', async () => {
      await expect(disputes.answer).toHaveValue(/^Sorry about that/)
      await expect(page.getByRole('radio', { name: 'Key from stock' })).toBeChecked()
      await expect(
        page.getByText('1 key of Quarry of Glass · Steam · Global, stock 2 → 1'),
      ).toBeVisible()
      await expect(page.getByRole('button', { name: /^Send answer and 1 key/ })).toBeEnabled()
    })
    await test.step('the promised key is left out only if a person chooses so', async () => {
      await page.getByRole('radio', { name: 'Answer only' }).check()
      await disputes.answer.focus()
      await page.keyboard.press('Control+Enter')
      await expect(dialog.getByText('Send without a key?')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await page.getByRole('radio', { name: 'Key from stock' }).check()
    })
    await test.step('undo brings the text back, and nothing was sent', async () => {
      await disputes.answer.focus()
      await page.keyboard.press('Control+Enter')
      await expect(bar.getByText(/^Sending 1 reply in \d+ s\./)).toBeVisible()
      await expect(disputes.answer).toHaveValue('')
      await bar.getByRole('button', { name: /^Undo/ }).click()
      await expect(disputes.answer).toHaveValue(/^Sorry about that/)
      await expect(page.getByRole('radio', { name: 'Key from stock' })).toBeChecked()
      expect((await there()).messages).toHaveLength(1)
    })
    await test.step('after the ten seconds, the answer and the key are sent, each once', async () => {
      await disputes.answer.focus()
      await page.keyboard.press('Control+Enter')
      await expect(bar).toBeVisible()
      await expect(disputes.messages.getByText('Replaced with another key')).toBeVisible({
        timeout: 30_000,
      })
      await expect(bar).toBeHidden()
      const { messages, resolution } = await there()
      expect([
        messages.filter(({ author }) => author === 'seller').length,
        resolution?.type,
      ]).toEqual([1, 'replaced'])
    })
    await service.stop()
  },
)
