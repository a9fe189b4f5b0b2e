import { expect } from '@playwright/test'
import { NewOrderPage, OrderPage } from './pages/partner.ts'
import { CataloguePage, ImportPage, OffersPage } from './pages/seller.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { keyFile } from './support/key-file.ts'

const file = keyFile(7, 5000, 37, 12)

test.use({ bare: true })

/** The complete path of a first-time user on the real backend. */
test('tries the sandbox, imports 5,000 keys, sells three of them to a partner, and keeps all data', async ({
  harness,
  page,
}) => {
  test.setTimeout(120_000)
  const shell = new Shell(page)
  const catalogue = new CataloguePage(page)
  const offers = new OffersPage(page)
  const imports = new ImportPage(page)
  const order = new OrderPage(page)
  let product = ''
  const sent: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => sent.push(String(payload).slice(0, 100))),
  )
  /** Chromium’s messages about violations of the content security policy. */
  const blocked: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) blocked.push(message.text())
  })
  const asked = () => ({
    searches: sent.filter((text) => text.includes('/catalogue/search')).length,
    counts: sent.filter((text) => text.includes('/catalogue/counts')).length,
  })

  await test.step('try the sandbox with one click', async () => {
    // The most permissive default that a user's shell can have; the console inherits it.
    const umask = process.umask(0)
    const address = await harness.start().finally(() => process.umask(umask))
    await page.goto(address)
    await expect(page.getByText('This computer has no keychain.')).toBeVisible()
    await new FirstRun(page).startSandbox()
    expect(page.url()).not.toContain('token')
    await expect(page.getByText('SANDBOX').first()).toBeVisible()
    expect(blocked).toEqual([])
  })

  await test.step('the complete catalogue is synced and searchable while typing', async () => {
    await shell.open('Catalogue')
    await catalogue.isComplete(2000)
    await catalogue.narrow(/^Not sold by me/, /^Steam/, /^Key\b/)
    await expect(catalogue.table.getByRole('row').nth(2)).toBeVisible()
    product =
      (await catalogue.table.getByRole('row').nth(2).locator('b').first().textContent()) ?? ''
    expect(product).not.toBe('')
    const words = product.split(' ')
    await catalogue.search(
      words
        .map((word) => word.slice(0, 5))
        .toReversed()
        .join(' '),
    )
    await expect(catalogue.row(new RegExp(words[0] ?? '')).first()).toBeVisible()
    const before = asked()
    await catalogue.search('')
    await page
      .getByRole('searchbox', { name: 'Search the catalogue' })
      .pressSequentially('steam edition', { delay: 40 })
    // Rows for the typed text, then the filter counts once typing has paused. Counts requested for
    // each letter would be discarded by the next.
    await expect.poll(() => asked().counts, { timeout: 10_000 }).toBeGreaterThan(before.counts)
    expect(asked().searches - before.searches).toBeGreaterThanOrEqual(6)
    expect(asked().counts - before.counts).toBeLessThanOrEqual(3)
  })

  await test.step('create an offer that leads', async () => {
    await catalogue.search(product)
    await catalogue.table
      .getByRole('row')
      .filter({ has: page.locator('b').getByText(product, { exact: true }) })
      .first()
      .click()
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^(Create offer|Offer at)/ })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('You receive').fill('0.50')
    await dialog.getByRole('button', { name: /^Offer at EUR 0.50/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible()
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^View your offer/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Offers' })).toBeVisible()
    await expect(page.getByRole('complementary').getByText('No keys.')).toBeVisible()
  })

  await test.step('import a table of 5,000 lines with 37 duplicates and 12 broken ones', async () => {
    await page.getByRole('complementary').getByRole('button', { name: 'Import keys' }).click()
    await imports.drop('restock.csv', file.csv)
    await shell.openVault()
    await imports.isChecked(5000)
    expect(await imports.sum('Ready to upload')).toBe(4951)
    expect(await imports.sum('Duplicates')).toBe(37)
    expect(await imports.sum('Rejected')).toBe(12)
    expect(await imports.sum('No offer yet')).toBe(0)
    expect(await page.locator('body').innerText()).not.toContain(file.keys[0])
    await imports.upload()
    await imports.isReported()
    await expect(page.getByText('4,951 keys uploaded.')).toBeVisible()
  })

  await test.step('Today ticks the first step, and the card can be dismissed', async () => {
    await page.getByRole('link', { name: 'Today' }).click()
    const card = page.getByRole('region', { name: 'First steps' })
    await expect(card.getByText('1 of 3 done')).toBeVisible()
    await expect(card.getByRole('listitem').filter({ hasText: 'Import keys' })).toHaveAttribute(
      'data-done',
      'true',
    )
    await card.getByRole('button', { name: 'Dismiss first steps' }).click()
    await expect(card).toBeHidden()
  })

  await test.step('the offer has them', async () => {
    await shell.open('Offers')
    await page.getByRole('searchbox', { name: 'Filter these offers' }).fill(product)
    await offers.table
      .getByRole('row')
      .filter({ has: page.locator('b').getByText(product, { exact: true }) })
      .first()
      .click()
    await expect.poll(() => offers.stockInPanel()).toBe(4951)
    await expect(page.getByRole('complementary').getByText('Leading.')).toBeVisible()
  })

  const revealed: string[] = []
  await test.step('the partner orders three keys and reveals one', async () => {
    await shell.switchTo('Demo partner')
    await shell.open('Orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    const composer = new NewOrderPage(page)
    await composer.add(product)
    await expect(page.getByRole('row', { name: new RegExp('0.55') })).toBeVisible()
    for (let more = 1; more < 3; more++)
      await page.getByRole('button', { name: /^More: Units/ }).click()
    await composer.place()
    await expect(page.getByText('Completed', { exact: true })).toBeVisible({ timeout: 15_000 })
    await order.downloadKeys()
    await order.confirmDownload()
    await expect(order.keys).toHaveCount(3)
    revealed.push(await order.reveal(0))
    expect(file.keys).toContain(revealed[0])
  })

  await test.step('the backend stops: the keys stay readable', async () => {
    const address = page.url()
    await shell.open('Settings')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible()
    await page.goto(address)
    revealed.push(await order.reveal(1))
    expect(file.keys).toContain(revealed[1])
    await expect(page.getByText(/Offline/).first()).toBeVisible()
  })

  await test.step('the console restarts: all data is there, and syncing continues', async () => {
    await harness.end()
    await page.goto(await harness.start())
    await shell.open('Orders')
    await expect(page.getByText(/Online/).first()).toBeVisible({ timeout: 20_000 })
    await page.getByText(product).first().click()
    await expect(order.keys).toHaveCount(3)
    await order.keys
      .nth(2)
      .getByRole('button', { name: /^Reveal key/ })
      .click()
    await shell.openVault()
    await expect(order.keys.nth(2).getByRole('button', { name: /^Hide key/ })).toBeVisible()
    await shell.open('Catalogue')
    await catalogue.isComplete(2000)
  })

  await test.step('other users can open no file and no folder, whatever the umask', () => {
    expect(harness.openToOthers()).toEqual([])
  })

  await test.step('the seller API agrees, and no key is unencrypted on the disk', async () => {
    await harness.end()
    const service = await harness.service()
    const headers = { Authorization: `Bearer ${service.ready.demo.sellerKey}` }
    const answer = await fetch(`${service.ready.sellerUrl}/offers?limit=100`, { headers })
    const { results } = (await answer.json()) as {
      results: { name: string; stock: number; sold: number }[]
    }
    expect(results.find((offer) => offer.name === product)).toMatchObject({ stock: 4948, sold: 3 })
    await service.end()
    const keys = new Set(file.keys)
    // Every position where a key could start, so that one pass finds all of them.
    const holdsKey = (text: string): boolean =>
      [...text.matchAll(/(?=([A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}))/g)].some(([, key]) =>
        keys.has(key ?? ''),
      )
    expect(holdsKey(`;${file.keys.at(-1) ?? ''}\n`), 'the search finds a key').toBe(true)
    const found = harness.files().filter(({ bytes }) => {
      const text = bytes.toString('latin1')
      return holdsKey(text) || /svcs_[A-Za-z0-9]{16}|svc_(?:live|test)_[A-Za-z0-9]{16}/.test(text)
    })
    expect(found.map(({ path }) => path)).toEqual([])
    expect(holdsKey(harness.log)).toBe(false)
  })
})
