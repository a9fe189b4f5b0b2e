import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { SandboxPage } from './pages/sandbox.ts'
import { FirstRun, Shell } from './pages/shell.ts'
import { connectionTo } from './support/core-connection.ts'
import { test } from './support/harness.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A session of one request, whose answer differs. */
const world = {
  format: 'keydesk-world',
  version: 1,
  repeatable: 'one',
  at: '2026-05-01T00:00:00.000Z',
  seed: 'empty',
  products: 1,
  changed: 0,
  requests: [
    {
      method: 'GET',
      path: '/healthz',
      key: 'none',
      headers: {},
      body: null,
      answer: { status: 503, sha256: '', body: null },
    },
  ],
}

test('explains a rejected request, certifies a handler, and branches the sandbox @long', async ({
  harness,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const sandbox = new SandboxPage(page)
  await page.goto(await harness.start())
  await new FirstRun(page).startSandbox()
  const line = await connectionTo(page)
  const { rpc } = line
  await sandbox.open()

  await test.step('the palette explains the latest rejected request; its suggestion passes', async () => {
    const { partnerUrl } = await rpc.sandbox.addresses()
    const { value: key } = await rpc.sandbox.secret({ which: 'partnerTest' })
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${partnerUrl}/products?limit=0`, { headers })).status).toBe(400)
    await new Shell(page).act('Why the latest sandbox request was rejected')
    const panel = sandbox.panel('Why it was rejected')
    await expect(panel.getByRole('list', { name: 'Checks, in order' })).toContainText(
      'Valid request',
    )
    await expect(panel.getByText('proven on a copy: 200')).toBeVisible()
    await panel.getByRole('button', { name: 'Run it here' }).click()
    await expect(page.getByText('Passed: 200')).toBeVisible()
    await panel.getByRole('button', { name: 'Copy as curl' }).click()
    await expect(page.getByText('Copied as curl')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^curl -X GET 'http:.*\/v1\/products\?limit=1'/,
    )
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(page.getByRole('button', { name: /^Why: GET \/v1\/products/ })).toBeVisible()
    await page.keyboard.press('w')
    await expect(panel.getByText('400 VALIDATION_ERROR')).toBeVisible()
  })

  await test.step('a certificate runs on while another page is open, and shows the bug', async () => {
    const port = await freePort()
    await sandbox.part('Certificate')
    await page.getByLabel('Receives webhooks at').fill(`http://127.0.0.1:${port}/hook`)
    await page.getByLabel('Reports its state at').fill(`http://127.0.0.1:${port}/state`)
    await page.getByLabel('Schedules').fill('40')
    await page.getByLabel('Seed').fill('1')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`Waiting for your handler at 127.0.0.1:${port}.`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy variables' })).toBeVisible()
    await sandbox.part('Control')
    await page.getByRole('button', { name: /^Certificate 0 %, waiting/ }).click()
    await expect(page.getByRole('list', { name: 'Jobs' })).toContainText('0 of 40')
    const { value } = await rpc.sandbox.certificate.variables()
    const home = join(harness.home, 'handler')
    mkdirSync(home)
    const handler = spawn(
      process.execPath,
      ['server/certify/zoo/planted.mjs', home, 'treats-test-as-live'],
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          ...Object.fromEntries(value.split('\n').map((each) => each.split('=', 2))),
          PORT: String(port),
        },
      },
    )
    try {
      await page.getByRole('button', { name: 'View' }).click()
      await expect(page.getByText(/^Not certified: /)).toBeVisible()
      const failure = page.getByRole('region', { name: 'Test events never count as live' })
      await expect(failure.getByRole('listitem')).toHaveCount(1)
      await page.keyboard.press('1')
      await expect(page.getByText('The failure still happens')).toBeVisible()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save JUnit' }).click()
      expect((await saved).suggestedFilename()).toBe('certificate.xml')
    } finally {
      handler.kill('SIGKILL')
    }
  })

  await test.step('a branch has its own addresses, and ends', async () => {
    await sandbox.part('Worlds')
    await expect(page.getByRole('button', { name: 'New branch' })).toBeVisible()
    await page.keyboard.press('b')
    const panel = sandbox.panel('br_1')
    await expect(panel).toBeVisible()
    const [branch] = (await rpc.sandbox.branches.list()).results
    await expect(panel.getByText(branch?.partnerUrl ?? '', { exact: true })).toBeVisible()
    await panel.getByRole('button', { name: 'End branch…' }).click()
    await page.keyboard.press('Control+Enter')
    await expect(panel).toBeHidden()
    expect((await rpc.sandbox.branches.list()).results).toEqual([])
  })

  await test.step('a world file opens as a branch; a damaged one is rejected', async () => {
    const text = JSON.stringify(world)
    const choose = (content: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'bug.world',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      })
    await choose(text.slice(0, 100))
    const rejected = page.getByRole('alert').filter({ hasText: 'bug.world' })
    await expect(rejected).toContainText(
      'bug.world: This world file is damaged or incomplete. Nothing was opened. Ask for it again',
    )
    await choose(text)
    await expect(rejected).toBeHidden()
    await expect(page.getByText('Nothing is replaced.')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    const panel = sandbox.panel('bug')
    await expect(panel.getByText('1 of 1 answer differs.')).toBeVisible()
    await expect(panel.getByText('status 200 instead of 503')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('going back shows what is undone, and keeps the present', async () => {
    await rpc.sandbox.control.advance({ ms: 3_600_000 })
    const states = page.getByRole('list', { name: 'Recent states' })
    await states
      .getByRole('button', { name: /^Go back to/ })
      .first()
      .click()
    const panel = page.getByRole('complementary', { name: /^Go back to/ })
    await expect(panel.getByText(/^The clock: time /)).toBeVisible()
    await panel.getByRole('button', { name: /^Go back to/ }).click()
    await expect(states.getByText('Before you went back')).toBeVisible()
    // The present state is listed before the earlier one is restored.
    await expect.poll(async () => (await rpc.sandbox.control.clock()).offsetMs).toBe(0)
  })
  line.close()
})
