import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { FirstRun, Shell } from './pages/shell.ts'
import { Harness, test } from './support/harness.ts'
import { SecretService } from './support/secret-service.ts'
import { ExternalService } from './support/service.ts'
import { vaultPassphrase } from './support/vault-passphrase.ts'

const passphrases = { copy: 'kept in the safe at home', backup: 'backup passphrase' }

test.use({ bare: true })

/** Fills a dialog of passphrases, presses its button, and saves the file that it offers. */
async function saved(page: Page, fields: Record<string, string>, button: string, file: string) {
  const dialog = page.getByRole('dialog')
  for (const [label, text] of Object.entries(fields))
    await dialog.getByLabel(label, { exact: true }).fill(text)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: button }).click()
  await (await download).saveAs(file)
  await expect(dialog).toBeHidden()
}

test(
  'unlocks a vault whose keychain is gone with its recovery copy, and restores a backup on a new computer',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const keychain = await SecretService.start(harness.home)
    test.skip(keychain === null, 'This machine has no Secret Service.')
    const service = new ExternalService(harness.home, 60)
    await service.start()
    const { key } = await service.issueKey('partners')
    const shell = new Shell(page)
    const dialog = page.getByRole('dialog')
    const noKey = page.getByText('The API key isn’t on this computer anymore.').first()
    const titled = (title: string) => dialog.getByRole('heading', { name: title })
    const files = {
      copy: join(harness.home, 'recovery.json'),
      backup: join(harness.home, 'taken.keydesk-backup'),
    }

    await test.step('with a keychain, make a recovery copy and a backup', async () => {
      harness.environment['DBUS_SESSION_BUS_ADDRESS'] = keychain?.address ?? ''
      await page.goto(await harness.start())
      await new FirstRun(page).connect(key, service.baseUrl, 'Northgate')
      await shell.act('Where your secrets are')
      await page.getByRole('button', { name: 'Make a copy…' }).click()
      const copy = {
        'Passphrase of the copy': passphrases.copy,
        'Repeat passphrase': passphrases.copy,
      }
      await saved(page, copy, 'Save copy', files.copy)
      await shell.open('Settings')
      await page.getByRole('button', { name: 'Back up…' }).click()
      const backup = {
        'Passphrase of the backup': passphrases.backup,
        'Repeat passphrase': passphrases.backup,
      }
      await saved(page, backup, 'Save the backup', files.backup)
      await harness.end()
    })

    await test.step('without it, no passphrase is asked for: retry, or recover', async () => {
      delete harness.environment['DBUS_SESSION_BUS_ADDRESS']
      await page.goto(await harness.start())
      await expect(noKey).toBeVisible()
      await shell.act('Where your secrets are')
      await page.getByRole('button', { name: 'Unlock', exact: true }).click()
      await expect(titled('The keychain isn’t available')).toBeVisible()
      await expect(dialog.getByText('The vault has no passphrase.')).toBeVisible()
      await expect(dialog.getByLabel('Passphrase')).toHaveCount(0)
      await expect(dialog.getByText(/GNOME Keyring or KWallet/).first()).toBeVisible()
      await dialog.getByRole('button', { name: 'Try again' }).click()
      await expect(dialog.getByRole('button', { name: 'Try again' })).toBeEnabled()
      await dialog.getByRole('button', { name: 'Use a recovery copy…' }).click()
      await expect(titled('Unlock the vault with a recovery copy')).toBeVisible()
      await dialog.locator('input[type="file"]').setInputFiles(files.copy)
      await dialog.getByLabel('Passphrase of the copy').fill(passphrases.copy)
      await dialog.getByLabel('New passphrase of the vault').fill(vaultPassphrase)
      await dialog.getByLabel('Repeat passphrase').fill(vaultPassphrase)
      await dialog.getByRole('button', { name: 'Unlock the vault' }).click()
      await expect(page.getByText('Vault unlocked')).toBeVisible({ timeout: 30_000 })
      await expect(dialog).toBeHidden()
      await expect(page.getByText('Unlocked', { exact: true }).first()).toBeVisible()
    })

    await test.step('a new computer restores the backup from the first page', async () => {
      const other = new Harness()
      await page.goto(await other.start())
      await page.getByRole('button', { name: 'Restore from a backup…' }).click()
      await expect(titled('Restore a backup')).toBeVisible()
      await dialog.locator('input[type="file"]').setInputFiles(files.backup)
      await dialog.getByLabel('Passphrase of the backup').fill(passphrases.backup)
      await dialog.getByRole('button', { name: 'Check the backup' }).click()
      await expect(dialog.getByText(/Northgate\. The backup is intact\./)).toBeVisible({
        timeout: 30_000,
      })
      await dialog.getByRole('button', { name: 'Restore and restart' }).click()
      await expect(page.getByRole('button', { name: /^Northgate .*Switch account$/ })).toBeVisible({
        timeout: 60_000,
      })
      await expect(noKey).toBeVisible()
      await shell.act('Where your secrets are')
      await page.getByRole('button', { name: 'Unlock', exact: true }).click()
      await expect(titled('The keychain isn’t available')).toBeVisible()
      await dialog.getByRole('button', { name: 'Not now' }).click()
      await other.remove()
    })
    await service.stop()
    await keychain?.end()
  },
)
