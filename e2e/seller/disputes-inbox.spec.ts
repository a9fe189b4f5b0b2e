import { expect } from '@playwright/test'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun } from '../pages/shell.ts'
import { claimNew, claimSome, createOffer } from '../support/disputes.ts'
import { test } from '../support/harness.ts'
import { Shop } from '../support/shop.ts'

const HOUR = 3_600_000
/** The value of a date and time field, in the time zone of this computer. */
const fieldValue = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

test('asks for the language of a reply, and snoozes until a typed time or before the deadline @long', async ({
  harness,
  page,
}) => {
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const id = await claimNew(service, key, 'O código já foi usado. Podem enviar outro, por favor?')
  const address = await harness.start()
  await page.goto(address)
  await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
  const disputes = new DisputesPage(page)
  const dialog = page.getByRole('dialog')
  const row = disputes.list.getByRole('button', { name: /Quarry of Glass/ })
  await disputes.goThere()
  await row.click()
  await test.step('keys pressed while the passphrase dialog opens do nothing behind it', async () => {
    await expect(page.getByRole('button', { name: 'Unlock the vault…' })).toBeVisible()
    for (const key of ['r', 'f', 'Control+Enter', 'e']) await page.keyboard.press(key)
    await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeVisible()
    await expect(dialog).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(row).toBeVisible()
  })
  await disputes.enterVault()

  await test.step('a Portuguese message is answered only in a chosen language', async () => {
    await page.keyboard.press('1')
    await expect(dialog.getByText('The customer writes in Portuguese')).toBeVisible()
    expect(await disputes.answer.inputValue()).toBe('')
    await page.keyboard.press('1')
    await expect(disputes.answer).toHaveValue(/^Sorry about that/)
    await expect(disputes.answer).toBeFocused()
    await disputes.answer.fill('')
    await page.keyboard.press('Escape')
  })
  await test.step('a snooze ends at a typed time, never in the past', async () => {
    await page.keyboard.press('z')
    await page.keyboard.press('d')
    const field = dialog.getByLabel('Date and time (D)')
    await expect(field).toBeFocused()
    await field.fill(fieldValue(Date.now() - HOUR))
    await expect(dialog.getByText('Choose a later time.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Snooze/ })).toBeDisabled()
    await field.fill(fieldValue(Date.now() + 90 * HOUR))
    await expect(dialog.getByText(/^Returns .*, after it escalates\.$/)).toBeVisible()
    await field.fill(fieldValue(Date.now() + 30 * HOUR))
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(row).toHaveCount(0)
  })
  await test.step('a snooze ends 6 hours before the dispute escalates', async () => {
    await page.goto(`${new URL(address).origin}/#/disputes/${id}`)
    await expect(page.getByRole('button', { name: 'Snoozed Z' })).toBeVisible()
    await page.keyboard.press('z')
    await expect(dialog.getByRole('button', { name: /^6 hours before it escalates/ })).toBeVisible()
    await page.keyboard.press('5')
    await expect(dialog).toBeHidden()
    const { escalatesAt } = (await service.seller(key, 'GET', `/disputes/${id}`)) as {
      escalatesAt: string
    }
    const until = new Date(Date.parse(escalatesAt) - 6 * HOUR)
    await page.getByRole('button', { name: /^Snoozed \d/ }).click()
    await expect(row).toContainText(
      `${String(until.getHours()).padStart(2, '0')}:${String(until.getMinutes()).padStart(2, '0')}`,
    )
  })
  await service.stop()
})

test('stays where it was scrolled to when a dispute is added, and keeps the open one in view @long', async ({
  harness,
  page,
}) => {
  const shop = await Shop.open(harness)
  const { service, key } = shop
  const old = await createOffer(service, key, 'Quarry of Glass')
  const recent = await createOffer(service, key, 'Ironwharf 3')
  for (const [at, { offerId }] of [old, recent].entries())
    await service.seller(key, 'POST', `/offers/${offerId}/keys`, {
      keys: Array.from({ length: 20 }, (_, index) => `SOLDK-${at}${10_000 + index}-WHARF`),
    })
  await claimSome(service, old.productId, 18)
  await shop.connect(harness, page)
  const disputes = new DisputesPage(page)
  await disputes.goThere()
  const rows = disputes.list.getByRole('listitem')
  const countOf = async (): Promise<number> =>
    Number(
      /\d+/.exec((await page.getByRole('button', { name: /^Inbox/ }).textContent()) ?? '')?.[0],
    )
  await expect.poll(countOf, { timeout: 30_000 }).toBeGreaterThanOrEqual(18)
  await rows.filter({ hasText: 'Quarry of Glass' }).first().getByRole('button').click()
  const current = page.locator('[data-key][aria-current]')
  const placeOf = (): Promise<number> =>
    disputes.list.evaluate((list) => list.parentElement?.scrollTop ?? -1)

  await test.step('the open dispute was scrolled away', async () => {
    await disputes.list.hover()
    await page.mouse.wheel(0, 5000)
    await expect.poll(placeOf).toBeGreaterThan(300)
    await expect(current).not.toBeInViewport()
    const before = await placeOf()
    const count = await countOf()
    await claimSome(service, recent.productId, 1)
    await expect.poll(countOf, { timeout: 60_000 }).toBe(count + 1)
    await page.waitForTimeout(500)
    expect(await placeOf()).toBe(before)
    await expect(current).not.toBeInViewport()
  })
  await test.step('the open dispute is in view', async () => {
    await page.keyboard.press('j')
    await expect(current).toBeInViewport()
    const address = page.url()
    await page.goto(address.replace(/disputes\/.*/, 'today'))
    await page.goto(address)
    await expect(current).toBeInViewport()
  })
  await test.step('E marks one dispute as done, however long it is held', async () => {
    const count = await countOf()
    for (let repeat = 0; repeat < 4; repeat += 1) await page.keyboard.down('e')
    await expect.poll(countOf).toBe(count - 1)
    for (let repeat = 0; repeat < 4; repeat += 1) await page.keyboard.down('e')
    await page.keyboard.up('e')
    await page.waitForTimeout(500)
    expect(await countOf()).toBe(count - 1)
  })
  await service.stop()
})
