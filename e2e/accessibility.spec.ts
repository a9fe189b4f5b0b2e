import { expect } from '@playwright/test'
import { tour } from './pictures/tour.ts'
import { graveFindings } from './support/axe.ts'
import { test } from './support/desk.ts'

/**
 * Colours don't change with the width, nor names and roles with the colours: each look tells what
 * the others can't.
 */
const looks = [
  { width: 1440, height: 900, colorScheme: 'light', rules: 'all' },
  { width: 1440, height: 900, colorScheme: 'dark', rules: 'colours' },
  { width: 1024, height: 768, colorScheme: 'light', rules: 'no contrast' },
] as const

test.describe.configure({ mode: 'parallel' })

/** More looks than so many belong to each part. */
const parts = { seller: 50, partner: 20, alarm: 1 } as const

for (const part of ['seller', 'partner', 'alarm'] as const)
  test(`no page or state of ${part === 'alarm' ? 'an alarm' : `a ${part}`} has a serious accessibility finding, light or dark, wide or narrow`, async ({
    desk,
    page,
  }) => {
    test.setTimeout(600_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const found = new Set<string>()
    let looked = 0
    await tour(
      desk,
      page,
      async (stop) => {
        // Narrow is a matter of the page, not of what lies over it.
        for (const { width, height, colorScheme, rules } of looks.filter(
          ({ width: wide }) => wide > 1024 || !stop.includes('-'),
        )) {
          await page.setViewportSize({ width, height })
          await page.emulateMedia({ colorScheme })
          // What stands around the pages is looked at with the first of them.
          for (const finding of await graveFindings(
            page,
            rules,
            looked > 6 && !stop.startsWith('offline') ? 'page' : 'window',
          ))
            found.add(`${stop} ${colorScheme} ${width}: ${finding}`)
          looked++
        }
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.emulateMedia({ colorScheme: 'light' })
      },
      [part],
    )
    expect([...found]).toEqual([])
    expect(looked).toBeGreaterThan(parts[part])
  })
