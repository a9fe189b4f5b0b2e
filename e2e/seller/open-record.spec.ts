import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { connectionTo } from '../support/core-connection.ts'
import { test } from '../support/harness.ts'

test.use({ viewport: { width: 1440, height: 700 } })

test('shortcuts act on the offer that is open, wherever it was opened from, and its row is visible @long', async ({
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

  await test.step('the palette opens a product in the catalogue that is already shown', async () => {
    await shell.open('Catalogue')
    const sync = async () => (await rpc.catalogue.sync({ accountId })).state
    await expect.poll(sync, { timeout: 30_000 }).toBe('idle')
    const { rows } = await rpc.catalogue.search({ accountId, window: { offset: 0, limit: 100 } })
    const [one, other] = rows.filter(
      ({ name }) => rows.filter((each) => each.name.startsWith(name)).length === 1,
    )
    const panel = page.getByRole('complementary').last()
    for (const product of [one, other, one]) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search products/ }).fill(product?.name ?? '')
      const hits = page.getByRole('group', { name: 'Products' }).getByRole('option')
      await hits
        .filter({ hasText: product?.name ?? '?' })
        .first()
        .click()
      await expect(panel).toContainText(product?.productId ?? '?')
    }
    await panel.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(/#\/catalogue$/)
  })
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

test('on every page, the open record is the active row, and a search without hits says so @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(120_000)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const shell = new Shell(page)
  const { rpc, close } = await connectionTo(page)
  const accountId = (await rpc.accounts.list()).find(({ role }) => role === 'seller')?.id ?? ''
  const goTo = (path: string): Promise<void> =>
    page.evaluate((hash) => {
      location.hash = hash
    }, path)
  /** The place of the active row in a table; null without one. */
  const activeRow = async (name: string): Promise<number | null> => {
    const grid = page.getByRole('grid', { name, exact: true })
    const id = await grid.getAttribute('aria-activedescendant')
    if (id === null) return null
    const row = page.locator(`[id="${id}"]`)
    await expect(row).toBeInViewport()
    return Number(await row.getAttribute('aria-rowindex')) - 2
  }

  await test.step('a sale at the end of the list', async () => {
    const asked = { accountId, window: { limit: 500 } } as const
    const from = Date.now() - 29 * 24 * 3_600_000
    const sales = async () => (await rpc.sales.list({ ...asked, from })).rows
    await expect.poll(async () => (await sales()).length, { timeout: 30_000 }).toBeGreaterThan(40)
    const saleId = (await sales()).at(-1)?.saleId ?? ''
    await goTo(`/sales/${saleId}`)
    await expect(page.getByRole('complementary').last()).toContainText(saleId)
    await expect.poll(() => activeRow('Sales')).toBeGreaterThan((await sales()).length - 2)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('grid', { name: 'Sales' })).toBeFocused()
  })
  await test.step('a product at the end of the list', async () => {
    const search = async (offset: number) =>
      rpc.catalogue.search({ accountId, window: { offset, limit: 1 } })
    // The last products move while the catalogue grows, and the table follows the open one.
    const { total } = await search(0)
    const [last] = (await search(total - 2)).rows
    await goTo(`/catalogue/${last?.productId ?? ''}`)
    await expect(page.getByRole('complementary').last()).toContainText(last?.name ?? '?')
    const productId = last?.productId ?? ''
    const isLocated = async (): Promise<boolean> => {
      const { index } = await rpc.catalogue.position({ accountId, productId })
      return index !== null && (await activeRow('Products')) === index
    }
    await expect.poll(isLocated, { timeout: 30_000 }).toBe(true)
  })
  await test.step('an offer at the end of the market', async () => {
    await shell.open('Price watch')
    await page.getByRole('button', { name: /^All/ }).click()
    const choice = { accountId, tab: 'all' } as const
    const last = (await rpc.priceWatch.market({ ...choice, window: { limit: 500 } })).rows.at(-1)
    const offerId = last?.offerId ?? ''
    await goTo(`/watch/market/${offerId}`)
    await expect(page.getByRole('complementary').last()).toContainText(last?.name ?? '?')
    await expect
      .poll(async () => {
        const { index } = await rpc.priceWatch.position({ ...choice, offerId })
        return index !== null && (await activeRow('Market')) === index
      })
      .toBe(true)
  })
  await test.step('a dispute: X selects the open one, and no other if the list lacks it', async () => {
    const all = (await rpc.disputes.list({ accountId, view: 'all', window: { limit: 500 } })).rows
    const open = all.findLast(({ status }) => status === 'open')
    const resolved = all.find(({ status }) => status === 'resolved')
    const boxes = page.getByRole('list', { name: 'Disputes' }).getByRole('checkbox')
    await goTo(`/disputes/${open?.disputeId ?? ''}`)
    const row = page.locator('[aria-current="true"]', { hasText: open?.name ?? '?' })
    await expect(row).toBeInViewport()
    await page.keyboard.press('x')
    const box = page.getByRole('checkbox', { name: new RegExp(`${open?.disputeId ?? '?'}$`) })
    await expect(box).toBeChecked()
    await page.keyboard.press('x')
    await expect(box).not.toBeChecked()
    await goTo(`/disputes/${resolved?.disputeId ?? ''}`)
    await expect(page.getByText(resolved?.disputeId ?? '?', { exact: true })).toBeVisible()
    await page.keyboard.press('x')
    for (const each of await boxes.all()) await expect(each).not.toBeChecked()
  })
  await test.step('a search without hits says so; Esc leaves the field', async () => {
    const noHits = async (): Promise<void> => {
      await page.keyboard.press('/')
      const field = page.getByRole('searchbox').first()
      await expect(field).toBeFocused()
      await page.keyboard.type('zzqqxxww')
      await expect(page.getByText('No matches').first()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(field).not.toBeFocused()
    }
    const onPages = async (names: readonly Parameters<Shell['open']>[0][]): Promise<void> => {
      for (const name of names) {
        await shell.open(name)
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
        await noHits()
      }
    }
    await onPages(['Offers', 'Catalogue', 'Sales', 'Disputes', 'Price watch', 'Activity'])
    await shell.switchTo('Demo partner')
    await onPages(['Orders', 'Catalogue'])
  })
  close()
})
