import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { FILE_SUFFIXES } from '../../src/core/mirror/open-database.ts'
import { withBuiltConsole } from '../support/built-console.ts'

const TYPED = ['witcer steam', 'legends of the war', 'dark simulator']

export type Painted = { keys: number; p50: number; p95: number; longest: number; countsP95: number }

/** From here on the page knows, of each key press, when the rows it led to were painted, and when the filters' counts were. */
const watch = (page: Page): Promise<void> => page.evaluate(() => {
  const grid = document.querySelector('[role="grid"][aria-label="Products"]')
  const rail = document.querySelector('[role="group"][aria-label="Filters"]')
  if (grid === null || rail === null) throw new Error('there is no catalogue')
  const painted = (then: (at: number) => void): void => void requestAnimationFrame(() => { setTimeout(() => then(performance.now())) })
  const times = { rows: 0, counts: 0 }
  let tell = (): void => {}
  // Told once, not asked again and again: a question with each frame would take time from what is measured.
  Object.assign(window, { times, painted: () => new Promise<void>((resolve) => { if (times.rows > 0) resolve(); else tell = resolve }) })
  let [pressed, busy] = [0, false]
  document.addEventListener('keydown', (event) => Object.assign(times, { rows: 0, counts: 0 }) && ([pressed, busy] = [event.timeStamp, false]), true)
  new MutationObserver(() => {
    if (grid.getAttribute('aria-busy') === 'true') busy = true
    else if (busy && times.rows === 0) painted((at) => { times.rows = at - pressed; tell() })
  }).observe(grid, { attributes: true, attributeFilter: ['aria-busy'] })
  new MutationObserver(() => { if (pressed > 0) painted((at) => { times.counts = at - pressed }) }).observe(rail, { subtree: true, characterData: true, childList: true })
})

/**
 * From a key press to the painted rows it led to, in a real Chromium over the built console and the mirror in `file`, letter by letter; and to the painted counts of the
 * filters, which come after. Build first: `npm start` does.
 */
export function measurePainted(file: string): Promise<Painted> {
  return withBuiltConsole('partners', async ({ page, dataDir, start }) => {
    const catalogue = path.join(dataDir, 'catalogues', readdirSync(path.join(dataDir, 'catalogues')).find((name) => name.endsWith('.db')) ?? '')
    for (const suffix of FILE_SUFFIXES) {
      rmSync(catalogue + suffix, { force: true })
      if (existsSync(file + suffix)) cpSync(file + suffix, catalogue + suffix)
    }

    const second = await start()
    await page.goto(second.ready.url)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Catalogue/ }).click()
    const grid = page.getByRole('grid', { name: 'Products' })
    await grid.locator('[data-index="0"] b').first().waitFor({ timeout: 60_000 })
    await watch(page)
    const took: { rows: number; counts: number }[] = []
    for (const text of TYPED) {
      await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('')
      await page.waitForTimeout(500)
      for (const letter of text) {
        await page.keyboard.press(letter === ' ' ? 'Space' : letter)
        await page.evaluate(() => (window as unknown as { painted: () => Promise<void> }).painted())
        await page.waitForTimeout(150)
        took.push(await page.evaluate(() => (window as unknown as { times: { rows: number; counts: number } }).times))
      }
    }
    await second.end()
    const quantile = (of: 'rows' | 'counts', share: number): number => {
      const sorted = took.map((each) => each[of]).toSorted((a, b) => a - b)
      return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
    }
    return { keys: took.length, p50: quantile('rows', 0.5), p95: quantile('rows', 0.95), longest: quantile('rows', 1), countsP95: quantile('counts', 0.95) }
  })
}
