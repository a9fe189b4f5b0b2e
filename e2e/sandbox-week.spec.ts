import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { SandboxPage } from './pages/sandbox.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/desk.ts'
import { lineOf } from './support/line.ts'

test('a partner’s week in the sandbox: topped up, an order, a webhook that fails and comes again, a claim, seven days later, and all of it taken back', async ({ desk, page }) => {
  test.setTimeout(180_000)
  const sandbox = new SandboxPage(page)
  const events: string[] = []
  // It is down for its first request.
  const receiver = createServer((request, response) => {
    void request.resume().on('end', () => {
      events.push(String(request.headers['x-svc-delivery']))
      response.writeHead(events.length === 1 ? 500 : 204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  await page.goto(await desk.start())
  await new FirstRun(page).startSandbox()
  await new Shell(page).switchTo('Demo partner')
  const line = await lineOf(page)
  const accountId = (await line.rpc.accounts.list()).find(({ role }) => role === 'partner')?.id ?? ''

  await test.step('a bank transfer arrives by its reference, and a letter tells of it', async () => {
    await sandbox.open()
    await sandbox.part('Accounts and keys')
    await (await sandbox.rows('Accounts of the sandbox')).filter({ hasText: 'Northgate Games' }).click()
    const panel = sandbox.panel('Northgate Games')
    await panel.getByRole('button', { name: 'Make one' }).click()
    const reference = panel.getByRole('textbox', { name: 'Reference of the transfer' })
    await expect(reference).toHaveValue(/^KD-/)
    const made = await reference.inputValue()
    await panel.getByRole('button', { name: 'Top up EUR 100.00' }).click()
    await expect(panel.getByText('EUR 1,100.00', { exact: true })).toBeVisible()
    await expect(panel.getByText(`with the reference ${made}`)).toBeVisible()
  })
  await test.step('an order is placed, and its webhook is refused', async () => {
    await sandbox.part('Control')
    const { port } = receiver.address() as AddressInfo
    await sandbox.setEndpoint(`http://127.0.0.1:${port}/hook`)
    const product = (await line.rpc.sandbox.world.products({ search: '', limit: 100 })).results.find(({ qty, price }) => (qty ?? 0) > 2 && price < 5000)
    await line.rpc.orders.placeMany({ accountId, name: 'the week', orders: [{ externalId: 'week-1', lines: [{ productId: product?.id ?? '', qty: 1, maxUnitCents: (product?.price ?? 0) * 2 }] }] })
    await expect(sandbox.deliveries.filter({ hasText: 'order.completed' }).getByRole('img', { name: '1 attempt, waits' })).toBeVisible({ timeout: 30_000 })
    await expect(sandbox.deliveries.filter({ hasText: 'order.completed' })).toContainText('500')
  })
  await test.step('the state is kept; what is due next is the second attempt, which is taken; sent again it is another delivery', async () => {
    await page.keyboard.press('s')
    await page.getByRole('textbox', { name: 'Name of the snapshot' }).fill('week')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('list', { name: 'Saved states' }).getByText('week', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('list', { name: 'Due next' }).getByText('Webhook attempt 2, order.completed')).toBeVisible({ timeout: 30_000 })
    await page.keyboard.press('n')
    await expect(sandbox.deliveries.filter({ hasText: 'order.completed' }).getByRole('img', { name: '2 attempts, taken' })).toBeVisible()
    await sandbox.deliveries.filter({ hasText: 'order.completed' }).getByRole('button', { name: /^Resend/ }).click()
    await expect(sandbox.deliveries.filter({ hasText: 'order.completed' })).toHaveCount(2)
    await expect.poll(() => new Set(events).size).toBe(2)
  })
  await test.step('a customer claims a unit that was sold', async () => {
    await sandbox.part('Claims')
    await expect(await sandbox.rows('Claims of the sandbox')).toHaveCount(6)
    await page.keyboard.press('n')
    const unit = page.getByRole('combobox', { name: 'A unit that the demo seller sold' })
    await unit.click()
    await page.getByRole('option', { name: /pending$/ }).first().click()
    await page.getByRole('button', { name: 'Make the claim' }).click()
    await expect(page.getByRole('complementary').getByText('The code is refused: already used.')).toBeVisible()
    await expect(await sandbox.rows('Claims of the sandbox')).toHaveCount(7)
  })
  await test.step('seven days pass at once', async () => {
    await sandbox.part('Control')
    await page.getByRole('button', { name: '+ 7 days' }).click()
    await expect(sandbox.status.getByRole('link', { name: /^Clock 7 d .*ahead$/ })).toBeVisible()
    expect((await line.rpc.sandbox.world.disputes({})).results.every(({ status }) => status !== 'open')).toBe(true)
  })
  await test.step('restored, the week has not been: time, claim and webhook are where they were', async () => {
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Restore…' }).click()
    await expect(page.getByRole('dialog', { name: 'Restore week?' }).getByText('The clock goes back')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 30_000 })
    await expect(sandbox.status.getByRole('link', { name: /^Clock/ })).toBeHidden()
    await expect(sandbox.deliveries.filter({ hasText: 'order.completed' })).toHaveCount(1)
    await sandbox.part('Claims')
    await expect(await sandbox.rows('Claims of the sandbox')).toHaveCount(6)
    expect(await line.rpc.sandbox.money.verifyLedger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
    expect((await line.rpc.orders.list({ accountId })).rows.map(({ externalId }) => externalId)).toContain('week-1')
  })
  line.close()
  receiver.close()
})
