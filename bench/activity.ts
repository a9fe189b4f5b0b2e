import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ActivityEntry } from '../src/contract/app/app.ts'
import { localized } from '../src/contract/localization/localized.ts'
import type { Localized } from '../src/contract/localization/localized.ts'
import { activitySchema } from '../src/core/activity/schema.ts'
import { createActivityStore } from '../src/core/activity/store.ts'
import type { ActivityFilter } from '../src/core/activity/store.ts'
import { openDatabase } from '../src/core/mirror/database/open-database.ts'
import { timed } from './support/timed.ts'

const DAY = 86_400_000
const WRITTEN_AT_ONCE = 2000
const calls = [
  'GET /seller/offers',
  'GET /seller/sales',
  'PATCH /seller/offers/{id}',
  'GET /products',
  'POST /seller/offers/{id}/keys',
  'GET /seller/disputes',
  'Import of Demo seller',
  'Price changed',
]
const codes = ['PRICE_CHANGED', 'RATE_LIMITED', 'OFFLINE', 'NOT_FOUND']

const messageOf = (call: string): Localized => {
  const [method = '', path = ''] = call.split(' ')
  return path.startsWith('/')
    ? localized('activity.request', { method, path })
    : localized('text', { text: call })
}
const entryAt = (at: number, now: number, count: number): ActivityEntry => {
  const failed = at % 17 === 0
  return {
    id: `act_${at.toString(36)}`,
    at: now - Math.round(((count - at) / count) * 80 * DAY),
    accountId: at % 50 === 0 ? null : `0b6f6a5e-0000-4000-8000-00000000000${at % 3}`,
    what: messageOf(calls[at % calls.length] ?? ''),
    detail:
      at % 4 === 0
        ? localized('text', {
            text: `Offer off_${(at * 7919) % 3000}: EUR ${(at % 5000) / 100}`,
          })
        : at % 9 === 0
          ? localized('activity.try', { tries: 2 })
          : null,
    outcome: failed ? 'failed' : at % 401 === 0 ? 'unknown' : 'ok',
    code: failed ? (codes[at % codes.length] ?? null) : null,
    status: failed ? 409 : 200,
    requestId: `req_${(at * 104_729).toString(36)}`,
    durationMs: at % 900,
  }
}

/**
 * The activity page over 1,000,000 entries: opening, scrolling, filtering, searching, and writing
 * more entries. The yardstick is a plain count of all entries.
 */
export default async function benchActivity({
  log,
  entries = 1_000_000,
  runs = 40,
}: {
  log: (text: string) => void
  entries?: number
  runs?: number
}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  try {
    const db = openDatabase(path.join(folder, 'dashboard.db'), [activitySchema])
    db.pragma('synchronous = OFF')
    const store = createActivityStore(db)
    const now = Date.now()
    for (let from = 0; from < entries; from += WRITTEN_AT_ONCE)
      store.add(
        Array.from({ length: Math.min(WRITTEN_AT_ONCE, entries - from) }, (_, at) =>
          entryAt(from + at, now, entries),
        ),
      )
    const none: ActivityFilter = { accountId: null, view: 'all', query: '', from: null }
    const list = (more: Partial<ActivityFilter>, offset = 0): unknown =>
      store.list({ ...none, ...more }, offset, 100)
    const figures = {
      open: timed(runs, () => list({})),
      account: timed(runs, (run) =>
        list({ accountId: `0b6f6a5e-0000-4000-8000-00000000000${run % 3}` }),
      ),
      scroll: timed(runs, (run) => list({}, Math.floor((run / runs) * entries))),
      failed: timed(runs, (run) =>
        list(
          { view: 'failed', accountId: `0b6f6a5e-0000-4000-8000-00000000000${run % 3}` },
          run * 100,
        ),
      ),
      week: timed(runs, (run) => list({ from: now - (7 + (run % 3)) * DAY })),
      words: timed(runs, (run) =>
        list({ query: ['get seller', 'price_ch', 'off_12', 'try', 'import demo'][run % 5] ?? '' }),
      ),
      request: timed(runs, (run) => list({ query: `req_${(run * 104_729 * 11).toString(36)}` })),
      add: timed(runs, (run) =>
        store.add(
          Array.from({ length: 20 }, (_, at) => entryAt(entries + run * 20 + at, now, entries)),
        ),
      ),
      bareCount: timed(Math.min(runs, 5), () =>
        db
          .prepare('SELECT count(*) FROM activity WHERE instr(what, :word) > 0')
          .get({ word: 'Price' }),
      ),
    }
    for (const [what, { p50, p95 }] of Object.entries(figures))
      log(`${what}: p50 ${p50} ms, p95 ${p95} ms of processor time`)
    db.close()
    return { entries, figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
