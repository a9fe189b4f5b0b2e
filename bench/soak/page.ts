import { chromium, expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { FirstRun } from '../../e2e/pages/shell.ts'
import { connectionTo } from '../../e2e/support/core-connection.ts'
import { Harness } from '../../e2e/support/harness.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'
import { frameControl, openPage } from './page/frames.ts'
import { play } from './page/player.ts'
import { changePaths, judge, recordsOf } from './page/verdicts.ts'
import { watchCalls } from './page/watch.ts'
import type { Sent } from './page/watch.ts'

/** An interrupted run ends with the figures of its complete sequences. */
export const canStop = true
/** Number of sequences. */
export const defaultRounds = 10_000
const actionsPerSequence = 200
/** After this many sequences a new console is started, because most offers are changed by then. */
const sequencesPerConsole = 50
const consolesAtOnce = 2
/** The most rows of a list that the core returns in one response. */
const pageSize = 500

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  /** Ends the run before the next sequences. */
  stop?: AbortSignal
}
export type PageSoak = {
  lost: number
  twice: number
  wrong: number
  sequences: number
  actions: number
  /** Calls that changed a record that was visible as the target. */
  seen: number
  undone: number
  /** Calls sent without an event, such as those of a timer; judged by the event before. */
  later: number
  /** Times that the page was loaded again, which ends a sequence. */
  reloads: number
}

/** Whether the page was loaded again in the middle of an action. */
const isNavigation = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Execution context was destroyed')

const emptyView = { panel: null, toasts: '' }

type Rpc = Awaited<ReturnType<typeof connectionTo>>['rpc']

/** The names under which the page shows its records. */
async function namesOf(rpc: Rpc): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { id: accountId, role } of await rpc.accounts.list()) {
    const window = { limit: pageSize }
    if (role === 'partner') {
      const everything = { accountId, view: 'all', window } as const
      for (const { keyId, orderId, name } of (await rpc.orders.keys(everything)).rows)
        names.set(keyId, name).set(orderId, name)
      for (const { claimId, name } of (await rpc.claims.list({ accountId })).rows)
        names.set(claimId, name)
      continue
    }
    for (const { offerId, productId, name } of (await rpc.offers.list({ accountId, window })).rows)
      names.set(offerId, name).set(productId, name)
    for (const { disputeId, name } of (await rpc.disputes.list({ accountId, view: 'all', window }))
      .rows)
      names.set(disputeId, name)
    for (const tab of ['waiting', 'sent', 'dropped'] as const)
      for (const { entryId, title } of (await rpc.outbox.list({ accountId, tab, window })).rows)
        names.set(entryId, title)
  }
  return names
}

/** The names of all products, which don't change, and the roles of the accounts. */
async function constantsOf(rpc: Rpc): Promise<{ products: Map<string, string>; roles: string[] }> {
  const products = new Map<string, string>()
  const accounts = await rpc.accounts.list()
  const accountId = accounts.find(({ role }) => role === 'partner')?.id ?? ''
  // Most of the demo catalogue's 2,000 products have arrived.
  await expect
    .poll(async () => (await rpc.catalogue.search({ accountId })).all, { timeout: 60_000 })
    .toBeGreaterThan(1900)
  for (let offset = 0; ; offset += pageSize) {
    const window = { offset, limit: pageSize }
    const { rows } = await rpc.catalogue.search({ accountId, window })
    for (const { productId, name } of rows) products.set(productId, name)
    if (rows.length < pageSize) break
  }
  return { products, roles: accounts.map(({ role }) => role) }
}

const takeSent = (page: Page): Promise<Sent[]> =>
  page.evaluate(() => window.keydeskSent.splice(0, window.keydeskSent.length))

async function runConsole(
  browser: Browser,
  seeds: readonly number[],
  result: PageSoak,
  { log, stop }: Pick<Options, 'log' | 'stop'>,
): Promise<void> {
  const harness = new Harness()
  const { page, close: closePage } = await openPage(browser, { width: 1440, height: 900 })
  page.on('dialog', (dialog) => void dialog.accept())
  page.on('pageerror', (error) => {
    result.wrong++
    log(`error in the page: ${error.message}`)
  })
  try {
    await page.addInitScript(watchCalls, changePaths)
    await page.goto(await harness.start())
    await new FirstRun(page).startSandbox()
    const { rpc, close } = await connectionTo(page)
    const { products, roles } = await constantsOf(rpc)
    const address = page.url().replace(/#.*/, '')
    let earlier = await namesOf(rpc)
    for (const seed of seeds) {
      if (stop?.aborted === true) break
      await takeSent(page)
      try {
        await play(page, seeded(seed), actionsPerSequence, roles)
      } catch (error) {
        if (!isNavigation(error)) throw error
        result.reloads++
        await page.waitForLoadState()
      }
      const present = await namesOf(rpc)
      const names = new Map([...products, ...earlier, ...present])
      earlier = present
      result.sequences++
      result.actions += actionsPerSequence
      for (const sent of await takeSent(page)) {
        if (sent.view === null) result.later++
        const verdict = judge(sent, names)
        if (verdict === 'undo') result.undone++
        else if (verdict === 'seen') result.seen++
        else {
          result.wrong++
          const shown = recordsOf(sent).map((id) => `${id} ${names.get(id) ?? ''}`)
          log(`seed ${seed}: ${sent.path} changed ${shown.join(', ')}, which wasn’t the target:`)
          const { panel, toasts, ...view } = sent.view ?? sent.before.at(-1) ?? emptyView
          log(JSON.stringify({ later: sent.view === null, ...view, toasts, panel }).slice(0, 2000))
          for (const { event, hash, current, checked } of sent.before)
            log(`  ${event} at ${hash}, current ${current ?? 'none'}, ${checked.length} checked`)
        }
      }
      if (!page.url().startsWith(address)) await page.goto(address)
    }
    close()
  } finally {
    await closePage()
    await harness.remove()
  }
}

/**
 * Random keys and clicks in the console of a sandbox: whatever a person presses, only the record
 * that is visible as the target changes.
 */
export default async function soakPage({ rounds, seed, log, stop }: Options): Promise<PageSoak> {
  const result: PageSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    sequences: 0,
    actions: 0,
    seen: 0,
    undone: 0,
    later: 0,
    reloads: 0,
  }
  const waiting = Array.from({ length: rounds }, (_, index) => seed + index)
  const lane = async (): Promise<void> => {
    // A signal ends the run after the present sequences, which need the browser until then.
    const browser = await chromium.launch({
      ...chromiumLaunch,
      args: [...(chromiumLaunch.args ?? []), ...frameControl],
      handleSIGINT: false,
      handleSIGTERM: false,
    })
    try {
      while (waiting.length > 0 && stop?.aborted !== true) {
        const seeds = waiting.splice(0, sequencesPerConsole)
        await runConsole(browser, seeds, result, { log, ...(stop !== undefined && { stop }) })
        log(`${result.sequences} sequences, ${result.seen} changes, ${result.undone} undone`)
      }
    } finally {
      await browser.close()
    }
  }
  await Promise.all(Array.from({ length: Math.min(consolesAtOnce, rounds) }, lane))
  return result
}
