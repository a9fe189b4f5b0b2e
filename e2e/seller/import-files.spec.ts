import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { makeWorkbook } from '../../src/core/key-import/testing/make-workbook.ts'
import { ImportPage, OffersPage } from '../pages/seller.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { test } from '../support/harness.ts'

const keysOf = (batch: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${batch}-KEY${index < 10 ? '0' : ''}${index}-ZZZZZ`)

type Empty = { name: string; offerId: string }

/**
 * Imports three kinds of files for two offers, fixes problems on the way, and fixes and drops the
 * rejected lines again.
 */
test(
  'maps, corrects and uploads three files for two offers, then imports their fixed rejected lines',
  { tag: '@long' },
  async ({ harness, page }, info) => {
    test.setTimeout(180_000)
    const shell = new Shell(page)
    const imports = new ImportPage(page)
    const csv = keysOf('CSVAA', 10)
    const moved = keysOf('MOVED', 10)
    const sheet = keysOf('SHEET', 10)
    const text = keysOf('TEXTS', 5)
    const mended = keysOf('FIXED', 3)
    const used = 'USEDX-KEY01-ZZZZZ'
    let first: Empty = { name: '', offerId: '' }
    let second: Empty = { name: '', offerId: '' }

    await test.step('drop a folder of five files; two of them disappear or change before they are read', async () => {
      await page.goto(await harness.start())
      await new FirstRun(page).startSandbox()
      const [one, two] = await new OffersPage(page).openEmpty(2)
      if (one === undefined || two === undefined) throw new Error('no two empty offers')
      first = one
      second = two
      // The panel is closed, but its row is still the active one.
      await page.keyboard.press('Escape')
      await expect(page.getByRole('complementary')).toBeHidden()
      await page.keyboard.press('i')
      await expect(page.getByText('All lines go to')).toContainText(two.name)
      await shell.open('Import keys')
      const folder = info.outputPath('keys of november')
      const inside = path.join(folder, 'more')
      mkdirSync(inside, { recursive: true })
      writeFileSync(
        path.join(folder, 'november.csv'),
        [
          'code;sku',
          ...csv.map((key) => `${key};${first.offerId}`),
          ...moved.map((key) => `${key};SOME-SKU`),
          '',
        ].join('\n'),
      )
      writeFileSync(
        path.join(folder, 'supplier.xlsx'),
        makeWorkbook([
          { name: 'Read me', rows: [['Hello']] },
          { name: 'Keys', rows: [['serial', 'sku'], ...sheet.map((key) => [key, first.offerId])] },
        ]),
      )
      writeFileSync(
        path.join(inside, 'rest.txt'),
        `Steam keys (6 pcs):\n${text.join('\n')}\n1.23E+15\n\nABC\u0007DEF\n${used} used\n`,
      )
      writeFileSync(path.join(inside, 'gone.txt'), 'GONEX-KEY01-ZZZZZ\n')
      writeFileSync(path.join(inside, 'changed.txt'), 'OLDER-KEY01-ZZZZZ\n')
      writeFileSync(path.join(inside, '.DS_Store'), 'left by a system')
      await imports.dropFromDisk(folder)
      // Nothing is read before the vault is open.
      await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
      rmSync(path.join(inside, 'gone.txt'))
      appendFileSync(path.join(inside, 'changed.txt'), 'NEWER-KEY02-ZZZZZ\n')
      utimesSync(path.join(inside, 'changed.txt'), new Date(2030, 1, 1), new Date(2030, 1, 1))
      await shell.openVault()
      for (const name of ['gone.txt', 'changed.txt'])
        await expect(
          page.getByRole('button', { name: new RegExp(`^${name} This file can’t be opened`) }),
        ).toBeVisible()
      await expect(page.getByText('.DS_Store')).toBeHidden()
      // The first sheet contains one line of text.
      await imports.isChecked(20 + 1 + 10)
      expect(await imports.sum('Rejected')).toBe(3)
    })

    await test.step('correct the sheet, the offers and a match; each is checked again immediately', async () => {
      await page.getByRole('button', { name: /^supplier\.xlsx/ }).click()
      await page.getByRole('combobox', { name: 'Sheet', exact: true }).click()
      await page.getByRole('option', { name: 'Keys' }).click()
      await imports.isChecked(20 + 10 + 10)
      await page.getByRole('button', { name: `Change the offer for ${first.offerId}` }).click()
      await imports.chooseOffer(second.name)
      await expect(page.getByText('Your choice')).toBeVisible()
      await page.getByRole('button', { name: /^november\.csv/ }).click()
      // The first match is selected when it arrives, in a colour that can be read, and taken by Enter.
      const picker = page.getByRole('combobox', { name: /^Offer for SOME-SKU/ })
      await picker.fill(second.name)
      const option = page.getByRole('option', { name: new RegExp(`^${second.name}`) }).first()
      await expect(option).toHaveAttribute('data-combobox-selected', 'true')
      const [text, background] = await option.evaluate((element) => {
        const { color, backgroundColor } = getComputedStyle(element)
        return [color, backgroundColor]
      })
      expect(text).not.toBe('rgb(255, 255, 255)')
      expect(text).not.toBe(background)
      await picker.press('Enter')
      await page.setViewportSize({ width: 960, height: 640 })
      const value = page.getByRole('cell', { name: /^SOME-SKU/ })
      expect(await value.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
      await page.setViewportSize({ width: 1440, height: 900 })
      await expect(page.getByRole('row').filter({ hasText: 'SOME-SKU' })).toContainText(
        'Your choice',
      )
      await page.getByRole('button', { name: /^rest\.txt/ }).click()
      await imports.chooseOffer(first.name)
      await expect(async () => expect(await imports.sum('Ready to upload')).toBe(35)).toPass()
      expect(await imports.sum('No offer yet')).toBe(0)
    })

    await test.step('a heading and a used key are set aside; only what a person includes is sent', async () => {
      expect(await imports.sum('Set aside')).toBe(2)
      await expect(page.getByRole('button', { name: /^rest\.txt/ })).toHaveAccessibleName(
        /2 lines are set aside/,
      )
      const issue = page.getByRole('listitem').filter({ hasText: 'Marked as used' })
      await issue.getByRole('button', { name: 'Include 1 line' }).click()
      await expect(async () => expect(await imports.sum('Ready to upload')).toBe(36)).toPass()
      expect(await imports.sum('Set aside')).toBe(1)
      await expect(issue.getByRole('button', { name: 'Set aside again' })).toBeVisible()
    })

    await test.step('save the way a file was read as a profile', async () => {
      await page.getByRole('button', { name: /^november\.csv/ }).click()
      await page.getByRole('button', { name: 'Save as profile…' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Supplier A')
      await page.getByRole('button', { name: 'Save profile' }).click()
      await expect(page.getByRole('button', { name: '“Supplier A”…' })).toBeVisible()
    })

    await test.step('export rejected lines unchanged and upload the others', async () => {
      const exported = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export to fix…' }).click()
      await shell.saveUnencrypted('3 rejected lines of import')
      const download = await exported
      expect(readFileSync(await download.path(), 'utf8')).toBe('1.23E+15\n\nABC\u0007DEF\n')
      await imports.upload()
      await imports.isReported()
      await expect(page.getByText(/^36 keys uploaded/)).toBeVisible()
    })

    await test.step('drop the fixed lines; the profile reads a file of the same shape', async () => {
      await shell.open('Import keys')
      await page
        .locator('input[type="file"]')
        .first()
        .setInputFiles([
          {
            name: 'rejected lines.txt',
            mimeType: 'text/plain',
            buffer: Buffer.from(`${mended.join('\n')}\n${text[0] ?? ''}\n`),
          },
          {
            name: 'december.csv',
            mimeType: 'text/csv',
            buffer: Buffer.from(`code;sku\nNEWER-KEY01-ZZZZZ;SOME-SKU\n`),
          },
        ])
      await imports.isChecked(5)
      await page.getByRole('button', { name: /^december\.csv/ }).click()
      await page.getByRole('button', { name: 'Use “Supplier A”' }).click()
      await expect(async () => expect(await imports.sum('Ready to upload')).toBe(1)).toPass()
      await page.getByRole('button', { name: /^rejected lines\.txt/ }).click()
      await imports.chooseOffer(first.name)
      await expect(async () => expect(await imports.sum('Ready to upload')).toBe(4)).toPass()
      expect(await imports.sum('Duplicates')).toBe(1)
      await imports.upload()
      await imports.isReported()
    })

    await test.step('the service has each key once, on its offer', async () => {
      await harness.end()
      const service = await harness.service()
      const headers = {
        Authorization: `Bearer ${service.ready.demo.sellerKey}`,
        'Content-Type': 'application/json',
      }
      const stockOf = async ({ offerId }: Empty): Promise<string[]> => {
        const answer = await fetch(`${service.ready.sellerUrl}/offers/${offerId}/withdraw`, {
          method: 'POST',
          headers,
          body: '{}',
        })
        return ((await answer.json()) as { keys: string[] }).keys.toSorted()
      }
      expect(await stockOf(first)).toEqual([...csv, ...text, ...mended, used].toSorted())
      expect(await stockOf(second)).toEqual([...moved, ...sheet, 'NEWER-KEY01-ZZZZZ'].toSorted())
      await service.end()
    })
  },
)
