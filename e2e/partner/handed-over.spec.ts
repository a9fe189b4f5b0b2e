import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { FirstRun, Shell } from '../pages/shell.ts'
import { watchCalls } from '../support/calls.ts'
import { test } from '../support/harness.ts'
import { ExternalService } from '../support/service.ts'

test(
  'marks keys as handed over, warns before a second use, and exports a selection as one file',
  { tag: '@long' },
  async ({ harness, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const service = new ExternalService(harness.home, 40, ['--no-limits'])
    await service.start()
    const { key } = await service.issueKey('partners')
    const { results } = (await service.partner(
      key,
      'GET',
      '/products?inStock=true&deliveryType=key&limit=100',
    )) as { results: { id: string; name: string; price: number; qty: number }[] }
    const product = results.find(({ qty }) => qty > 5)
    for (const externalId of ['first', 'second'])
      await service.partner(key, 'POST', '/orders?wait=10', {
        externalId,
        items: [{ productId: product?.id, qty: 2, maxUnitPrice: 1000 }],
      })
    const calls = await watchCalls(page)
    await page.goto(await harness.start())
    await new FirstRun(page).connect(key, service.baseUrl, 'Kestrel Buys')
    const shell = new Shell(page)
    const orders = page.getByRole('grid', { name: 'Orders' })
    const openOrder = async (name: string): Promise<void> => {
      await shell.open('Orders')
      await orders.getByText(name, { exact: true }).click()
    }
    for (const [at, name] of ['first', 'second'].entries()) {
      await openOrder(name)
      await page.getByRole('button', { name: 'Download keys…' }).click()
      if (at === 0) await shell.openVault()
      await page.getByRole('button', { name: 'Download 2 keys' }).click()
      await expect(page.getByRole('button', { name: /^Reveal key/ })).toHaveCount(2)
    }
    const copy = page.getByRole('button', { name: 'Copy key 1 of line 1', exact: true })
    const row = page
      .getByRole('row')
      .filter({ has: page.getByText('Handed over', { exact: true }) })

    await test.step('copying offers the mark, and a marked key asks before it is copied again', async () => {
      await copy.click()
      await page.getByRole('button', { name: 'Mark as handed over', exact: true }).click()
      await expect(row).toHaveCount(1)
      await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'hidden' })
      await copy.click()
      const question = page.getByRole('dialog', { name: 'This key is already handed over' })
      await expect(question.getByRole('button', { name: 'Copy anyway' })).not.toBeFocused()
      await question.getByRole('button', { name: 'Cancel' }).click()
    })

    await test.step('the mark of one key names its product', async () => {
      await page.getByRole('button', { name: 'Mark key 2 of line 1 as handed over…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Mark as handed over' })
      await expect(dialog).toContainText(`Key 2 of line 1: ${product?.name} · `)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })

    await test.step('Ctrl+Z takes the mark back, and Ctrl+Shift+Z sets it again', async () => {
      await page.keyboard.press('Control+z')
      await expect(row).toHaveCount(0)
      await page.keyboard.press('Control+Shift+z')
      await expect(row).toHaveCount(1)
    })

    const keys = page.getByRole('grid', { name: 'Keys' })
    await test.step('Today leads to the keys to hand over, with the same count', async () => {
      await shell.open('Today')
      const kind = page.getByRole('rowgroup', { name: 'To hand over' })
      await kind.getByText('3', { exact: true }).click()
      await expect(page.getByRole('button', { name: 'Not handed over yet 3' })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
      await expect(keys.getByRole('row')).toHaveCount(4)
    })

    await test.step('a pasted key of any length can be searched for', async () => {
      await expect(page.getByRole('searchbox')).toHaveAttribute('maxlength', '4096')
    })

    await test.step('several keys are exported as one file, and marked with a note', async () => {
      await page.getByRole('button', { name: /^All 4/ }).click()
      await keys.focus()
      await page.keyboard.press('x')
      await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible()
      await page.keyboard.press('x')
      await page.keyboard.press('Control+a')
      await expect(page.getByRole('toolbar', { name: '4 selected' })).toBeVisible()
      await page.getByRole('button', { name: 'Export keys…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Export keys unencrypted' })
      await expect(dialog).toContainText(`4 keys of 2 orders: ${product?.name} · `)
      await expect(dialog).toContainText('1 of them is already handed over.')
      await dialog.getByRole('textbox').fill('export unencrypted')
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Save unencrypted' }).click()
      await shell.prove()
      const lines = readFileSync(await (await download).path(), 'utf8')
        .trimEnd()
        .split('\r\n')
      expect(lines).toHaveLength(5)
      expect(lines[0]).toContain('handed over (UTC),note')
      expect(lines.filter((line) => line.endsWith(',,'))).toHaveLength(3)
      const value = lines[1]?.split(',').at(-3) ?? ''

      await page.getByLabel('Search order or product, or paste a key').fill(` ${value} `)
      await expect(keys.getByRole('row')).toHaveCount(2)
      await page.getByLabel('Search order or product, or paste a key').fill('second')
      await expect(keys.getByRole('row')).toHaveCount(3)
    })

    await test.step('a search without matches names the view that hides records, too', async () => {
      await page.getByLabel('Search order or product, or paste a key').fill('no such key')
      await expect(page.getByText('Nothing in this list matches “no such key”.')).toBeVisible()
      await expect(page.getByText('Choose another view')).toBeHidden()
      await page.getByRole('button', { name: /^Handed over \d/ }).click()
      await expect(page.getByText('“no such key”. Choose another view.')).toBeVisible()
      await shell.open('Orders')
      await page.getByRole('button', { name: /^Failed/ }).click()
      await page.getByLabel('Reference, ID or product').fill('no such order')
      const text = '“no such order”. Choose another view, or remove filters.'
      await expect(page.getByText(text)).toBeVisible()
      await page.getByRole('button', { name: 'Clear search' }).click()
      await page.getByRole('button', { name: /^All/ }).click()
    })

    await test.step('several orders are selected with Shift, marked, and in the file of orders', async () => {
      await shell.open('Orders')
      await orders.getByRole('checkbox').nth(1).click()
      await orders
        .getByRole('checkbox')
        .nth(2)
        .click({ modifiers: ['Shift'] })
      await page.getByRole('button', { name: 'Mark as handed over…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Mark as handed over' })
      await expect(dialog).toContainText(`4 keys of 2 orders: ${product?.name} · `)
      await expect(dialog).toContainText(
        '1 of them is already handed over. Its date and note are replaced.',
      )
      await dialog.getByLabel('Note (optional)').fill('shop 17')
      await dialog.getByRole('button', { name: 'Mark 4 keys' }).click()
      await shell.open('Keys')
      await page.getByRole('button', { name: 'Handed over 4', exact: true }).click()
      await expect(keys.getByText('shop 17').first()).toBeVisible()
    })
    await test.step('no row of the previous filter is checked while the new one loads', async () => {
      const selected = page.getByRole('toolbar', { name: /selected$/ })
      for (const { table, name, search, address } of [
        {
          table: keys,
          name: 'Keys',
          search: 'Search order or product, or paste a key',
          address: '/orders/keys',
        },
        {
          table: orders,
          name: 'Orders',
          search: 'Reference, ID or product',
          address: '/orders/list',
        },
      ] as const) {
        await shell.open(name)
        await page.getByRole('button', { name: /^All/ }).click()
        await expect(table.getByRole('row').nth(2)).toBeVisible()
        await expect(table).toHaveAttribute('aria-busy', 'false')
        calls.hold(address)
        await page.getByLabel(search).fill('sec')
        await expect(table).toHaveAttribute('aria-busy', 'true')
        await table.getByRole('checkbox').nth(1).click()
        await expect(table.getByRole('row', { selected: true })).toHaveCount(0)
        await expect(selected).toBeHidden()
        calls.release()
        await expect(table).toHaveAttribute('aria-busy', 'false')
        await table.getByRole('checkbox').nth(1).click()
        await expect(selected).toHaveAccessibleName('1 selected')
        await page.getByRole('button', { name: 'Clear the selection' }).click()
      }
    })
    await service.stop()
  },
)
