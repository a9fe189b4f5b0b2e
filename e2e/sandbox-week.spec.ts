import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { cents } from '../server/api/money.ts'
import { SandboxPage } from './pages/sandbox.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { test } from './support/harness.ts'
import { connectionTo } from './support/core-connection.ts'

test(
  'runs a partner’s week in the sandbox, from top-up to claim, and restores the snapshot',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const sandbox = new SandboxPage(page)
    const events: string[] = []
    // It fails on its first request.
    const receiver = createServer((request, response) => {
      void request.resume().on('end', () => {
        events.push(String(request.headers['x-svc-delivery']))
        response.writeHead(events.length === 1 ? 500 : 204).end()
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    await page.goto(await harness.start())
    await new FirstRun(page).startSandbox()
    await new Shell(page).switchTo('Demo partner')
    const line = await connectionTo(page)
    const accountId =
      (await line.rpc.accounts.list()).find(({ role }) => role === 'partner')?.id ?? ''

    await test.step('a bank transfer arrives by its reference, and a letter confirms it', async () => {
      await sandbox.open()
      await sandbox.part('Accounts and keys')
      await (
        await sandbox.rows('Accounts of the sandbox')
      )
        .filter({ hasText: 'Northgate Games' })
        .click()
      const panel = sandbox.panel('Northgate Games')
      await panel.getByRole('button', { name: 'Create reference' }).click()
      const reference = panel.getByRole('textbox', { name: 'Transfer reference' })
      await expect(reference).toHaveValue(/^KD-/)
      const made = await reference.inputValue()
      await panel.getByRole('button', { name: 'Top up EUR 100.00' }).click()
      await expect(panel.getByText('EUR 1,100.00', { exact: true })).toBeVisible()
      await expect(panel.getByText(`with the reference ${made}`)).toBeVisible()
    })
    await test.step('create a key, show it once, and use it at the API until it is revoked', async () => {
      const panel = sandbox.panel('Northgate Games')
      const dialog = page.getByRole('dialog')
      await panel.getByRole('button', { name: 'New key…' }).click()
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByRole('button', { name: 'Reveal the key' }).click()
      const key = (await dialog.getByText(/^svc_test_[^•]+$/).textContent()) ?? ''
      await dialog.getByRole('button', { name: 'Done' }).click()
      const baseUrl = (await line.rpc.sandbox.state()).baseUrl ?? ''
      const ping = async (): Promise<number> =>
        (await fetch(`${baseUrl}/ping`, { headers: { Authorization: `Bearer ${key}` } })).status
      expect(await ping()).toBe(200)
      await panel
        .getByRole('button', { name: `Revoke the key that ends in ${key.slice(-4)}` })
        .click()
      await page.keyboard.press('Control+Enter')
      await expect(panel.getByRole('listitem').filter({ hasText: key.slice(-4) })).toContainText(
        'revoked',
      )
      expect(await ping()).toBe(401)
    })
    await test.step('change limits and name; a suspended partner is rejected until it is active again', async () => {
      const panel = sandbox.panel('Northgate Games')
      await panel.getByRole('textbox', { name: 'Per order' }).fill('50.00')
      await panel.getByRole('button', { name: 'Save limits' }).click()
      await expect(async () =>
        expect(
          (await line.rpc.sandbox.accounts.partners({ limit: 100 })).results.find(
            ({ name }) => name === 'Northgate Games',
          )?.perOrderLimit,
        ).toBe(5000),
      ).toPass()
      const status = panel.getByRole('combobox', { name: 'Status' })
      for (const [word, state] of [
        ['Suspended', 'suspended'],
        ['Active', 'active'],
      ] as const) {
        await status.click()
        await page.getByRole('option', { name: word, exact: true }).click()
        await expect
          .poll(
            async () =>
              (await line.rpc.sandbox.accounts.partners({ limit: 100 })).results.find(
                ({ name }) => name === 'Northgate Games',
              )?.status,
          )
          .toBe(state)
      }
      // After a suspension, Keydesk checks every five minutes, and immediately when asked.
      await expect(async () => {
        await line.rpc.accounts.syncNow({ accountId })
        expect((await line.rpc.accounts.list()).find(({ id }) => id === accountId)?.state).toBe(
          'ready',
        )
      }).toPass({ timeout: 30_000 })
      await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Northgate Games Ltd')
      await page.keyboard.press('Enter')
      await expect(sandbox.panel('Northgate Games Ltd')).toBeVisible()
    })
    await test.step('create a seller with its own key; create a product and remove it from the catalogue', async () => {
      await page.getByRole('button', { name: 'New seller…' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Harbour Keys')
      await page.keyboard.press('Enter')
      const panel = sandbox.panel('Harbour Keys')
      await panel.getByRole('button', { name: 'New key…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
      await expect(panel.getByRole('list', { name: 'Keys' })).toContainText('svcs_')
      await sandbox.part('Products')
      await sandbox.rows('Products of the sandbox')
      await page.keyboard.press('n')
      const made = sandbox.panel('New product')
      for (const [name, value] of [
        ['Name', 'Week of Tides'],
        ['Platform', 'Steam'],
        ['Region', 'Global'],
      ] as const)
        await made.getByRole('textbox', { name, exact: true }).fill(value)
      await made.getByRole('button', { name: 'Create product' }).click()
      await page
        .getByRole('searchbox', { name: 'Search the sandbox’s catalogue' })
        .fill('Week of Tides')
      await (
        await sandbox.rows('Products of the sandbox')
      )
        .filter({ hasText: 'Week of Tides' })
        .click()
      await sandbox
        .panel('Week of Tides')
        .getByRole('switch', { name: 'Removed from the catalogue' })
        .press('Space')
      await expect(
        (await sandbox.rows('Products of the sandbox')).filter({ hasText: 'Week of Tides' }),
      ).toContainText('Removed')
    })
    await test.step('add a fault by its dialog and by JSON; turn on the market', async () => {
      await sandbox.part('Control')
      await page.getByRole('button', { name: 'Error', exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: /^Path/ }).fill('/v1/balance')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('list', { name: 'Faults' })).toContainText('/v1/balance')
      await page.getByRole('button', { name: 'As JSON…' }).click()
      await expect(
        page.getByRole('dialog').getByRole('textbox', { name: 'Faults as JSON' }),
      ).toHaveValue(/"\/v1\/balance"/)
      await page.getByRole('dialog').getByRole('textbox', { name: 'Faults as JSON' }).fill('[]')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(await line.rpc.sandbox.control.faults()).toEqual([])
      await expect(page.getByText(/^[\d,]+ hidden$/)).toBeVisible()
      await page.evaluate(() => {
        location.hash = '#/sandbox/control?method=PUT'
      })
      await page.getByLabel('Show Keydesk’s own requests').check()
      const log = page.getByRole('table', { name: 'Request log' }).getByRole('button')
      await page.getByRole('combobox', { name: 'API' }).click()
      await page.getByRole('option', { name: 'Dashboard' }).click()
      await expect(log.first()).toHaveAccessibleName(/^PUT \/dashboard\/faults, 200, /)
      await page.getByLabel('Show Keydesk’s own requests').uncheck()
      for (const running of [true, false]) {
        const runs = page.getByRole('switch', { name: 'Run the market' })
        await expect(runs).toBeChecked({ checked: !running })
        await expect(runs).toBeEnabled()
        await runs.press('Space')
        await expect
          .poll(async () => (await line.rpc.sandbox.control.market()).running)
          .toBe(running)
      }
    })
    await test.step('place an order whose webhook is rejected', async () => {
      await sandbox.part('Control')
      const { port } = receiver.address() as AddressInfo
      await sandbox.setEndpoint(`http://127.0.0.1:${port}/hook`)
      const product = (
        await line.rpc.sandbox.world.products({ search: '', limit: 100 })
      ).results.find(({ qty, price }) => (qty ?? 0) > 2 && price < 5000)
      await line.rpc.orders.placeMany({
        accountId,
        name: 'the week',
        orders: [
          {
            externalId: 'week-1',
            lines: [
              {
                productId: product?.id ?? '',
                qty: 1,
                maxUnitCents: cents((product?.price ?? 0) * 2),
              },
            ],
          },
        ],
      })
      await expect(
        sandbox.deliveries
          .filter({ hasText: 'order.completed' })
          .getByRole('img', { name: '1 attempt, retry pending' }),
      ).toBeVisible({ timeout: 30_000 })
      await expect(sandbox.deliveries.filter({ hasText: 'order.completed' })).toContainText('500')
    })
    await test.step('save a snapshot; the second attempt succeeds; resending creates another delivery', async () => {
      await page.keyboard.press('s')
      await page.getByRole('textbox', { name: 'Snapshot name' }).fill('week')
      await page.keyboard.press('Enter')
      await expect(
        page.getByRole('list', { name: 'Snapshots' }).getByText('week', { exact: true }),
      ).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(
        page
          .getByRole('list', { name: 'Due next' })
          .getByText('Webhook attempt 2, order.completed'),
      ).toBeVisible({ timeout: 30_000 })
      await page.keyboard.press('n')
      await expect(
        sandbox.deliveries
          .filter({ hasText: 'order.completed' })
          .getByRole('img', { name: '2 attempts, delivered' }),
      ).toBeVisible()
      await sandbox.deliveries
        .filter({ hasText: 'order.completed' })
        .getByRole('button', { name: /^Resend/ })
        .click()
      await expect(
        sandbox.deliveries
          .filter({ hasText: 'order.completed' })
          .getByRole('img', { name: '3 attempts, delivered' }),
      ).toBeVisible()
      expect(events).toHaveLength(3)
      expect(new Set(events).size).toBe(1)
    })
    await test.step('a customer claims a unit that was sold', async () => {
      await sandbox.part('Claims')
      await expect(await sandbox.rows('Claims of the sandbox')).toHaveCount(10)
      await page.keyboard.press('n')
      const unit = page.getByRole('combobox', { name: 'Unit sold by the demo seller' })
      await unit.click()
      await page
        .getByRole('option', { name: /pending$/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Create claim' }).click()
      await expect(
        page.getByRole('complementary').getByText('The code doesn’t work: already used.'),
      ).toBeVisible()
      await expect(await sandbox.rows('Claims of the sandbox')).toHaveCount(11)
      const panel = page.getByRole('complementary')
      await panel
        .getByRole('textbox', { name: 'Message' })
        .fill('It says the code was used in May.')
      await panel.getByRole('button', { name: 'Send as the customer' }).click()
      await expect(page.getByText('Sent as the customer')).toBeVisible()
      await panel.getByRole('button', { name: 'Escalate' }).click()
      await expect(
        (await sandbox.rows('Claims of the sandbox'))
          .filter({ hasText: 'The code doesn’t work' })
          .first(),
      ).toContainText('With support')
      await panel.getByRole('button', { name: 'Reject…' }).click()
      await page.keyboard.press('Control+Enter')
      await expect(
        (await sandbox.rows('Claims of the sandbox'))
          .filter({ hasText: 'The code doesn’t work' })
          .first(),
      ).toContainText('Rejected')
    })
    await test.step('seven days pass at once', async () => {
      await sandbox.part('Control')
      await page.getByRole('button', { name: '+ 7 days' }).click()
      await expect(sandbox.status.getByRole('link', { name: /^Clock 7 d.*ahead$/ })).toBeVisible()
      expect(
        (await line.rpc.sandbox.world.disputes({})).results.every(
          ({ status }) => status !== 'open',
        ),
      ).toBe(true)
    })
    await test.step('the snapshot restores time, claim and webhook', async () => {
      await page.keyboard.press('s')
      await page.getByRole('button', { name: 'Restore…' }).click()
      await expect(
        page.getByRole('dialog', { name: 'Restore week?' }).getByText('The clock goes back'),
      ).toBeVisible()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 30_000 })
      await expect(sandbox.status.getByRole('link', { name: /^Clock/ })).toBeHidden()
      await expect(sandbox.deliveries.filter({ hasText: 'order.completed' })).toHaveCount(1)
      await sandbox.part('Claims')
      await expect(await sandbox.rows('Claims of the sandbox')).toHaveCount(10)
      expect(await line.rpc.sandbox.money.verifyLedger()).toMatchObject({
        ok: true,
        sums: { live: 0, test: 0 },
      })
      expect(
        (await line.rpc.orders.list({ accountId })).rows.map(({ externalId }) => externalId),
      ).toContain('week-1')
    })
    line.close()
    receiver.close()
  },
)
