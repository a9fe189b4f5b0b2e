import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { NewOrderPage, OrderPage } from '../../e2e/pages/partner.ts'
import { CataloguePage, ImportPage } from '../../e2e/pages/seller.ts'
import { FirstRun, Shell } from '../../e2e/pages/shell.ts'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'
import { Harness } from '../../e2e/support/harness.ts'
import { connectionTo } from '../../e2e/support/core-connection.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { find, markedGroup } from './canaries/find.ts'
import { plantTexts } from './canaries/texts.ts'
import type { Leak } from './canaries/find.ts'

export const defaultRounds = 3

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  keys?: number
  kills?: number
}
export type CanariesSoak = {
  lost: number
  twice: number
  wrong: number
  planted: number
  found: number
  kills: number
  texts: number
  reports: number
  filesSearched: number
  heapsSearched: number
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Keys that no one else has: two random groups and the marked one. */
function plant(below: (limit: number) => number, count: number): string[] {
  const group = (): string =>
    Array.from({ length: 5 }, () => letters[below(letters.length)]).join('')
  const keys = new Set<string>()
  while (keys.size < count) keys.add(`${group()}-${group()}-${markedGroup}`)
  return [...keys]
}

/** All strings in the memory of the page's scripts, from the browser's own heap snapshot. */
async function heapOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return Buffer.from(chunks.join(''))
}

/**
 * Enters an API key that the service doesn't know, and leaves the form: no check may leave a trace
 * of the key.
 */
async function refusedKey(page: Page, shell: Shell, key: string): Promise<void> {
  const sandbox = await connectionTo(page)
  const { baseUrl } = await sandbox.rpc.sandbox.state()
  sandbox.close()
  await shell.act('Connect an account')
  await page.getByLabel('API key').fill(key)
  await page.getByLabel('Service address').fill(baseUrl ?? '')
  await expect(page.getByText(/doesn’t accept the key|reject|refuse/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
}

/**
 * One person's day with secrets: an import, an order, a reveal, and a console that is killed in
 * between.
 */
async function round(
  browser: Browser,
  seed: number,
  result: CanariesSoak,
  { keys, kills, log }: { keys: number; kills: number; log: Options['log'] },
): Promise<void> {
  const below = seeded(seed)
  const secrets = plant(below, keys)
  const shown = new Set<string>()
  const dashboard = new Harness()
  // The reports that support requests after a crash: written on a signal and when a fault ends the
  // process.
  dashboard.environment['NODE_OPTIONS'] =
    `--report-on-signal --report-on-fatalerror --report-uncaught-exception --report-directory=${dashboard.home}`
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const shell = new Shell(page)
  const imports = new ImportPage(page)
  const order = new OrderPage(page)
  const tell = (leaks: readonly Leak[]): void => {
    result.found += leaks.length
    for (const { where, what } of leaks) log(`${where}: ${what}`)
  }
  const searchDisk = (): void => {
    const files = dashboard.files()
    result.filesSearched += files.length
    tell(files.flatMap(({ path, bytes }) => find(path.slice(dashboard.home.length + 1), bytes)))
  }
  const searchHeap = async (when: string): Promise<void> => {
    result.heapsSearched++
    const heap = await heapOf(page)
    tell(find(`the page's memory ${when}`, heap, shown))
    // Revealed values must be found, otherwise the search proves nothing.
    if (shown.size > 0 && find('', heap).length === 0)
      throw new Error(
        "The search of the page’s memory doesn't work: it misses a key that is on the screen",
      )
  }
  const killAndGoOn = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    const place = new URL(page.url()).hash
    result.reports += await dashboard.report()
    await dashboard.end(signal)
    result.kills++
    searchDisk()
    await page.goto(await dashboard.start())
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible({ timeout: 60_000 })
    await page.evaluate((hash) => {
      location.hash = hash
    }, place)
  }
  try {
    await page.goto(await dashboard.start())
    await new FirstRun(page).startSandbox()
    await refusedKey(
      page,
      shell,
      `svcs_${plant(below, 1)[0]?.replaceAll('-', '').padEnd(32, 'A') ?? ''}`,
    )
    await shell.open('Catalogue')
    const catalogue = new CataloguePage(page)
    await catalogue.isComplete(2000)
    for (const filter of [/^Not sold by me/, /^Steam/, /^Key\b/])
      await page.getByRole('checkbox', { name: filter }).check()
    const row = catalogue.table.getByRole('row').nth(2)
    await row.click()
    const product = (await row.locator('b').first().textContent()) ?? ''
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^(Create offer|Offer at)/ })
      .click()
    await page.getByRole('dialog').getByLabel('You receive').fill('0.50')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Offer at EUR 0.50/ })
      .click()
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^View your offer/ })
      .click()
    await page.getByRole('complementary').getByRole('button', { name: 'Import keys' }).click()
    await imports.drop('canaries.txt', `${secrets.join('\n')}\n`)
    await shell.openVault()
    await imports.isChecked(secrets.length)
    await searchHeap('after the check')
    await imports.upload()
    for (let kill = 0; kill < kills; kill++) {
      await page.waitForTimeout(below(700))
      await killAndGoOn()
      // If the kill came before the upload was recorded, the import waits to be uploaded; otherwise
      // it waits for the vault to be opened.
      const goOn = page.getByRole('button', { name: /^(?:Unlock the vault…|Upload [\d,]+ keys?)/ })
      const done = page.getByRole('button', { name: 'Import more' })
      await expect(goOn.or(done).first()).toBeVisible({ timeout: 30_000 })
      if (await done.isVisible()) continue
      await goOn.first().click()
      await shell.openVault()
    }
    await imports.isReported()
    await searchHeap('after the upload')
    const seller = await connectionTo(page)
    result.texts += await plantTexts(seller.rpc, plant(below, 40))
    seller.close()
    await shell.open('Queued changes')
    await expect(
      page.getByRole('grid', { name: 'Queued changes' }).getByRole('row').nth(2),
    ).toBeVisible()
    await searchHeap('over the outbox')
    // In the way a fault in native code ends the process.
    await killAndGoOn('SIGSEGV')
    await searchHeap('with a locked vault')
    await shell.open('Settings')
    const start = page.getByRole('button', { name: 'Start', exact: true })
    const stop = page.getByRole('button', { name: 'Stop', exact: true })
    await expect(start.or(stop)).toBeVisible({ timeout: 60_000 })
    if (await start.isVisible()) await start.click()
    await expect(stop).toBeVisible({ timeout: 60_000 })

    await shell.switchTo('Demo partner')
    await shell.open('Orders')
    await page.getByRole('button', { name: 'New order' }).first().click()
    const composer = new NewOrderPage(page)
    await expect(async () => {
      await composer.add(product)
      await expect(page.getByText('0.55').first()).toBeVisible({ timeout: 1000 })
    }).toPass({ timeout: 30_000 })
    for (let more = 1; more < 3; more++)
      await page.getByRole('button', { name: /^More: Units/ }).click()
    await composer.place()
    await expect(page.getByText('Completed')).toBeVisible({ timeout: 60_000 })
    await order.downloadKeys()
    const vault = page.getByRole('dialog').getByLabel('Passphrase', { exact: true })
    const confirm = page.getByRole('dialog').getByRole('button', { name: /^Download \d+ keys?/ })
    await expect(vault.or(confirm)).toBeVisible()
    if (await vault.isVisible()) await shell.openVault()
    await order.confirmDownload()
    await searchHeap('with masked keys')
    shown.add(await order.reveal(0))
    await searchHeap('after one reveal')
    await killAndGoOn('SIGABRT')
    await dashboard.end()
    searchDisk()
    tell(
      find(
        "The search of the disk doesn't work: it misses a key that was put there",
        Buffer.from(dashboard.log),
      ),
    )
    writeFileSync(join(dashboard.home, 'control'), `${secrets[0]}\n`)
    if (!dashboard.files().some(({ path, bytes }) => find(path, bytes).length > 0))
      throw new Error('Nothing is built: run `npm run build` first')

    const service = await dashboard.service()
    const headers = {
      Authorization: `Bearer ${service.ready.demo.sellerKey}`,
      'Content-Type': 'application/json',
    }
    const offers = (await (
      await fetch(`${service.ready.sellerUrl}/offers?limit=100`, { headers })
    ).json()) as { results: { id: string; name: string; stock: number; sold: number }[] }
    const offer = offers.results.find(
      ({ name, stock, sold }) => name === product && stock + sold > 0,
    )
    const left = (await (
      await fetch(`${service.ready.sellerUrl}/offers/${offer?.id ?? ''}/withdraw`, {
        method: 'POST',
        headers,
        body: '{}',
      })
    ).json()) as { keys?: string[] }
    await service.end()
    const kept = left.keys ?? []
    result.planted += secrets.length + 1
    result.lost += Math.max(0, secrets.length - 3 - new Set(kept).size)
    result.twice += kept.length - new Set(kept).size
    result.wrong +=
      kept.filter((key) => !secrets.includes(key)).length +
      [...shown].filter((key) => !secrets.includes(key)).length
  } finally {
    await page.close()
    await dashboard.remove()
  }
}

/**
 * Plants keys in a real console over a real sandbox and in a real page, kills the console in the
 * middle of its work, and searches for them in every file, in all printed output, in reports of the
 * process and in the page's memory: in plain text, UTF-16, hex and base64. Also searches for API
 * keys, the vault's passphrase, drafts and queued answers (`texts`). `found` counts the places with
 * a secret that no one had revealed; any such place makes the run `wrong`.
 */
export default async function soakCanaries({
  rounds,
  seed,
  log,
  keys = 4000,
  kills = 3,
}: Options): Promise<CanariesSoak> {
  if (!existsSync('out/browser-host/index.js'))
    throw new Error('Nothing is built: run `npm run build` first')
  const result: CanariesSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    planted: 0,
    found: 0,
    kills: 0,
    texts: 0,
    reports: 0,
    filesSearched: 0,
    heapsSearched: 0,
  }
  const browser = await chromium.launch(chromiumLaunch)
  try {
    for (let each = 1; each <= rounds; each++) {
      await round(browser, seed + each, result, { keys, kills, log })
      log(
        `round ${each}: ${result.planted} keys and ${result.texts} texts planted, ` +
          `${result.found} found in ${result.filesSearched} files and ${result.heapsSearched} ` +
          `heaps, ${result.kills} kills`,
      )
    }
  } finally {
    await browser.close()
  }
  return { ...result, wrong: result.wrong + result.found }
}
