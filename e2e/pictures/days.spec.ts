import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { Film } from './days/film.ts'
import type { Hand } from './days/film.ts'
import { partnerDay, preparePartner } from './days/partner-day.ts'
import { prepareSeller, sellerDay } from './days/seller-day.ts'
import { prepareSupport, supportDay } from './days/support-day.ts'

const folder = join(process.env['KEYDESK_PICTURES'] ?? 'docs/pictures', 'days')
const hands: readonly Hand[] = ['keyboard', 'mouse']

/** Prepares a role's day, and returns the day itself and what ends it. */
const days: Readonly<
  Record<
    string,
    (
      harness: Harness,
      page: Page,
    ) => Promise<{ play: (film: Film) => Promise<void>; end?: () => Promise<void> }>
  >
> = {
  async seller(harness, page) {
    await prepareSeller(page, await harness.start())
    return { play: sellerDay }
  },
  async partner(harness, page) {
    const product = await preparePartner(page, await harness.start())
    return { play: (film) => partnerDay(film, product) }
  },
  async support(harness, page) {
    const service = await prepareSupport(harness, page)
    return { play: supportDay, end: () => service.stop() }
  },
}

test.describe.configure({ mode: 'parallel' })
test.use({ viewport: { width: 1280, height: 800 } })

for (const [role, prepare] of Object.entries(days))
  for (const hand of hands)
    test(`films a day of a ${role} by ${hand}`, async ({ harness, page }) => {
      test.setTimeout(900_000)
      mkdirSync(folder, { recursive: true })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const { play, end } = await prepare(harness, page)
      const film = await Film.start(page, role, hand, folder)
      try {
        await play(film)
      } finally {
        writeFileSync(test.info().outputPath('steps.txt'), film.steps())
        await end?.()
      }
      film.end()
    })
