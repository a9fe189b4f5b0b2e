import { join } from 'node:path'
import { expect } from '@playwright/test'
import SqliteDatabase from 'better-sqlite3'
import { CataloguePage, OffersPage, OutboxPage } from './pages/seller.ts'
import { FirstRun } from './pages/shell.ts'
import { test } from './support/harness.ts'
import type { Harness } from './support/harness.ts'
import { SecretService } from './support/secret-service.ts'
import { ExternalService } from './support/service.ts'

const products = 120

/** The ids of accounts that have their own files. */
function accountsOnDisk(harness: Harness): string[] {
  const mirror = new RegExp(`^${join(harness.dataDir, 'mirrors')}/([^/.]+)\\.db$`)
  return harness.files().flatMap(({ path }) => mirror.exec(path)?.[1] ?? [])
}

/** The tables of a database with a row that contains a word. */
function tablesWith(file: string, word: string): string[] {
  const database = new SqliteDatabase(file, { readonly: true })
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[]
  const found = names.filter((name) =>
    JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()).includes(word),
  )
  database.close()
  return found
}

test.use({ bare: true })

test('switches accounts by keyboard, handles rejected keys, and removes accounts but not their activity @long', async ({
  harness,
  page,
}) => {
  test.setTimeout(300_000)
  const service = new ExternalService(harness.home, products)
  await service.start()
  const keychain = await SecretService.start(harness.home)
  if (keychain !== null) harness.environment['DBUS_SESSION_BUS_ADDRESS'] = keychain.address
  const seller = await service.issueKey('sellers')
  const partner = await service.issueKey('partners')
  const shell = new OutboxPage(page)
  const first = new FirstRun(page)
  const offers = new OffersPage(page).table
  const inFront = (name: string) =>
    page.getByRole('button', { name: new RegExp(`^${name} .*Switch account$`) })
  const answered = async (status: number): Promise<number> =>
    (
      (await service.dashboard('GET', `/requests?limit=1&status=${status}&path=/v1*`)) as {
        total: number
      }
    ).total
  let sellerId = ''
  let partnerId = ''
  let refusals = 0

  await test.step('connect both, one with the palette; each has its own files and keychain entry', async () => {
    await page.goto(await harness.start())
    await first.connect(seller.key, service.baseUrl, 'Kestrel Keys')
    await expect(page.getByRole('heading', { level: 1, name: 'Offers' })).toBeVisible()
    sellerId = accountsOnDisk(harness)[0] ?? ''
    await shell.act('Connect an account')
    await expect(page.getByRole('heading', { name: 'Connect another account' })).toBeVisible()
    await first.connect(partner.key, service.baseUrl, 'Northgate')
    await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible()
    partnerId = accountsOnDisk(harness).find((id) => id !== sellerId) ?? ''
    expect(accountsOnDisk(harness).toSorted()).toEqual([sellerId, partnerId].toSorted())
    if (keychain !== null)
      expect(keychain.entries()).toEqual(
        expect.arrayContaining([`account:${sellerId}`, `account:${partnerId}`]),
      )
  })

  await test.step('Ctrl and a number switches to the other account, with its own pages and data', async () => {
    await new CataloguePage(page).isComplete(products)
    await expect(
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Queued changes' }),
    ).toHaveCount(0)
    await page.keyboard.press('Control+1')
    await expect(inFront('Kestrel Keys')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await expect(offers.getByRole('row').nth(3)).toBeVisible()
    await page.keyboard.press('Control+2')
    await expect(inFront('Northgate')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
    await page.keyboard.press('Control+1')
    await shell.open('Offers')
  })

  await test.step('the seller’s key is revoked while in use: the page shows since when and what to do', async () => {
    await expect(shell.status.getByText('Online', { exact: true })).toBeVisible()
    await seller.revoke()
    await shell.act('Sync now')
    await expect(page.getByText('The service rejected the API key.').first()).toBeVisible({
      timeout: 40_000,
    })
    await expect(
      page.getByText(
        'You’re seeing data from the last sync, and nothing is sent. The key was revoked or has expired',
      ),
    ).toBeVisible()
    await expect(shell.status.getByText(/^Key rejected since \d\d:\d\d$/)).toBeVisible()
    await expect(shell.status.getByText('UNAUTHORIZED')).toBeVisible()
    await expect(offers.getByRole('row').nth(3), 'synced data stays visible').toBeVisible()
    refusals = await answered(401)
  })

  await test.step('the partner is not affected; once suspended, it says so and checks again on request', async () => {
    await page.keyboard.press('Control+2')
    await expect(shell.status.getByText('Online', { exact: true })).toBeVisible()
    const {
      results: [account],
    } = (await service.dashboard('GET', '/partners')) as { results: { id: string }[] }
    await service.dashboard('PATCH', `/partners/${account?.id ?? ''}`, { status: 'suspended' })
    await shell.act('Sync now')
    await expect(
      page.getByText('The service reports that this account isn’t active.').first(),
    ).toBeVisible({ timeout: 40_000 })
    await expect(shell.status.getByText(/^Account not active since \d\d:\d\d$/)).toBeVisible()
    const suspended = await answered(403)
    await shell.open('Orders')
    await shell.open('Catalogue')
    expect(await answered(403)).toBe(suspended)
    await service.dashboard('PATCH', `/partners/${account?.id ?? ''}`, { status: 'active' })
    await page.getByRole('button', { name: 'Retry now' }).click()
    await expect(shell.status.getByText('Online', { exact: true })).toBeVisible()
    await expect(page.getByText('The service reports that this account isn’t active.')).toBeHidden()
  })

  await test.step('outside its allowed networks it says so and sends nothing; once allowed, it works', async () => {
    const {
      results: [account],
    } = (await service.dashboard('GET', '/partners')) as { results: { id: string }[] }
    const allow = (ipAllowlist: string[]) =>
      service.dashboard('PATCH', `/partners/${account?.id ?? ''}`, { ipAllowlist })
    await allow(['203.0.113.7'])
    await shell.act('Sync now')
    await expect(
      page.getByText('The service doesn’t accept this network’s IP address.').first(),
    ).toBeVisible({ timeout: 40_000 })
    await expect(shell.status.getByText(/^IP address blocked since \d\d:\d\d$/)).toBeVisible()
    const refused = await answered(403)
    await shell.open('Orders')
    await shell.open('Catalogue')
    expect(await answered(403)).toBe(refused)
    await allow([])
    await page.getByRole('button', { name: 'Retry now' }).click()
    await expect(shell.status.getByText('Online', { exact: true })).toBeVisible()
  })

  await test.step('nothing was requested with the revoked key since then, whichever pages were opened', async () => {
    await page.keyboard.press('Control+1')
    for (const name of ['Offers', 'Catalogue', 'Import keys'] as const) await shell.open(name)
    expect(await answered(401)).toBe(refusals)
  })

  await test.step('a partner’s key is rejected; another key of the same seller reconnects it', async () => {
    await page.getByRole('button', { name: 'Enter the key…' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('API key')
    await field.fill(partner.key)
    await expect(
      dialog.getByText('This is a partner key for LIVE; Kestrel Keys has a seller key.'),
    ).toBeVisible()
    await field.fill((await service.issueKey('sellers')).key)
    const inMemory = dialog.getByLabel(/Keep the key in memory until Keydesk quits/)
    const use = dialog.getByRole('button', { name: 'Use this key', disabled: false })
    await expect(inMemory.or(use).first()).toBeVisible()
    if (await inMemory.isVisible()) await inMemory.check()
    await use.click()
    await expect(dialog).toBeHidden()
    await expect(shell.status.getByText('Online', { exact: true })).toBeVisible()
    await expect(page.getByText('The service rejected the API key.')).toBeHidden()
    await shell.open('Offers')
    await expect
      .poll(
        async () =>
          (
            (await service.dashboard(
              'GET',
              '/requests?limit=1&status=200&path=/v1/seller/offers*',
            )) as { total: number }
          ).total,
      )
      .toBeGreaterThan(1)
  })

  await test.step('rename an account by keyboard; the new name appears everywhere immediately', async () => {
    await shell.open('Settings')
    await page.getByRole('button', { name: 'Rename Kestrel Keys' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Kestrel & Sons')
    await page.keyboard.press('Enter')
    await expect(inFront('Kestrel & Sons')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Kestrel & Sons…' })).toBeVisible()
  })

  await test.step('a removed account leaves only its activity, under its name; the other one stays', async () => {
    await shell.open('Settings')
    await page.getByRole('button', { name: 'Remove Northgate…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('0 keys', { exact: true })).toBeVisible()
    await expect(dialog.getByText('0 claims', { exact: true })).toBeVisible()
    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export activity' }).click(),
    ])
    expect(exported.suggestedFilename()).toMatch(/^activity-.*\.csv$/)
    await expect(dialog.getByRole('button', { name: 'Remove Northgate' })).toBeDisabled()
    await dialog.getByLabel('Type Northgate to remove it').fill('Northgate')
    await dialog.getByRole('button', { name: 'Remove Northgate' }).click()
    await expect(page.getByText('Northgate was removed')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Northgate…' })).toHaveCount(0)
    expect(accountsOnDisk(harness)).toEqual([sellerId])
    if (keychain !== null) {
      expect(keychain.entries()).toContain(`account:${sellerId}`)
      expect(keychain.entries()).not.toContain(`account:${partnerId}`)
    }
    await shell.open('Activity')
    await page.getByRole('combobox', { name: 'Removed accounts' }).click()
    await page.getByRole('option', { name: /^Northgate SANDBOX, removed / }).click()
    const entries = page.getByRole('grid', { name: 'Activity' })
    await expect(entries.getByText('Account removed').first()).toBeVisible()
    await expect(entries.getByText(/^GET /).first()).toBeVisible()
    await harness.end()
    const left = harness
      .files()
      .filter(
        ({ path, bytes }) =>
          path.startsWith(harness.dataDir) &&
          (path.includes(partnerId) || bytes.includes(partnerId) || bytes.includes('Northgate')),
      )
    // The audit trail stays: the removed account's entries, and its name in one table.
    const file = join(harness.dataDir, 'keydesk.db')
    expect(left.map(({ path }) => path)).toEqual([file])
    expect(tablesWith(file, partnerId)).toEqual(['activity', 'activity_sums', 'removed_account'])
    expect(tablesWith(file, 'Northgate')).toEqual(['removed_account'])
    await page.goto(await harness.start())
    await expect(inFront('Kestrel & Sons')).toBeVisible()
    await page.keyboard.press('Control+2')
    await expect(inFront('Kestrel & Sons')).toBeVisible()
  })
  await harness.end()
  await keychain?.end()
  await service.stop()
})
