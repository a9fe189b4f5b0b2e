import { readFileSync, readdirSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import { cpuMsOf } from '../backend/processes.ts'
import { connect, pause } from './shop.ts'
import type { Shop } from './shop.ts'

/** Averages over a period, of processor time in percent of one processor. */
export type Idle = {
  corePercent: number
  pagePercent: number
  wakeUpsPerS: number
  /** Of all accounts together, in the last minute. */
  requestsPerMinute: number
}
export type IdleFigures = {
  accounts: number
  hidden: Idle
  shown: Idle
  /** A page without a script in the same browser, and no core. */
  plainPagePercent: number
}

/** How often the threads of a process gave up a processor to wait, which is how often they woke. */
const wakeUpsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8')
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0)
  }, 0)

/** Processor time of all pages so far, in milliseconds. */
async function pageCpuMs(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { id }) => sum + (cpuMsOf(id) ?? 0), 0)
}

async function watch(shop: Shop, accountIds: readonly string[], seconds: number): Promise<Idle> {
  const { browser, core, rpc } = shop
  const cpu = cpuMsOf(core) ?? 0
  const pageCpu = await pageCpuMs(browser)
  const wakeUps = wakeUpsOf(core)
  await pause(seconds * 1000)
  const percent = (ms: number): number => Math.round(ms / seconds) / 10
  const idle = {
    corePercent: percent((cpuMsOf(core) ?? 0) - cpu),
    pagePercent: percent((await pageCpuMs(browser)) - pageCpu),
    wakeUpsPerS: Math.round((wakeUpsOf(core) - wakeUps) / seconds),
  }
  const used = await Promise.all(
    accountIds.map(async (accountId) => (await rpc.accounts.connection({ accountId })).budget.used),
  )
  return { ...idle, requestsPerMinute: used.reduce((sum, each) => sum + each, 0) }
}

/** Hides or shows the window as the browser reports it to a page. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: hidden ? 'hidden' : 'visible',
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** Ten sellers in one console while nothing happens, with the window hidden and shown. */
export async function measureIdle(
  shop: Shop,
  log: (text: string) => void,
  { accounts, settleS, seconds }: { accounts: number; settleS: number; seconds: number },
): Promise<IdleFigures> {
  const { page, service, browser } = shop
  const accountIds: string[] = []
  for (let no = 1; no <= accounts; no += 1) {
    const { id } = (await service.dashboard('POST', '/sellers', { name: `Shop ${no}` })) as {
      id: string
    }
    const { key } = (await service.dashboard('POST', `/sellers/${id}/keys`, {})) as { key: string }
    accountIds.push(await connect(shop, key, `Shop ${no}`))
  }
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  const measured = async (name: string, isHidden: boolean): Promise<Idle> => {
    await setHidden(page, isHidden)
    await pause(settleS * 1000)
    const idle = await watch(shop, accountIds, seconds)
    log(`${name}: ${JSON.stringify(idle)}`)
    return idle
  }
  const shown = await measured('window shown', false)
  const hidden = await measured('window hidden', true)
  await page.goto('about:blank')
  const cpu = await pageCpuMs(browser)
  await pause(seconds * 1000)
  const plainPagePercent = Math.round(((await pageCpuMs(browser)) - cpu) / seconds) / 10
  return { accounts, hidden, shown, plainPagePercent }
}
