import { statSync } from 'node:fs'
import { expect } from '@playwright/test'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { claimAll } from '../support/disputes.ts'
import { ExternalService } from '../support/service.ts'

/** A PNG header with any dimensions and no image data. */
function pngHead(width: number, height: number): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000', 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return Buffer.concat([head, Buffer.alloc(64, 7)]).toString('base64')
}
const script =
  '<img src=x onerror="window.ran = true"><script>window.ran = true</script><a ' +
  'href="javascript:window.ran=true">Free key</a>'
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = true"><script>window.ran = true</script></svg>',
).toString('base64')
const attachments = [
  { contentType: 'image/png', value: pngHead(60_000, 60_000) },
  { contentType: 'image/png', value: pngHead(300, 200) },
  { contentType: 'image/svg+xml', value: svg },
  { contentType: 'text/html', value: Buffer.from(script).toString('base64') },
  { contentType: 'image/png', value: 'not base64 at all' },
  { contentType: '<b>bold</b>', value: '' },
]
const bodies = [
  script,
  'Send it to \u202Egpj.exe\u202C now\u0000\u200B',
  `${'A'.repeat(1_000_000)} end of it`,
  `${'\u0301'.repeat(5000)}${'𓀀'.repeat(500)}`,
  // oxlint-disable-next-line eslint/no-template-curly-in-string -- Text from a buyer.
  '[x](javascript:alert(1)) {{constructor}} ${7*7} =cmd|calc',
]

test(
  'shows hostile customer messages as text without running, fetching or breaking anything',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(180_000)
    const service = new ExternalService(harness.home, 40, ['--no-limits'])
    await service.start()
    const proxy = await startFaultyProxy(service.baseUrl)
    const { key } = await service.issueKey('sellers')
    const [id = ''] = await claimAll(service, key, 1)
    const dispute = (await service.seller(key, 'GET', `/disputes/${id}`)) as Record<string, unknown>
    const messages = bodies.map((body, at) => ({
      id: `msg_${at}`,
      author: at === 3 ? '<i>somebody</i>' : 'customer',
      body,
      createdAt: '2026-01-01T00:00:00.000Z',
      attachments: at === 0 ? attachments : [],
    }))
    proxy.decide = (method, path) =>
      method === 'GET' && path.endsWith(`/disputes/${id}`)
        ? {
            kind: 'answer',
            answer: {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({
                ...dispute,
                name: 'Ironwharf \u202E3 <b>',
                reason: script,
                messages,
              }),
            },
          }
        : 'pass'
    const asked: string[] = []
    const failures: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', (dialog) => failures.push(dialog.message()))
    page.on('pageerror', (error) => failures.push(error.message))
    const disputes = new DisputesPage(page)
    const address = await harness.start()
    // Lets the test delay the core's responses, as a busy core would.
    let held: (() => void)[] | null = null
    await page.routeWebSocket(/.*/, (socket) => {
      const core = socket.connectToServer()
      core.onMessage((message) => {
        if (held === null) socket.send(message)
        else held.push(() => socket.send(message))
      })
    })
    await page.goto(address)
    await new FirstRun(page).connect(key, proxy.baseUrl, 'Kestrel Keys')
    await expect(page.getByRole('link', { name: /Disputes \d/ })).toBeVisible({ timeout: 30_000 })
    await test.step('keys pressed while the list loads take effect afterwards', async () => {
      held = []
      await disputes.goThere()
      for (const key of ['j', 'j']) await page.keyboard.press(key)
      expect(disputes.openId).toBeNull()
      const [...late] = held
      held = null
      for (const say of late) say()
      await expect(disputes.list.getByRole('button').nth(1)).toHaveAttribute('aria-current', 'true')
    })
    await page.goto(`${new URL(address).origin}/#/disputes/${id}`)
    await disputes.enterVault()
    const talk = disputes.messages
    await expect(talk.getByRole('article')).toHaveCount(bodies.length, { timeout: 30_000 })
    await expect(talk.getByText(script)).toBeVisible({ timeout: 30_000 })
    await expect(talk.getByText('Send it to ⟨202E⟩gpj.exe⟨202C⟩ now⟨0000⟩⟨200B⟩')).toBeVisible()
    await expect(talk.getByText('<i>somebody</i>')).toBeVisible()
    await expect(talk.getByText('12,000 of 1,000,010 characters are shown.')).toBeVisible()
    // Each step is as fast as the first; a window that lays out all of it again would take far
    // longer.
    for (const shown of ['24,000', '36,000', '48,000']) {
      await talk.getByRole('button', { name: 'Show more' }).click()
      await expect(talk.getByText(`${shown} of 1,000,010 characters are shown.`)).toBeVisible()
    }
    const saved = page.waitForEvent('download')
    await talk.getByRole('button', { name: 'Save full text as file' }).click()
    expect(statSync(await (await saved).path()).size).toBe(1_000_013)
    await expect(
      talk.getByText(/too large to show|is damaged|neither an image nor text/),
    ).toHaveCount(attachments.length)
    await expect(talk.getByRole('img')).toHaveCount(0)
    await expect(talk.getByRole('link')).toHaveCount(0)
    // The page still works.
    await page.keyboard.press('Escape')
    await expect(page.getByText('Choose a dispute')).toBeVisible()
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(failures).toEqual([])
    // The printed address leads to the origin of this start.
    const own = [address, page.url()].map((url) => new URL(url).origin)
    expect(
      asked.filter((url) => !/^(?:blob|data):/.test(url) && !own.includes(new URL(url).origin)),
    ).toEqual([])
    await proxy.close()
    await service.stop()
  },
)
