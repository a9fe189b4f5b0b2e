import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { features } from '../src/core/create-core.ts'
import { createMirrors } from '../src/core/mirror/files/mirrors.ts'
import { withBuiltConsole } from './support/built-console.ts'
import { fillOffers } from './table/fill.ts'
import { bareList, scroll } from './table/frames.ts'
import type { Frames } from './table/frames.ts'

const grid = '[role="grid"][aria-label="Offers"]'

/** From the click on the page's link until its rows are painted, in milliseconds. */
async function timeToOpen(page: Page): Promise<number> {
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Queued changes/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Queued changes' }).waitFor()
  return page.evaluate(
    (selector) =>
      new Promise<number>((resolve) => {
        const link = [...document.querySelectorAll('nav a')].find(
          (each) => each.textContent?.startsWith('Offers') === true,
        )
        const began = performance.now()
        const look = (): void => {
          if (document.querySelector(`${selector} [data-index="0"] b`) === null)
            requestAnimationFrame(look)
          else requestAnimationFrame(() => resolve(Math.round(performance.now() - began)))
        }
        if (link instanceof HTMLElement) link.click()
        look()
      }),
    grid,
  )
}

/**
 * The offers table in a real Chromium over the built console and a mirror with many offers: time to
 * open, and frame times while it scrolls slowly, fast, and with another sort order. Compared with a
 * plain list of the same length in the same browser. Build first: `npm start` does.
 */
export default async function benchTable({
  log,
  offers = 100_000,
  scrollMs = 8000,
}: {
  log: (text: string) => void
  offers?: number
  scrollMs?: number
}): Promise<{
  offers: number
  opensMs: number[]
  firstOpenMs: number
  frames: Record<string, Frames>
}> {
  return withBuiltConsole('sellers', async ({ browser, page, dataDir, start }) => {
    const mirrors = createMirrors(dataDir, features.schemas)
    const accountId = path.basename(
      readdirSync(path.join(dataDir, 'mirrors')).find((name) => name.endsWith('.db')) ?? '',
      '.db',
    )
    fillOffers(mirrors.database(accountId), offers)
    mirrors.close()

    const second = await start()
    const began = performance.now()
    await page.goto(second.ready.url)
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor({ timeout: 60_000 })
    const firstOpenMs = Math.round(performance.now() - began)
    const opensMs: number[] = []
    for (let round = 0; round < 5; round += 1) opensMs.push(await timeToOpen(page))
    log(
      `${offers.toLocaleString('en')} offers: the page opens in ${opensMs.join(', ')} ms; ` +
        `the console's first page in ${firstOpenMs} ms`,
    )

    const frames: Record<string, Frames> = {}
    const measure = async (
      name: string,
      on: Page,
      selector: string,
      pixels: number,
    ): Promise<void> => {
      const measured = await scroll(on, selector, pixels, scrollMs)
      frames[name] = measured
      log(
        `${name}: ${measured.frames} frames, p50 ${measured.p50} ms, p95 ${measured.p95}, ` +
          `p99 ${measured.p99}, longest ${measured.longest}; ${measured.over50} over 50 ms`,
      )
    }
    await measure('the table, slowly', page, grid, 24)
    await measure('the table, fast', page, grid, 600)
    await page.getByRole('columnheader', { name: 'Stock' }).getByRole('button').click()
    await measure('the table by stock, fast', page, grid, 600)
    await second.end()
    const bare = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await bare.setContent(bareList(offers))
    await measure('a bare list, fast', bare, '#list', 600)
    return { offers, opensMs, firstOpenMs, frames }
  })
}
