import type { Browser, Locator, Page } from '@playwright/test'
import { FirstRun, Shell } from '../../e2e/pages/shell.ts'
import { measureBlock } from './blocks.ts'
import type { Block } from './blocks.ts'
import { memoryOf } from './memory.ts'
import type { Memory } from './memory.ts'
import { until } from './shop.ts'
import type { Rpc, Shop } from './shop.ts'

type Measure = (name: string, action: () => Promise<unknown>) => Promise<void>

export type PageFigures = {
  /** From connecting to the first offers and to all of them, and to the complete sync. */
  firstOffersS: number
  allOffersS: number
  allSyncedS: number
  afterSync: Memory
  atPeak: Memory
  actions: Record<string, Block>
  /** A plain page in the same browser that lays out a text of 20,000 lines. */
  yardstick: Block
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 100) / 10

async function syncedSeller({ rpc, page, service, sellerKey }: Shop): Promise<{
  accountId: string
  times: Pick<PageFigures, 'firstOffersS' | 'allOffersS' | 'allSyncedS'>
}> {
  const began = performance.now()
  await new FirstRun(page).connect(sellerKey, service.baseUrl, 'Day shop')
  const [account] = await rpc.accounts.list()
  const accountId = account?.id ?? ''
  await page.getByRole('grid', { name: 'Offers' }).locator('[data-index="0"] b').first().waitFor()
  const firstOffersS = secondsSince(began)
  await until(
    () => rpc.offers.list({ accountId }),
    ({ complete }) => complete,
  )
  const allOffersS = secondsSince(began)
  await until(
    async () => [
      (await rpc.sales.list({ accountId })).complete,
      (await rpc.disputes.list({ accountId })).complete,
    ],
    (complete) => complete.every(Boolean),
  )
  return { accountId, times: { firstOffersS, allOffersS, allSyncedS: secondsSince(began) } }
}

/** Pastes a text into the field of a dialog, as the clipboard does. */
const pasteInto = (dialog: Locator, text: string): Promise<void> =>
  dialog.getByRole('textbox').evaluate((field, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    field.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

const more = async (page: Page, item: RegExp): Promise<void> => {
  await page.getByRole('button', { name: 'More: export, copy, changes' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function pasteTables(
  page: Page,
  tables: readonly { item: RegExp; dialog: RegExp; done: RegExp; name: string; text: string }[],
  measure: Measure,
): Promise<void> {
  for (const { item, dialog, done, name, text } of tables) {
    await more(page, item)
    const opened = page.getByRole('dialog', { name: dialog })
    await opened.waitFor()
    await measure(name, async () => {
      await pasteInto(opened, text)
      await opened.getByText(done).first().waitFor({ timeout: 120_000 })
    })
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'hidden' })
  }
}

async function openPages(page: Page, measure: Measure): Promise<void> {
  const shell = new Shell(page)
  const first = page.locator('[role="grid"] [data-index="0"]').first()
  await measure('Today', () => shell.open('Today'))
  for (const name of ['Sales', 'Disputes', 'Price watch', 'Activity'] as const)
    await measure(name, () => shell.open(name))
  await measure('Offers', async () => {
    await shell.open('Offers')
    await first.waitFor()
  })
}

async function exportFiles(page: Page, measure: Measure): Promise<void> {
  const shell = new Shell(page)
  const saved = (): Promise<unknown> => page.waitForEvent('download', { timeout: 120_000 })
  await measure('csv of the offers', () => Promise.all([saved(), more(page, /^Export as CSV/)]))
  await shell.open('Sales')
  for (const period of ['Year', 'All'])
    await measure(`sales, ${period}`, async () => {
      await page
        .getByRole('tab', { name: new RegExp(`^${period}`) })
        .or(page.getByRole('button', { name: period, exact: true }))
        .first()
        .click()
      await page.waitForLoadState('networkidle')
    })
  await measure('csv of the sales', () =>
    Promise.all([saved(), page.getByRole('button', { name: /^Export CSV/ }).click()]),
  )
  await shell.open('Offers')
}

async function useList(page: Page, offers: number, measure: Measure): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Offers' })
  const settled = (): Promise<void> =>
    page.locator('[role="grid"][aria-busy="false"]').first().waitFor()
  const search = page.getByRole('searchbox', { name: 'Filter these offers' })
  await measure('search of the offers', async () => {
    await search.pressSequentially('gold', { delay: 150 })
    await settled()
  })
  await search.fill('')
  await settled()
  await measure('a view of the offers', async () => {
    await page
      .getByRole('button', { name: /^Paused/ })
      .first()
      .click()
    await settled()
  })
  await page.getByRole('button', { name: /^All/ }).first().click()
  await settled()
  await measure('the palette', async () => {
    await page.keyboard.press('Control+k')
    const box = page.getByRole('dialog').getByRole('combobox')
    await box.pressSequentially('star', { delay: 150 })
    await page.locator('[role="listbox"][aria-busy="false"]').first().waitFor()
  })
  await page.keyboard.press('Escape')
  await grid.getByRole('row').nth(1).waitFor()
  await measure('the re-price dialog of all offers', async () => {
    await grid.getByRole('checkbox').nth(1).click()
    const all = page.getByRole('button', { name: /^Select all/ })
    if (await all.isVisible()) await all.click()
    await page.getByRole('button', { name: 'Re-price…' }).last().click()
    await page
      .getByRole('dialog', { name: new RegExp(`^Re-price ${offers.toLocaleString('en')} offers`) })
      .getByText('Prices to change')
      .waitFor({ timeout: 60_000 })
  })
  await page.keyboard.press('Escape')
}

/** Ids of all offers, and tables of costs and of new offers as a person pastes them. */
async function tablesOf(rpc: Rpc, accountId: string, sizes: readonly number[]) {
  const ids: { offerId: string; productId: string }[] = []
  for (let offset = 0; ; offset += 500) {
    const { rows } = await rpc.offers.list({ accountId, window: { offset, limit: 500 } })
    ids.push(...rows.map(({ offerId, productId }) => ({ offerId, productId: productId ?? '' })))
    if (rows.length < 500) break
  }
  return sizes.flatMap((size) => {
    const some = ids.slice(0, size)
    const lines = some.length.toLocaleString('en')
    return [
      {
        item: /^Costs from a table/,
        dialog: /^Costs from a table/,
        done: new RegExp(`${lines} lines?`),
        name: `${lines} costs pasted`,
        text: ['offer,cost', ...some.map(({ offerId }, at) => `${offerId},${(at % 90) + 1}.20`)],
      },
      {
        item: /^New offers from a table/,
        dialog: /./,
        done: new RegExp(`${lines} lines? (is|are) used`),
        name: `${lines} new offers pasted`,
        text: ['product,price', ...some.map(({ productId }) => `${productId},4.20`)],
      },
    ].map((table) => ({ ...table, text: table.text.join('\n') }))
  })
}

async function layOutPlainText(browser: Browser): Promise<Block> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const block = await measureBlock(browser, page, () =>
    page.setContent(
      `<pre>${Array.from({ length: 20_000 }, (_, at) => `row ${at}`).join('\n')}</pre>`,
    ),
  )
  await page.close()
  return block
}

/** A large shop's day in the page: what each action takes, and the memory of core and page. */
export async function measurePages(
  shop: Shop,
  log: (text: string) => void,
  pasted: readonly number[],
): Promise<PageFigures> {
  const { browser, page, rpc, core } = shop
  const actions: Record<string, Block> = {}
  const measure: Measure = async (name, action) => {
    const block = await measureBlock(browser, page, action)
    actions[name] = block
    log(
      `${name}: ${block.ms} ms; longest block ${block.longestMs} ms, of which ` +
        `${block.processorMs} ms of processor`,
    )
  }
  const { accountId, times } = await syncedSeller(shop)
  log(`first offers after ${times.firstOffersS} s, all after ${times.allOffersS} s, everything
    after ${times.allSyncedS} s`)
  const afterSync = await memoryOf(browser, core)
  log(`after the first sync: ${JSON.stringify(afterSync)}`)
  const { total } = await rpc.offers.list({ accountId })
  await openPages(page, measure)
  await pasteTables(page, await tablesOf(rpc, accountId, pasted), measure)
  await exportFiles(page, measure)
  await useList(page, total, measure)
  const atPeak = await memoryOf(browser, core)
  log(`at the end: ${JSON.stringify(atPeak)}`)
  return { ...times, afterSync, atPeak, actions, yardstick: await layOutPlainText(browser) }
}
