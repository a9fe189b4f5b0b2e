import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'

test.use({ viewport: { width: 1440, height: 700 } })

test('shortcuts act on the offer that is open, wherever it was opened from, and its row is visible', async ({
  harness,
  page,
}) => {
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const shell = new Shell(page)
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list()).find(({ role }) => role === 'seller')?.id ?? ''
  const offers = async () => (await rpc.offers.list({ accountId, window: { limit: 500 } })).rows
  await expect.poll(async () => (await offers()).length, { timeout: 30_000 }).toBeGreaterThan(30)
  const all = await offers()
  // The last active offer of the list, which isn't in view, and whose name no other offer has.
  const offer = all.findLast(
    ({ status, name }) =>
      status === 'active' && all.filter((each) => each.name === name).length === 1,
  )
  if (offer === undefined) throw new Error('no active offer')
  const pausedNow = async () =>
    (await offers()).filter(({ status }) => status === 'paused').map(({ offerId }) => offerId)
  const before = await pausedNow()

  await test.step('opened from the catalogue with the palette', async () => {
    await shell.open('Catalogue')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Search products/ }).fill(offer.name)
    const hit = page.getByRole('group', { name: 'Your offers' }).getByRole('option').first()
    await expect(hit).toContainText(offer.name)
    await hit.click()
    await expect(page.getByRole('complementary').last()).toContainText(offer.offerId)
    const row = page.getByRole('grid', { name: 'Offers' }).getByRole('row', { name: offer.name })
    await expect(row).toBeInViewport()
    await expect(row).toHaveAttribute('id', /./)
  })
  await test.step('U pauses it, and only it', async () => {
    await page.keyboard.press('u')
    await expect.poll(pausedNow).toEqual(expect.arrayContaining([offer.offerId]))
    expect((await pausedNow()).toSorted()).toEqual([...before, offer.offerId].toSorted())
  })
  await test.step('a digit edits its price', async () => {
    await page.keyboard.press('7')
    await expect(
      page
        .getByRole('grid', { name: 'Offers' })
        .getByRole('row', { name: offer.name })
        .getByRole('textbox'),
    ).toBeFocused()
    await page.keyboard.press('Escape')
  })
  await test.step('a filter that hides its row leaves no other row active', async () => {
    await page.getByRole('searchbox', { name: 'Filter these offers' }).fill(all[0]?.name ?? '')
    await expect(page.getByRole('grid', { name: 'Offers' }).getByRole('row')).not.toHaveCount(0)
    await page.getByRole('grid', { name: 'Offers' }).focus()
    await page.keyboard.press('u')
    await expect.poll(pausedNow).not.toContain(offer.offerId)
    expect((await pausedNow()).toSorted()).toEqual(before.toSorted())
  })
  close()
})
