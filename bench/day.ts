import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { measureBulk } from './day/bulk.ts'
import { busyDay, measureHours } from './day/hours.ts'
import { measureIdle } from './day/idle.ts'
import { measurePages } from './day/pages.ts'
import { withShop } from './day/shop.ts'
import { buildWorld, largeShop } from './day/world.ts'
import type { WorldSizes } from './day/world.ts'
import benchPrices from './prices.ts'
import { countStolen } from './support/stolen-cpu.ts'

export const dayParts = ['pages', 'prices', 'bulk', 'idle', 'hours'] as const
export type DayPart = (typeof dayParts)[number]

const usual = {
  world: largeShop,
  /** Lines of the tables that are pasted. */
  pasted: [1900, 20_000],
  /** Prices that a rule applies. */
  prices: 2000,
  idle: { accounts: 10, settleS: 100, seconds: 60 },
  hours: busyDay(1),
}

/** The parts that `DAY_PARTS` names, such as `pages,idle`; all without it. */
function partsOf(text: string | undefined): readonly DayPart[] {
  return text === undefined ? dayParts : dayParts.filter((part) => text.split(',').includes(part))
}

/**
 * A day of a large shop with 20,000 offers: its pages in Chromium, prices that a rule applies, the
 * duration of a bulk change at the service's rates, the processor and requests while nothing
 * happens, and memory over eight hours. `DAY_PARTS` chooses parts, and `DAY_WORLD` names a folder
 * where the shop is kept for the next run. Build first: `npm start` does.
 */
export default async function benchDay({
  log,
  parts = partsOf(process.env['DAY_PARTS']),
  sizes = usual,
}: {
  log: (text: string) => void
  parts?: readonly DayPart[]
  sizes?: Omit<typeof usual, 'world'> & { world: WorldSizes }
}) {
  const kept = process.env['DAY_WORLD']
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'keydesk-day-'))
  const stolen = countStolen()
  const noLimits = ['--no-limits']
  try {
    const figures = {
      ...(parts.includes('pages') && {
        world: await buildWorld(folder, sizes.world, log),
        pages: await withShop(folder, noLimits, (shop) => measurePages(shop, log, sizes.pasted)),
      }),
      ...(parts.includes('prices') && {
        prices: await benchPrices({ log, offers: sizes.prices }),
      }),
      ...(parts.includes('bulk') && { bulk: await measureBulk(sizes.world.offers, log) }),
      ...(parts.includes('idle') && {
        idle: await withShop(null, [], (shop) => measureIdle(shop, log, sizes.idle)),
      }),
      ...(parts.includes('hours') && {
        hours: await withShop(null, noLimits, (shop) => measureHours(shop, log, sizes.hours)),
      }),
    }
    return { ...figures, stolen: stolen() }
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}
