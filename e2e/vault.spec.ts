import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { OrderPage } from './pages/partner.ts'
import { ImportPage, OutboxPage } from './pages/seller.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { Harness, test } from './support/harness.ts'
import { keyFile } from './support/key-file.ts'
import { ExternalService } from './support/service.ts'
import { vaultPassphrase } from './support/vault-passphrase.ts'

const products = 120
const passphrases = {
  export: 'an export for my accountant',
  recovery: 'kept in the safe at home',
  later: 'velvet tractor hums over marmalade',
}
const apiKey = /svcs?_(?:live_|test_)?[A-Za-z0-9]{32}/

test.use({ bare: true })

type SavedFile = { name: string; bytes: Buffer }

/** Performs an action that starts a browser download, and returns the file. */
async function saved(page: Page, work: () => Promise<void>): Promise<SavedFile> {
  const [download] = await Promise.all([page.waitForEvent('download'), work()])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

/** The dialog of a vault action. */
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

test(
  'protects keys with a passphrase without a keychain, exports them and recovers the vault',
  { tag: '@long' },
  async ({ harness, page, context, browser }) => {
    test.setTimeout(300_000)
    const service = new ExternalService(harness.home, products)
    await service.start()
    const seller = await service.issueKey('sellers')
    const partner = await service.issueKey('partners')
    const shell = new OutboxPage(page)
    const order = new OrderPage(page)
    const dialog = page.getByRole('dialog')
    const declined = page.getByText('Canceled: the vault stays locked')
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

    await test.step('before a key is entered, Keydesk says that keys last until it quits', async () => {
      await page.clock.install()
      harness.moveTime()
      const address = await harness.start()
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(address)
      await expect(page.getByText('This computer has no keychain.')).toBeVisible()
      await new FirstRun(page).connect(seller.key, service.baseUrl, 'Kestrel Keys')
    })

    await test.step('an import asks for a passphrase first; if declined, no line is imported', async () => {
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

    await test.step('with a passphrase the keys arrive, and one is revealed', async () => {
      await order.downloadKeys()
      await shell.openVault()
      await order.confirmDownload()
      value = await order.reveal(0)
      place = page.url()
    })

    await test.step('a copied key leaves the clipboard after 30 seconds unless something else was copied', async () => {
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

    await test.step('after locking by hand, revealing asks again; if declined, the key stays masked', async () => {
      await page.keyboard.press('Control+Shift+L')
      await expect(page.getByText('Vault locked')).toBeVisible()
      await order.keys
        .first()
        .getByRole('button', { name: /^Reveal key/ })
        .click()
      await decline('Unlock the vault')
      await expect(order.keys.first().getByRole('button', { name: /^Reveal key/ })).toBeVisible()
      await expect(page.getByText(value)).toHaveCount(0)
    })

    await test.step('it keeps what is typed before its field has the focus, and no typed letter acts', async () => {
      await page.keyboard.press('e')
      await page.keyboard.type('ga b')
      await expect(dialog.getByLabel('Passphrase', { exact: true })).toBeFocused()
      await page.keyboard.type('c')
      await expect(dialog.getByLabel('Passphrase', { exact: true })).toHaveValue('ga bc')
      await decline('Unlock the vault')
    })

    await test.step('it closes and says so when the page behind it changes', async () => {
      const reveal = order.keys.first().getByRole('button', { name: /^Reveal key/ })
      await reveal.click()
      await expect(dialog.getByRole('heading', { name: 'Unlock the vault' })).toBeVisible()
      await page.evaluate(() => {
        location.hash = '/activity'
      })
      await expect(dialog).toBeHidden()
      await expect(declined.last()).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
      await page.evaluate((hash) => {
        location.hash = hash
      }, new URL(place).hash)
      await expect(reveal).toBeVisible()
      await expect(page.getByText(value)).toHaveCount(0)
    })

    await test.step('the page of secrets describes this computer', async () => {
      await secrets()
      await expect(page.getByText('No keychain is available on this computer.')).toBeVisible()
      await expect(
        page.getByRole('row', {
          name: /^Northgate SANDBOX Memory, until Keydesk quits .*1 delivered key/,
        }),
      ).toBeVisible()
      await expect(page.getByText('Locked', { exact: true })).toBeVisible()
      await expect(page.getByText('unencrypted', { exact: true })).toHaveCount(0)
      await page.getByRole('button', { name: 'Unlock', exact: true }).click()
      await shell.openVault()
      await expect(page.getByText('Unlocked', { exact: true }).first()).toBeVisible()
    })

    await test.step('without use, it locks after the time in the settings and says why', async () => {
      const minutes = page.getByLabel('Minutes without use until the vault locks')
      await minutes.fill('2')
      await minutes.blur()
      await expect(minutes).toHaveValue('2 min')
      harness.passMinute()
      await expect(page.getByText('Unlocked', { exact: true }).first()).toBeVisible()
      // Two signals in quick succession can arrive as one.
      await expect(async () => {
        harness.passMinute()
        await expect(page.getByText('Keydesk wasn’t used for a while.')).toBeVisible({
          timeout: 5000,
        })
      }).toPass()
      await expect(page.getByText('Locked', { exact: true })).toBeVisible()
      await minutes.fill('0')
      await minutes.blur()
      await page.getByRole('button', { name: 'Unlock', exact: true }).click()
      await shell.openVault()
      await expect(page.getByText('Unlocked', { exact: true }).first()).toBeVisible()
      harness.passMinute()
      harness.passMinute()
    })

    await test.step('replace the vault’s key; all saved keys stay readable', async () => {
      const rekey = await dialogOf(page, 'Replace key…', 'Replace the vault’s key')
      await rekey.fill({ 'Passphrase of the vault': vaultPassphrase })
      await rekey.press('Replace key')
      await expect(page.getByText('Vault key replaced')).toBeVisible()
    })

    let encrypted: SavedFile = { name: '', bytes: Buffer.alloc(0) }
    let recovery = encrypted
    await test.step('export all keys as one encrypted file, or unencrypted after typing the phrase', async () => {
      const sealed = await dialogOf(page, 'Encrypted…', 'Export saved keys')
      await sealed.fill({
        'Passphrase of the file': passphrases.export,
        'Repeat passphrase': passphrases.export,
      })
      encrypted = await saved(page, async () => {
        await sealed.press('Save export')
        await shell.prove()
      })
      expect(encrypted.name).toMatch(/^keys-\d{4}-\d\d-\d\d\.keydesk$/)
      expect(encrypted.bytes.includes(value)).toBe(false)
      const plain = await dialogOf(page, 'Unencrypted…', 'Export keys unencrypted')
      await plain.dialog.getByRole('textbox').fill('export')
      await expect(plain.dialog.getByRole('button', { name: 'Save unencrypted' })).toBeDisabled()
      await plain.dialog.getByRole('textbox').fill('export unencrypted')
      const clear = await saved(page, async () => {
        await plain.dialog.getByRole('button', { name: 'Save unencrypted' }).click()
        await shell.prove()
      })
      expect(clear.name).toMatch(/unencrypted\.csv$/)
      expect(clear.bytes.toString()).toContain(value)
    })

    await test.step('save a recovery copy and change the passphrase', async () => {
      const copy = await dialogOf(page, 'Make a copy…', 'Make a recovery copy')
      await copy.fill({
        'Passphrase of the vault': vaultPassphrase,
        'Passphrase of the copy': passphrases.recovery,
        'Repeat passphrase': passphrases.recovery,
      })
      recovery = await saved(page, () => copy.press('Save copy'))
      const change = await dialogOf(page, 'Change…', 'Change the passphrase')
      await change.fill({
        'Passphrase of the vault': 'not this one at all',
        'New passphrase': passphrases.later,
        'Repeat passphrase': passphrases.later,
      })
      await change.press('Use this passphrase')
      await expect(change.dialog.getByText('The vault’s passphrase is wrong.')).toBeVisible()
      await change.fill({ 'Passphrase of the vault': vaultPassphrase })
      await change.press('Use this passphrase')
      await expect(page.getByText('Passphrase changed')).toBeVisible()
    })

    await test.step('in another data folder, the encrypted file opens with its passphrase alone', async () => {
      const other = new Harness()
      const beside = await browser.newPage()
      await beside.goto(await other.start())
      await new FirstRun(beside).connect(seller.key, service.baseUrl, 'The other shop')
      await new Shell(beside).act('Where your secrets are')
      const reading = await dialogOf(beside, 'Open an export…', 'Open an export')
      await reading.give(encrypted)
      await reading.fill({ 'Passphrase of the file': 'a wrong guess' })
      await reading.press('Open export')
      await expect(reading.dialog.getByText(/passphrase/i).last()).toBeVisible()
      await reading.fill({ 'Passphrase of the file': passphrases.export })
      await reading.press('Open export')
      const opened = beside.getByRole('dialog').filter({ hasText: '1 key in this export' })
      await expect(opened.getByText('Northgate')).toBeVisible()
      await expect(opened.getByText(value)).toHaveCount(0)
      await opened.getByRole('button', { name: 'Reveal key 1' }).click()
      await expect(opened.getByText(value)).toBeVisible()
      await beside.close()
      expect(other.files().filter(({ bytes }) => bytes.includes(value))).toEqual([])
      await other.remove()
    })

    await test.step('after a restart, API keys are gone, and the recovery copy opens the saved keys', async () => {
      await harness.end()
      expect(
        harness
          .files()
          .filter(
            ({ path, bytes }) =>
              path.startsWith(harness.dataDir) &&
              (bytes.includes(value) || apiKey.test(bytes.toString('latin1'))),
          )
          .map(({ path }) => path),
      ).toEqual([])
      await page.goto(await harness.start())
      await expect(
        page.getByText('The API key isn’t on this computer anymore.').first(),
      ).toBeVisible()
      await secrets()
      const back = await dialogOf(page, 'Use a copy…', 'Unlock the vault with a recovery copy')
      await back.give(recovery)
      await back.fill({
        'Passphrase of the copy': passphrases.recovery,
        'New passphrase of the vault': vaultPassphrase,
        'Repeat passphrase': vaultPassphrase,
      })
      await back.press('Unlock the vault')
      await expect(page.getByText('Vault unlocked')).toBeVisible()
      await page.evaluate((hash) => {
        location.hash = hash
      }, new URL(place).hash)
      expect(await order.reveal(0)).toBe(value)
    })
    await service.stop()
  },
)
