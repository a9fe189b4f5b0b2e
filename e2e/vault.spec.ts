import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { OrderPage } from './pages/partner.ts'
import { ImportPage, OutboxPage } from './pages/seller.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { Desk, test } from './support/desk.ts'
import { keyFile } from './support/key-file.ts'
import { Service } from './support/service.ts'
import { vaultPassphrase } from './support/vault-passphrase.ts'

const products = 120
const passphrases = {
  export: 'an export for my accountant',
  recovery: 'kept in the safe at home',
  later: 'another battery staple',
}
const apiKey = /svcs?_(?:live_|test_)?[A-Za-z0-9]{32}/

test.use({ bare: true })

type SavedFile = { name: string; bytes: Buffer }

/** Does what starts a download of the browser's, and gives the file. */
async function saved(page: Page, work: () => Promise<void>): Promise<SavedFile> {
  const [download] = await Promise.all([page.waitForEvent('download'), work()])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** The dialog of an action of the vault. */
async function dialogOf(page: Page, button: string, title: string) {
  await page.getByRole('button', { name: button, exact: true }).click()
  const dialog = page
    .getByRole('dialog')
    .filter({ has: page.getByRole('heading', { name: title }) })
  await expect(dialog).toBeVisible()
  return {
    dialog,
    fill: async (fields: Record<string, string>): Promise<void> => {
      for (const [label, text] of Object.entries(fields))
        await dialog.getByLabel(label, { exact: true }).fill(text)
    },
    give: async (file: SavedFile): Promise<void> =>
      dialog.locator('input[type="file"]').setInputFiles({
        name: file.name,
        mimeType: 'application/octet-stream',
        buffer: file.bytes,
      }),
    press: async (name: string): Promise<void> =>
      dialog.getByRole('button', { name, exact: true }).click(),
  }
}

test('without a keychain keys of games are handled behind a passphrase only; they leave as files, and the vault has a way back', async ({
  desk,
  page,
  context,
  browser,
}) => {
  test.setTimeout(300_000)
  const service = new Service(desk.home, products)
  await service.start()
  const seller = await service.issueKey('sellers')
  const partner = await service.issueKey('partners')
  const shell = new OutboxPage(page)
  const order = new OrderPage(page)
  const dialog = page.getByRole('dialog')
  const declined = page.getByText('Not done: the vault stays closed')
  const decline = async (title: string): Promise<void> => {
    await expect(dialog.getByRole('heading', { name: title })).toBeVisible()
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(declined.last()).toBeVisible()
    await expect(dialog).toBeHidden()
  }
  const secrets = async (): Promise<void> => {
    await shell.act('Where your secrets are')
    await expect(
      page.getByRole('heading', { level: 1, name: 'Where your secrets are' }),
    ).toBeVisible()
  }
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  let value = ''
  let place = ''

  await test.step('that keys last until Keydesk ends is said before one is given', async () => {
    await page.clock.install()
    desk.moveTime()
    const address = await desk.start()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: new URL(address).origin,
    })
    await page.goto(address)
    await expect(page.getByText('There is no keychain on this machine.')).toBeVisible()
    await new FirstRun(page).connect(seller.key, service.baseUrl, 'Kestrel Keys')
  })

  await test.step('an import asks for a passphrase first; declined, no line is taken', async () => {
    await shell.open('Import keys')
    await new ImportPage(page).drop('restock.csv', keyFile(23, 40, 2, 1).csv)
    await decline('Choose a passphrase for your keys')
    await expect(page.getByText('Lines read')).toHaveCount(0)
    await expect(page.getByText('restock.csv')).toHaveCount(0)
  })

  await test.step('so does the download of an order’s keys, and the service records no delivery', async () => {
    await shell.act('Connect an account')
    await new FirstRun(page).connect(partner.key, service.baseUrl, 'Northgate')
    await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeVisible()
    await order.placeOne(/^Steam/, /^Key\b/)
    await order.downloadKeys()
    await decline('Choose a passphrase for your keys')
    await expect(order.keys).toHaveCount(0)
    expect(
      await service.dashboard('GET', '/requests?limit=1&path=/v1/orders/*/keys'),
    ).toMatchObject({ total: 0 })
  })

  await test.step('behind a passphrase the keys come, and one is revealed', async () => {
    await order.downloadKeys()
    await shell.openVault()
    await order.confirmDownload()
    value = await order.reveal(0)
    place = page.url()
  })

  await test.step('a copied key leaves the clipboard after 30 seconds, unless somebody copied something else', async () => {
    const copy = order.keys.first().getByRole('button', { name: /^Copy key \d+ of line \d+$/ })
    await copy.click()
    await expect(page.getByText('Key copied')).toBeVisible()
    expect(await clipboard()).toBe(value)
    await page.clock.fastForward(12_000)
    expect(await clipboard()).toBe(value)
    await page.clock.fastForward(30_000)
    await expect.poll(clipboard).toBe('')
    await copy.click()
    await expect.poll(clipboard).toBe(value)
    await page.evaluate(() => navigator.clipboard.writeText('a shopping list'))
    await page.clock.fastForward(31_000)
    expect(await clipboard()).toBe('a shopping list')
  })

  await test.step('locked by hand, revealing asks again; declined, it stays masked', async () => {
    await page.keyboard.press('Control+Shift+L')
    await expect(page.getByText('The vault is locked')).toBeVisible()
    await order.keys
      .first()
      .getByRole('button', { name: /^Reveal key/ })
      .click()
    await decline('Open the vault')
    await expect(order.keys.first().getByRole('button', { name: /^Reveal key/ })).toBeVisible()
    await expect(page.getByText(value)).toHaveCount(0)
  })

  await test.step('the page of secrets tells what is true here', async () => {
    await secrets()
    await expect(page.getByText('No keychain answers here.')).toBeVisible()
    await expect(
      page.getByRole('row', { name: /^Northgate Memory, until Keydesk ends .*1 delivered key/ }),
    ).toBeVisible()
    await expect(page.getByText('Locked', { exact: true })).toBeVisible()
    await expect(page.getByText('in clear', { exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await shell.openVault()
    await expect(page.getByText('Open', { exact: true }).first()).toBeVisible()
  })

  await test.step('left alone for as long as the setting says it locks by itself, and says why', async () => {
    const minutes = page.getByLabel('Minutes without use until the vault locks')
    await minutes.fill('2')
    await minutes.blur()
    await expect(minutes).toHaveValue('2 min')
    desk.passMinute()
    await expect(page.getByText('Open', { exact: true }).first()).toBeVisible()
    desk.passMinute()
    await expect(page.getByText('Nobody used Keydesk for a while.')).toBeVisible()
    await expect(page.getByText('Locked', { exact: true })).toBeVisible()
    await minutes.fill('0')
    await minutes.blur()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await shell.openVault()
    await expect(page.getByText('Open', { exact: true }).first()).toBeVisible()
    desk.passMinute()
    desk.passMinute()
  })

  await test.step('the vault gets a new key, by which everything kept goes on being read', async () => {
    const anew = await dialogOf(page, 'Make a new key…', 'Give the vault a new key')
    await anew.fill({ 'Passphrase of the vault': vaultPassphrase })
    await anew.press('Make a new key')
    await expect(page.getByText('The vault has a new key')).toBeVisible()
  })

  let encrypted: SavedFile = { name: '', bytes: Buffer.alloc(0) }
  let recovery = encrypted
  await test.step('all keys leave as one encrypted file, or in clear when that is typed', async () => {
    const sealed = await dialogOf(page, 'Encrypted…', 'Export the kept keys')
    await sealed.fill({
      'Passphrase of the file': passphrases.export,
      'The same again': passphrases.export,
    })
    encrypted = await saved(page, () => sealed.press('Save the export'))
    expect(encrypted.name).toMatch(/^keys \d{4}-\d\d-\d\d\.keydesk$/)
    expect(encrypted.bytes.includes(value)).toBe(false)
    const plain = await dialogOf(page, 'In clear…', 'Export the kept keys in clear')
    await plain.dialog.getByRole('textbox').fill('export')
    await expect(plain.dialog.getByRole('button', { name: 'Save them in clear' })).toBeDisabled()
    await plain.dialog.getByRole('textbox').fill('export unencrypted')
    const clear = await saved(page, () => plain.press('Save them in clear'))
    expect(clear.name).toMatch(/unencrypted\.csv$/)
    expect(clear.bytes.toString()).toContain(value)
  })

  await test.step('a recovery copy is saved, and the passphrase changed', async () => {
    const copy = await dialogOf(page, 'Make one…', 'Make a recovery copy')
    await copy.fill({
      'Passphrase of the vault': vaultPassphrase,
      'Passphrase of the copy': passphrases.recovery,
      'The same again': passphrases.recovery,
    })
    recovery = await saved(page, () => copy.press('Save the copy'))
    const change = await dialogOf(page, 'Change…', 'Change the passphrase')
    await change.fill({
      'Passphrase of the vault': 'not this one at all',
      'New passphrase': passphrases.later,
      'The same again': passphrases.later,
    })
    await change.press('Use this passphrase')
    await expect(change.dialog.getByText('The vault’s passphrase is wrong.')).toBeVisible()
    await change.fill({ 'Passphrase of the vault': vaultPassphrase })
    await change.press('Use this passphrase')
    await expect(page.getByText('The passphrase opens the vault from now on')).toBeVisible()
  })

  await test.step('on another desk the encrypted file opens by its passphrase alone, and shows the key', async () => {
    const other = new Desk()
    const beside = await browser.newPage()
    await beside.goto(await other.start())
    await new FirstRun(beside).connect(seller.key, service.baseUrl, 'The other desk')
    await new Shell(beside).act('Where your secrets are')
    const reading = await dialogOf(beside, 'Read one…', 'Read an export')
    await reading.give(encrypted)
    await reading.fill({ 'Passphrase of the file': 'a wrong guess' })
    await reading.press('Open it')
    await expect(reading.dialog.getByText(/passphrase/i).last()).toBeVisible()
    await reading.fill({ 'Passphrase of the file': passphrases.export })
    await reading.press('Open it')
    const opened = beside.getByRole('dialog').filter({ hasText: '1 key in this export' })
    await expect(opened.getByText('Northgate')).toBeVisible()
    await expect(opened.getByText(value)).toHaveCount(0)
    await opened.getByRole('button', { name: 'Reveal key 1' }).click()
    await expect(opened.getByText(value)).toBeVisible()
    await beside.close()
    expect(other.files().filter(({ bytes }) => bytes.includes(value))).toEqual([])
    await other.remove()
  })

  await test.step('Keydesk ends: API keys are gone with it, kept keys are not, and the recovery copy opens them without the passphrase', async () => {
    await desk.end()
    expect(
      desk
        .files()
        .filter(
          ({ path, bytes }) =>
            path.startsWith(desk.dataDir) &&
            (bytes.includes(value) || apiKey.test(bytes.toString('latin1'))),
        )
        .map(({ path }) => path),
    ).toEqual([])
    await page.goto(await desk.start())
    await expect(page.getByText('Its key is not on this machine any more.').first()).toBeVisible()
    await secrets()
    const back = await dialogOf(page, 'Open with one…', 'Open the vault with its recovery copy')
    await back.give(recovery)
    await back.fill({
      'Passphrase of the copy': passphrases.recovery,
      'New passphrase of the vault': vaultPassphrase,
      'The same again': vaultPassphrase,
    })
    await back.press('Open the vault')
    await expect(page.getByText('The vault is open again')).toBeVisible()
    await page.evaluate((hash) => {
      location.hash = hash
    }, new URL(place).hash)
    expect(await order.reveal(0)).toBe(value)
  })
  await service.stop()
})
