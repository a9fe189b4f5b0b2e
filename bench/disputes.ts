import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DisputeFilter } from '../src/contract/disputes/dispute-records.ts'
import { countRelatedDisputes, listDisputes } from '../src/core/disputes/list/list.ts'
import type { RowParts } from '../src/core/disputes/list/list.ts'
import { disputedNames as names, fillDisputes } from './disputes/fill.ts'
import { openAccountDatabase } from './support/account-database.ts'
import { timed } from './support/timed.ts'

const none: DisputeFilter = { view: 'inbox', query: '', unread: false, reasons: [], languages: [] }

/**
 * Opening, searching and filtering the inbox over 50,000 disputes with ten messages each. The
 * yardstick is a plain count of all of them.
 */
export default async function benchDisputes({
  log,
  disputes = 50_000,
  messages = 10,
  runs = 60,
}: {
  log: (text: string) => void
  disputes?: number
  messages?: number
  runs?: number
}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  try {
    const { db, close } = openAccountDatabase(folder)
    fillDisputes(db, disputes, messages)
    const parts: RowParts = {
      accountId: 'bench',
      now: Date.now(),
      reasonOf: () => null,
      waits: () => false,
    }
    const list = (more: Partial<DisputeFilter>, offset = 0): unknown =>
      listDisputes(
        db,
        { ...none, ...more, sort: { column: 'urgency', direction: 'asc' }, offset, limit: 100 },
        parts,
      )
    const figures = {
      inbox: timed(runs, () => list({})),
      all: timed(runs, (run) => list({ view: 'all' }, run * 100)),
      search: timed(runs, (run) =>
        list({
          view: 'all',
          query: `${names[run % names.length]?.slice(0, 3 + (run % 5)) ?? ''} ${run % 10}`,
        }),
      ),
      letters: timed(runs, (run) =>
        list({
          view: run % 2 === 0 ? 'all' : 'resolved',
          query: ['i', 'ir', 'e', '7', 'fa', 'e 4', 'on', '1'][run % 8] ?? '',
        }),
      ),
      id: timed(runs, (run) =>
        list({ view: 'all', query: `dsp_${(run * 700).toString(36).padStart(8, '0')}` }),
      ),
      idBegins: timed(runs, (run) => list({ view: 'all', query: `sal_${10 + run}` })),
      filter: timed(runs, (run) =>
        list({
          view: 'resolved',
          reasons: run % 2 === 0 ? ['used'] : ['region', 'expired'],
          languages: run % 3 === 0 ? ['de'] : [],
        }),
      ),
      beside: timed(runs, (run) =>
        countRelatedDisputes(db, { disputeId: 'x', productId: `p${run}`, orderId: `ord_${run}` }),
      ),
      bareCount: timed(runs, () =>
        db
          .prepare(
            'SELECT count(*) FROM disputes WHERE instr(name_key || dispute_id || sale_id || order_id, :word) > 0',
          )
          .get({ word: 'iron' }),
      ),
    }
    for (const [what, { p50, p95 }] of Object.entries(figures))
      log(`${what}: p50 ${p50} ms, p95 ${p95} ms`)
    close()
    return { disputes, messages, figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
