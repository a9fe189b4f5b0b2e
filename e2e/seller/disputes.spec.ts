import { expect } from '@playwright/test'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import { DisputesPage } from '../pages/disputes.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { test } from '../support/harness.ts'
import { claimAll } from '../support/disputes.ts'
import { watchPointer } from '../support/keyboard.ts'
import { ExternalService } from '../support/service.ts'

type There = {
  id: string
  status: string
  resolution: { type: string } | null
  messages: { author: string; body: string }[]
}
/** The actions on disputes, in turn. */
const acts = ['answer', 'replace-stock', 'refund', 'replace-key'] as const
/** The service is offline for the last ones. `npm run soak -- disputes` works many more. */
const online = 16
const offlineCount = 6
const total = online + offlineCount

test(
  'works disputes by keyboard, online and offline, with kills and lost responses, each exactly once',
  { tag: '@long' },
  async ({ harness, page }) => {
    test.setTimeout(600_000)
    const service = new ExternalService(harness.home, total, ['--no-limits'])
    await service.start()
    const proxy = await startFaultyProxy(service.baseUrl)
    const { key } = await service.issueKey('sellers')
    const claimed = await claimAll(service, key, total)
    const disputes = new DisputesPage(page)
    const done = new Map<string, (typeof acts)[number]>()
    const arrived: string[] = []
    let pointed: readonly string[] = ['not watched']
    proxy.served = ({ method, path, status }) => {
      if (method === 'POST' && path.includes('/disputes/') && status < 400) arrived.push(path)
    }
    // Drop the response to every seventh change after the service made it.
    let sent = 0
    proxy.decide = (method, path) =>
      method === 'POST' && path.includes('/disputes/') && ++sent % 7 === 0 ? 'lose-answer' : 'pass'

    async function work(what: (typeof acts)[number], id: string): Promise<void> {
      if (what === 'answer') {
        await page.keyboard.press('r')
        await page.keyboard.type(`We look into it, ${id}`)
        await page.keyboard.press('Control+Enter')
        await expect(disputes.answer).toHaveValue('')
      } else {
        await page.keyboard.press(what === 'refund' ? 'f' : what === 'replace-key' ? 'p' : 's')
        if (what === 'replace-key') {
          await expect(
            page.getByRole('dialog').getByRole('textbox', { name: 'Key for the customer' }),
          ).toBeFocused()
          await page.keyboard.type(
            `NEW${id.slice(-2).toUpperCase()}-REPLA-${String(10_000 + done.size)}`,
          )
          await expect(page.getByRole('dialog').getByText(/New for this product/)).toBeVisible()
        }
        await disputes.confirm()
        await expect(page.getByRole('dialog')).toBeHidden({ timeout: 30_000 })
      }
      done.set(id, what)
    }

    await test.step('Keydesk syncs all of them', async () => {
      await page.goto(await harness.start())
      await new FirstRun(page).connect(key, proxy.baseUrl, 'Kestrel Keys')
      pointed = await watchPointer(page)
      await disputes.goThere()
      await expect(page.getByRole('button', { name: /^Inbox 2\d/ })).toBeVisible({
        timeout: 60_000,
      })
      await page.keyboard.press('j')
      await expect.poll(() => disputes.openId).not.toBeNull()
      await disputes.enterVault()
      await page.keyboard.press('Escape')
    })
    await test.step('work most disputes online', async () => {
      while (done.size < online) {
        const id = await disputes.next()
        if (!claimed.has(id) || done.has(id)) continue
        await work(acts[done.size % acts.length] ?? 'answer', id)
      }
    })
    await test.step('every change arrives, held answers when their time to undo is over', async () => {
      await expect.poll(() => new Set(arrived).size, { timeout: 60_000 }).toBe(done.size)
      // Answered disputes have moved to the end of the list, with the open one.
      await page.keyboard.press('Escape')
      await expect.poll(() => disputes.openId).toBeNull()
    })
    const offline = [...claimed].filter((id) => !done.has(id))
    await test.step('work the others offline; replies are queued, and a kill loses none', async () => {
      await proxy.disconnect()
      await expect(disputes.status.getByText(/^Offline/)).toBeVisible({ timeout: 60_000 })
      let waits = 0
      while (waits < offlineCount) {
        const id = await disputes.next()
        if (!offline.includes(id) || done.has(id)) continue
        await page.keyboard.press('r')
        await page.keyboard.type(`We look into it, ${id}`)
        await page.keyboard.press('Control+Enter')
        await expect(disputes.messages.getByText('Your answer is queued.')).toBeVisible()
        done.set(id, 'answer')
        waits++
      }
      expect(pointed, 'no mouse was used').toEqual([])
      // The last answer is queued when its time to undo is over.
      await page.keyboard.press('Escape')
      await page.keyboard.press('g')
      await page.keyboard.press('x')
      await expect(page.getByRole('button', { name: `Queued ${offlineCount}` })).toBeVisible({
        timeout: 30_000,
      })
      await harness.end('SIGKILL')
    })
    await test.step('after reconnecting, all are compared and sent, each once', async () => {
      await proxy.reconnect()
      await page.goto(await harness.start())
      await new Shell(page).enterKey(key)
      await page.keyboard.press('g')
      await page.keyboard.press('x')
      await expect(page.getByRole('button', { name: `Queued ${offlineCount}` })).toBeVisible()
      await disputes.goThere()
      await disputes.next()
      await disputes.enterVault()
      await page.keyboard.press('g')
      await page.keyboard.press('x')
      await expect(page.getByRole('button', { name: `Send ${offlineCount} ready` })).toBeEnabled({
        timeout: 60_000,
      })
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('button', { name: `Sent ${offlineCount}` })).toBeVisible({
        timeout: 60_000,
      })
    })
    await test.step('the service has the same data', async () => {
      for (const [id, what] of done) {
        const there = (await service.seller(key, 'GET', `/disputes/${id}`)) as There
        const mine = there.messages.filter(({ author }) => author === 'seller').length
        const ended = there.resolution?.type ?? null
        expect([id, what, mine, ended]).toEqual([
          id,
          what,
          what === 'answer' ? 1 : 0,
          what === 'answer' ? null : what === 'refund' ? 'refunded' : 'replaced',
        ])
      }
      // Nothing was done twice, and nothing unexpected was done.
      expect([arrived.length, new Set(arrived).size]).toEqual([total, total])
    })
    await proxy.close()
    await service.stop()
  },
)
