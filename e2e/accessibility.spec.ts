import { expect } from '@playwright/test'
import { tour } from './pictures/tour.ts'
import { seriousViolations } from './support/axe.ts'
import { test } from './support/harness.ts'
import { layoutFaults, windowSizes } from './support/layout-faults.ts'

/**
 * Colors don't change with the width, and names and roles don't change with the colors, so each
 * combination only runs the rules that the others can't check.
 */
const looks = [
  { width: 1440, height: 900, colorScheme: 'light', rules: 'all' },
  { width: 1440, height: 900, colorScheme: 'dark', rules: 'colours' },
  { width: 1024, height: 768, colorScheme: 'light', rules: 'no contrast' },
] as const

test.describe.configure({ mode: 'parallel' })

/** The minimum number of checks for each part. */
const parts = { seller: 50, partner: 30, alarm: 10 } as const

for (const part of ['seller', 'partner', 'alarm'] as const)
  test(
    `has no serious accessibility violations in any color scheme, and no layout faults at any size: ${part}`,
    { tag: '@long' },
    async ({ harness, page }) => {
      test.setTimeout(1_200_000)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const found = new Set<string>()
      let looked = 0
      await tour(
        harness,
        page,
        async (stop) => {
          // The narrow layout concerns only the page, not the overlays above it.
          for (const { width, height, colorScheme, rules } of looks.filter(
            ({ width: wide }) => wide > 1024 || !stop.includes('-'),
          )) {
            await page.setViewportSize({ width, height })
            await page.emulateMedia({ colorScheme })
            // Check the shell around the pages only with the first page.
            for (const finding of await seriousViolations(
              page,
              rules,
              looked > 6 && !stop.startsWith('offline') ? 'page' : 'window',
            ))
              found.add(`${stop} ${colorScheme} ${width}: ${finding}`)
            looked++
          }
          for (const size of windowSizes) {
            await page.setViewportSize(size)
            for (const fault of await layoutFaults(page))
              found.add(`${stop} ${size.width} × ${size.height}: ${fault}`)
          }
          await page.setViewportSize({ width: 1440, height: 900 })
          await page.emulateMedia({ colorScheme: 'light' })
        },
        [part],
      )
      expect([...found]).toEqual([])
      expect(looked).toBeGreaterThan(parts[part])
    },
  )
