import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { FILE_SUFFIXES } from '../../src/core/mirror/database/open-database.ts'
import { withBuiltConsole } from '../support/built-console.ts'
import { countStolen } from '../support/stolen-cpu.ts'
import { barePage } from './bare-page.ts'
import { TYPED_LONG } from './typed.ts'

type Quantiles = { p50: number; p95: number; longest: number }
export type Painted = {
  keys: number
  rows: Quantiles
  bare: Quantiles
  counts: Quantiles
  /**
   * Share of the requested CPU time that the host gave to other machines; see {@link countStolen}.
   */ taken: number | null
}

/**
 * Milliseconds from one painted letter to the next, for a person who types five letters per second,
 * and between two queries.
 */
const LETTER_MS = 150
const TEXT_MS = 500

/**
 * From here on, the page records when the rows and the filter counts of each key press were
 * painted.
 */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role="grid"][aria-label="Products"]')
    const rail = document.querySelector('[role="group"][aria-label="Filters"]')
    if (grid === null || rail === null) throw new Error("the catalogue isn't shown")
    const painted = (then: (at: number) => void): void =>
      void requestAnimationFrame(() => {
        setTimeout(() => then(performance.now()))
      })
    const times = { rows: 0, counts: 0 }
    let tell = (): void => {}
    // The page reports the time once instead of being polled: polling in every frame would slow
    // down the measured work.
    Object.assign(window, {
      times,
      painted: () =>
        new Promise<void>((resolve, reject) => {
          tell = resolve
          setTimeout(() => reject(new Error('no rows were painted for a letter')), 20_000)
          if (times.rows > 0) resolve()
        }),
    })
    let [pressed, busy] = [0, false]
    document.addEventListener(
      'keydown',
      (event) =>
        Object.assign(times, { rows: 0, counts: 0 }) &&
        ([pressed, busy] = [event.timeStamp, false]),
      true,
    )
    new MutationObserver(() => {
      if (grid.getAttribute('aria-busy') === 'true') busy = true
      else if (busy && times.rows === 0)
        painted((at) => {
          times.rows = at - pressed
          tell()
        })
    }).observe(grid, { attributes: true, attributeFilter: ['aria-busy'] })
    new MutationObserver(() => {
      if (pressed > 0)
        painted((at) => {
          times.counts = at - pressed
        })
    }).observe(rail, { subtree: true, characterData: true, childList: true })
  })

type Times = { rows: number; counts: number }
const startWatching = (page: Page): Promise<Times> =>
  page.evaluate(() => (window as unknown as { times: Times }).times)

/**
 * Types the queries into a watched page and calls `ended` after each. Returns the milliseconds from
 * each letter to its painted rows.
 */
async function typeAll(
  page: Page,
  box: string,
  ended: () => Promise<void> = async () => {},
): Promise<number[]> {
  const took: number[] = []
  for (const text of TYPED_LONG) {
    await page.getByRole('searchbox', { name: box }).fill('')
    await page.waitForTimeout(TEXT_MS)
    for (const letter of text) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      await page.evaluate(() => (window as unknown as { painted: () => Promise<void> }).painted())
      await page.waitForTimeout(LETTER_MS)
      took.push((await startWatching(page)).rows)
    }
    await ended()
  }
  return took
}

/**
 * The same letters on a page that searches nothing: the time that this machine and Chromium need to
 * draw other rows.
 */
async function measureBare(browser: Browser): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.setContent(barePage)
  const took = await typeAll(page, 'Search')
  await page.close()
  return took
}

function quantiles(took: readonly number[]): Quantiles {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p95: at(0.95), longest: at(1) }
}

/**
 * From a key press to its painted rows, in a real Chromium over the built console and the mirror in
 * `file`, letter by letter, right after the start. Compared with a page that searches nothing. Also
 * measures the time to the painted filter counts after the end of a query. Build first: `npm start`
 * does.
 */
export function measurePainted(file: string): Promise<Painted> {
  return withBuiltConsole('partners', async ({ browser, page, dataDir, start }) => {
    const catalogue = path.join(
      dataDir,
      'catalogues',
      readdirSync(path.join(dataDir, 'catalogues')).find((name) => name.endsWith('.db')) ?? '',
    )
    for (const suffix of FILE_SUFFIXES) {
      rmSync(catalogue + suffix, { force: true })
      if (existsSync(file + suffix)) cpSync(file + suffix, catalogue + suffix)
    }
    const bare = await measureBare(browser)

    const second = await start()
    await page.goto(second.ready.url)
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Catalogue/ })
      .click()
    await page
      .getByRole('grid', { name: 'Products' })
      .locator('[data-index="0"] b')
      .first()
      .waitFor({ timeout: 60_000 })
    await watch(page)
    const counts: number[] = []
    const count = countStolen()
    const rows = await typeAll(page, 'Search the catalogue', async () => {
      for (let asked = 0; asked < 30 && (await startWatching(page)).counts === 0; asked += 1)
        await page.waitForTimeout(100)
      counts.push((await startWatching(page)).counts)
    })
    const taken = count()
    await second.end()
    return {
      keys: rows.length,
      rows: quantiles(rows),
      bare: quantiles(bare),
      counts: quantiles(counts),
      taken,
    }
  })
}
