import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { ImportPage } from '../../e2e/pages/seller.ts'
import { FirstRun, Shell } from '../../e2e/pages/shell.ts'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'
import { Harness } from '../../e2e/support/harness.ts'

export type WindowMeasured = {
  /** From the drop to the last outcome. */ ms: number
  longestBlockMs: number
  longestGapMs: number
  blocks: number
}

type Watch = { longest: number; blocks: number; gap: number }

/**
 * Starts watching the page: tasks of 50 ms or more as the browser reports them, and the longest
 * delay of a 5 ms timer.
 */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Watch = { longest: 0, blocks: 0, gap: 0 }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.blocks++
        seen.longest = Math.max(seen.longest, duration)
      }
    }).observe({ type: 'longtask' })
    let last = performance.now()
    setInterval(() => {
      const now = performance.now()
      seen.gap = Math.max(seen.gap, now - last - 5)
      last = now
    }, 5)
  })

/**
 * Drops a key file on the built console's page and measures how long the window was blocked until
 * every line was classified. Null if nothing is built.
 */
export async function measureWindow(file: string, lines: number): Promise<WindowMeasured | null> {
  if (!existsSync('out/browser-host/index.js')) return null
  const dashboard = new Harness()
  const browser = await chromium.launch(chromiumLaunch)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const shell = new Shell(page)
    await page.goto(await dashboard.start())
    await new FirstRun(page).startSandbox()
    await shell.open('Import keys')
    // The vault is opened beforehand, because the person's actions there aren't measured.
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({
        name: 'first.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('AAAAA-BBBBB-CCCCC'),
      })
    await shell.openVault()
    const imports = new ImportPage(page)
    await imports.isChecked(1)
    await watch(page)
    const started = performance.now()
    await page.locator('input[type="file"]').first().setInputFiles(file)
    await page.waitForFunction(
      (wanted) => {
        const read = document.querySelector('dl[aria-label^="Lines read"] dd')?.textContent ?? ''
        return Number(read.replaceAll(/\D/g, '')) === wanted
      },
      lines + 1,
      { timeout: 600_000, polling: 250 },
    )
    const ms = Math.round(performance.now() - started)
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: Watch }).seen)
    return {
      ms,
      longestBlockMs: Math.round(seen.longest),
      longestGapMs: Math.round(seen.gap),
      blocks: seen.blocks,
    }
  } finally {
    await browser.close()
    await dashboard.remove()
  }
}
