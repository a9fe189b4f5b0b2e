import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { ImportPage } from '../pages/seller.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { test } from '../support/harness.ts'

const keys = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${String(10_000 + index)}-KEY22`)

/**
 * Imports a delivery with broken lines, fixes and drops its rejected lines, and undoes the complete
 * bad delivery.
 */
test(
  'imports fixed lines, undoes one import without touching the others, and shows a key’s history',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(240_000)
    const shell = new Shell(page)
    const imports = new ImportPage(page)
    const good = keys('GOOD2', 40)
    const bad = keys('BADD2', 25)
    const saved = async (button: string): Promise<{ name: string; text: string }> => {
      const exported = page.waitForEvent('download')
      await page.getByRole('button', { name: button }).first().click()
      if (button === 'Export to fix…') await shell.saveUnencrypted('2 rejected lines of import 1')
      const download = await exported
      return {
        name: download.suggestedFilename(),
        text: readFileSync(await download.path(), 'utf8'),
      }
    }
    let offerId = ''
    let name = ''

    await test.step('import a file with two broken lines to an empty offer', async () => {
      await page.goto(await harness.start())
      await new FirstRun(page).startSandbox()
      const empty = await imports.intoEmptyOffer(
        'delivery.txt',
        [...good.slice(0, 20), '1.23E+15', ...good.slice(20), '9.87E+11'].join('\r\n'),
        42,
      )
      offerId = empty.offerId
      name = empty.name
      expect(await imports.sum('Rejected')).toBe(2)
      await imports.upload()
      await imports.isReported()
      await page.getByText('Spreadsheet damage').click()
      await expect(page.getByText('Lines 21, 42', { exact: true })).toBeVisible()
      const report = await saved('Export report')
      expect(report.name).toMatch(/^import-\d+-report\.csv$/)
      expect(report.text).toContain('delivery.txt,21,Rejected,Spreadsheet damage')
    })

    await test.step('rejected lines are exported byte for byte; fixed, they are imported again', async () => {
      const file = await saved('Export to fix…')
      expect(file).toEqual({ name: 'delivery-rejected.txt', text: '1.23E+15\n9.87E+11\n' })
      await page.getByRole('button', { name: 'Import the fixed lines…' }).click()
      await imports.drop(
        file.name,
        file.text.replace('1.23E+15', 'FIXED-00001-KEY22').replace('9.87E+11', 'FIXED-00002-KEY22'),
      )
      await imports.isChecked(2)
      expect(await imports.sum('Rejected')).toBe(0)
      await imports.upload()
      await imports.isReported()
    })

    await test.step('undo a bad delivery: its keys move to the vault, the others stay on the offer', async () => {
      await page.goto(new URL(`/#/import?offer=${offerId}`, page.url()).href)
      await imports.drop('bad.txt', bad.join('\n'))
      await imports.isChecked(25)
      await imports.upload()
      await imports.isReported()
      await page.getByRole('button', { name: 'Undo this import…' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText('Each offer is paused during the undo')).toBeVisible()
      await expect(dialog.getByText('42 other keys are uploaded again')).toBeVisible()
      await expect(dialog.getByRole('row').filter({ hasText: name })).toContainText(/25.*0.*42/)
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Control+Enter')
      await expect(
        page.getByText(
          'Undone on 1 of 1 offer: 25 keys in the vault, 42 keys of other imports uploaded again.',
        ),
      ).toBeVisible({ timeout: 40_000 })
      expect((await saved('Export result')).text).toContain('Undone,25,42,')
    })

    await test.step('the import history and the key history show the undo', async () => {
      await shell.open('Import history')
      const history = page.getByRole('grid', { name: 'Import history' })
      await expect(history.getByRole('row').filter({ hasText: 'bad.txt' })).toContainText(name)
      await shell.open('Key history')
      await page.getByLabel('A key').fill(bad[3] ?? '')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Read from bad.txt, line 4')).toBeVisible()
      await expect(page.getByText('Withdrawn from the offer')).toBeVisible()
      await expect(page.getByText(bad[3] ?? '')).toBeHidden()
      await page.getByRole('button', { name: 'Check another key' }).click()
      await page.getByLabel('A key').fill('NOBODY-KNOWS-THIS1')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Key not found in any upload from Keydesk')).toBeVisible()
    })

    await test.step('the service has each of the other keys once, and none of the bad delivery', async () => {
      await harness.end()
      const service = await harness.service()
      const headers = {
        Authorization: `Bearer ${service.ready.demo.sellerKey}`,
        'Content-Type': 'application/json',
      }
      const answer = await fetch(`${service.ready.sellerUrl}/offers/${offerId}/withdraw`, {
        method: 'POST',
        headers,
        body: '{}',
      })
      const { keys: there } = (await answer.json()) as { keys: string[] }
      await service.end()
      expect(there.toSorted()).toEqual(
        [...good, 'FIXED-00001-KEY22', 'FIXED-00002-KEY22'].toSorted(),
      )
    })
  },
)
