import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from '../support/harness.ts'
import { tour } from './tour.ts'

const folder = process.env['KEYDESK_PICTURES'] ?? 'docs/pictures'

/**
 * The stops whose pictures the documents show. `KEYDESK_PICTURES=<folder>` saves all of them there
 * instead, including narrow ones.
 */
const shown = new Set([
  'today',
  'catalogue',
  'offers-editing',
  'import-check',
  'import-report',
  'price-watch',
  'dispute',
  'sales',
  'palette',
  'settings',
  'secrets',
  'order-keys',
  'sandbox',
  'outbox',
])
const everything = process.env['KEYDESK_PICTURES'] !== undefined

for (const parts of [['seller', 'partner'], ...(everything ? [['alarm'] as const] : [])] as const)
  test(`takes pictures of the demo data: ${parts.join(', ')}`, async ({ harness, page }) => {
    test.setTimeout(600_000)
    mkdirSync(folder, { recursive: true })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await tour(
      harness,
      page,
      async (name) => {
        if (!everything && !shown.has(name)) return
        for (const scheme of ['light', 'dark'] as const) {
          // The documents show the dark scheme once.
          if (!everything && scheme === 'dark' && name !== 'offers-editing') continue
          for (const width of everything ? [1440, 1024] : [1440]) {
            await page.setViewportSize({ width, height: width === 1440 ? 900 : 768 })
            await page.emulateMedia({ colorScheme: scheme })
            await page.waitForTimeout(250)
            const path = join(folder, `${name}-${scheme}${width === 1440 ? '' : `-${width}`}.png`)
            await page.screenshot({ path, caret: 'hide' })
            if (!everything) expect(statSync(path).size).toBeLessThan(260_000)
          }
        }
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.emulateMedia({ colorScheme: 'light' })
      },
      parts,
    )
  })
