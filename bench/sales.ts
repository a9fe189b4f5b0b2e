import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  earningsBetween,
  pendingSums,
  releasesBetween,
} from '../src/core/sales/earnings/earnings.ts'
import { listSales } from '../src/core/sales/list/list.ts'
import type { SaleQuery } from '../src/core/sales/list/list.ts'
import { fillSales } from './sales/fill.ts'
import { openAccountDatabase } from './support/account-database.ts'
import { timed } from './support/timed.ts'

const DAY = 86_400_000
const all: SaleQuery = {
  view: 'all',
  query: '',
  from: null,
  to: null,
  offerId: null,
  productId: null,
  sort: { column: 'sold', direction: 'desc' },
  offset: 0,
  limit: 100,
}

/**
 * A seller's sales page over 200,000 sales: opening, scrolling, filtering, searching, and drawing
 * its chart. The yardstick is a plain count of all.
 */
export default async function benchSales({
  log,
  sales = 200_000,
  runs = 40,
}: {
  log: (text: string) => void
  sales?: number
  runs?: number
}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  try {
    const { db, close } = openAccountDatabase(folder)
    db.pragma('synchronous = OFF')
    const now = Date.now()
    fillSales(db, { count: sales, days: 400, now })
    const list = (more: Partial<SaleQuery>): unknown => listSales(db, { ...all, ...more })
    const edges = (days: number): number[] =>
      Array.from({ length: days + 1 }, (_, at) => Math.floor(now / DAY + 1 - days + at) * DAY)
    const figures = {
      open: timed(runs, () => list({})),
      scroll: timed(runs, (run) => list({ offset: Math.floor((run / runs) * sales) })),
      held: timed(runs, () => list({ view: 'held' })),
      month: timed(runs, (run) => list({ from: now - (run + 30) * DAY, to: now - run * DAY })),
      byName: timed(runs, (run) =>
        list({ sort: { column: 'name', direction: 'asc' }, offset: run * 100 }),
      ),
      byPrice: timed(runs, (run) =>
        list({ sort: { column: 'price', direction: 'desc' }, offset: run * 100 }),
      ),
      search: timed(runs, (run) =>
        list({ query: ['iron', 'dark legacy', 'ord_7', 'a', 'edition 20'][run % 5] ?? '' }),
      ),
      id: timed(runs, (run) => list({ query: `sal_${(run * 700).toString(36).padStart(8, '0')}` })),
      month30: timed(runs, () =>
        earningsBetween(db, { edges: edges(30), offerId: null, products: 0 }),
      ),
      year: timed(runs, () =>
        earningsBetween(db, { edges: edges(365), offerId: null, products: 0 }),
      ),
      pending: timed(runs, () => pendingSums(db)),
      release: timed(runs, (run) =>
        releasesBetween(db, {
          from: now + (run % 7) * DAY,
          to: now + ((run % 7) + 1) * DAY,
          products: 4,
        }),
      ),
      bareCount: timed(runs, () =>
        db
          .prepare('SELECT count(*) FROM sales WHERE instr(name_key, :word) > 0')
          .get({ word: 'iron' }),
      ),
    }
    for (const [what, { p50, p95 }] of Object.entries(figures))
      log(`${what}: p50 ${p50} ms, p95 ${p95} ms of CPU time`)
    close()
    return { sales, figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
