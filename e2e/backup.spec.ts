import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { connectionTo } from './support/core-connection.ts'
import { ExternalService } from './support/service.ts'

const passphrase = 'backup passphrase'

test(
  'backs up while running, and restores data, tables, filters and settings with a restart',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    let line: Awaited<ReturnType<typeof connectionTo>>
    const service = new ExternalService(harness.home, 60)
    await service.start()
    const { key } = await service.issueKey('sellers')
    const shell = new Shell(page)
    const dialog = page.getByRole('dialog')
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const views = page.getByRole('group', { name: 'Views' })
    const pace = page.getByRole('combobox', { name: 'Sync frequency: Sales' })
    const file = join(harness.home, 'taken.keydesk-backup')

    await test.step('set up an account, a narrowed table and a setting', async () => {
      await page.goto(await harness.start())
      await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Keys')
      line = await connectionTo(page)
      await shell.open('Sales')
      await expect(page.getByRole('grid', { name: 'Sales' })).toHaveAttribute('aria-busy', 'false')
      await button('Columns and row height').click()
      await page.getByRole('checkbox', { name: 'Customer' }).uncheck()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('columnheader', { name: 'Customer' })).toHaveCount(0)
      await views.getByRole('button', { name: /^Released/ }).click()
      await page.getByRole('columnheader', { name: /^You receive/ }).click()
      await shell.open('Settings')
      await pace.selectOption('4')
      // It is saved a moment after it was chosen.
      await expect(async () =>
        expect(JSON.stringify(await line.rpc.app.tables())).toContain('released'),
      ).toPass()
    })

    await test.step('the backup is encrypted and contains neither the key nor a name', async () => {
      await button('Back up…').click()
      await dialog.getByLabel('Passphrase of the backup').fill(passphrase)
      await dialog.getByLabel('Repeat passphrase').fill(passphrase)
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Save the backup' }).click()
      await (await download).saveAs(file)
      await expect(dialog).toBeHidden()
      const bytes = readFileSync(file)
      expect(bytes.subarray(0, 40).toString()).toContain('"format":"keydesk-backup"')
      for (const secret of [key, 'Kestrel Keys']) expect(bytes.includes(secret)).toBe(false)
    })

    await test.step('diagnostics are shown before saving and contain no key', async () => {
      await button('Review…').click()
      await expect(dialog.getByRole('region', { name: 'File contents' })).toContainText(
        '"account 1"',
      )
      const text = (await dialog.getByRole('region', { name: 'File contents' }).textContent()) ?? ''
      for (const secret of [key, 'Kestrel Keys']) expect(text).not.toContain(secret)
      await page.keyboard.press('Escape')
    })

    await test.step('change data; a wrong passphrase replaces nothing, the right one shows a summary', async () => {
      await pace.selectOption('1')
      await shell.open('Sales')
      await views.getByRole('button', { name: /^All/ }).click()
      await shell.open('Settings')
      await button('Restore…').click()
      await page.locator('input[type="file"]').last().setInputFiles(file)
      await dialog.getByLabel('Passphrase of the backup').fill('something else')
      await dialog.getByRole('button', { name: 'Check the backup' }).click()
      await expect(
        dialog.getByText(/The passphrase is wrong\. The backup file is intact so far/),
      ).toBeVisible({
        timeout: 30_000,
      })
      await dialog.getByLabel('Passphrase of the backup').fill(passphrase)
      await dialog.getByRole('button', { name: 'Check the backup' }).click()
      await expect(dialog.getByText(/Kestrel Keys\. The backup is intact\./)).toBeVisible({
        timeout: 30_000,
      })
    })

    await test.step('Keydesk restarts with the backup and keeps the replaced data', async () => {
      await dialog.getByRole('button', { name: 'Restore and restart' }).click()
      await expect(page.getByText(/^Replaced on /)).toBeVisible({ timeout: 60_000 })
      await expect(pace).toHaveValue('4')
      await shell.open('Sales')
      await expect(views.getByRole('button', { name: /^Released/ })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      await expect(page.getByRole('columnheader', { name: /^You receive/ })).toHaveAttribute(
        'aria-sort',
        /ascending|descending/,
      )
      await expect(page.getByRole('columnheader', { name: 'Product' })).toBeVisible()
      await expect(page.getByRole('columnheader', { name: 'Customer' })).toHaveCount(0)
    })
  },
)
