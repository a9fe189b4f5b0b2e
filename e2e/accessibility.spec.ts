import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { tour } from './pictures/tour.ts'
import { test } from './support/desk.ts'

/** What would shut somebody out. Less than that is a matter of taste that axe can't judge. */
const grave = new Set(['serious', 'critical'])

/** Colours don't change with the width, nor names and roles with the colours: each look tells what the others can't. */
const looks = [
  { width: 1440, height: 900, colorScheme: 'light', rules: (axe: AxeBuilder) => axe },
  { width: 1440, height: 900, colorScheme: 'dark', rules: (axe: AxeBuilder) => axe.withRules(['color-contrast', 'link-in-text-block']) },
  { width: 1024, height: 768, colorScheme: 'light', rules: (axe: AxeBuilder) => axe.disableRules(['color-contrast']) },
] as const

test.describe.configure({ mode: 'parallel' })

for (const part of ['seller', 'partner'] as const) test(`no page or state of a ${part} has a serious accessibility finding, light or dark, wide or narrow`, async ({ desk, page }) => {
  test.setTimeout(600_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const found = new Set<string>()
  let looked = 0
  await tour(desk, page, async (stop) => {
    // Narrow is a matter of the page, not of what lies over it.
    for (const { width, height, colorScheme, rules } of looks.filter(({ width: wide }) => wide > 1024 || !stop.includes('-'))) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(200)
      // A table's rows are alike: the first ten stand for the rest.
      const { violations } = await rules(new AxeBuilder({ page }).exclude('[role="grid"] [role="row"]:nth-child(n + 11)')).analyze()
      looked++
      for (const { id, impact, nodes } of violations) {
        if (!grave.has(impact ?? '')) continue
        for (const node of nodes) found.add(`${stop} ${colorScheme} ${width}: ${id} (${impact}) ${node.target.join(' ')}: ${node.any[0]?.message ?? node.all[0]?.message ?? node.html.slice(0, 120)}`)
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }, [part])
  expect([...found]).toEqual([])
  expect(looked).toBeGreaterThan(part === 'seller' ? 50 : 20)
})
