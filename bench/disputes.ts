import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Database } from 'better-sqlite3'
import type { DisputeFilter } from '../src/contract/disputes/dispute-records.ts'
import { disputeFacts } from '../src/core/disputes/sync/facts.ts'
import { countRelatedDisputes, listDisputes } from '../src/core/disputes/list/list.ts'
import type { RowParts } from '../src/core/disputes/list/list.ts'
import { disputeStore } from '../src/core/disputes/store.ts'
import { openAccountDatabase } from './support/account-database.ts'
import { timed } from './support/timed.ts'

const HOUR = 3_600_000
const names = [
  'Ironwharf',
  'Cinderkeep',
  'Farspire Online',
  'Last Orbit',
  'Nightjar',
  'Deeproot Valley',
  'Velvet Syndicate',
]
const said = [
  'It says the code was already used',
  'Der Code ist ungültig',
  'Region error',
  'Le lien est expiré',
  'Something is wrong',
]
const none: DisputeFilter = { view: 'inbox', query: '', unread: false, reasons: [], languages: [] }

/**
 * Fills a mirror with a number of disputes and messages per dispute; one dispute in fifty isn't
 * resolved.
 */
function fill(db: Database, disputes: number, messages: number): void {
  db.pragma('synchronous = NORMAL')
  const store = disputeStore(db)
  const now = Date.now()
  for (let from = 0; from < disputes; from += 1000) {
    store.transaction(() => {
      for (let at = from; at < Math.min(disputes, from + 1000); at += 1) {
        const id = `dsp_${at.toString(36).padStart(8, '0')}`
        const openedAt = now - (at * HOUR) / 4
        const open = at % 50 === 0
        const text = said[at % said.length] ?? ''
        store.put(
          disputeFacts(
            {
              id,
              saleId: `sal_${at}`,
              orderId: `ord_${at % 30_000}`,
              offerId: `off_${at % 900}`,
              productId: `p${at % 900}`,
              name: `${names[at % names.length] ?? ''} ${at % 90}`,
              reason: text,
              status: open ? 'open' : 'resolved',
              openedAt: new Date(openedAt).toISOString(),
              updatedAt: new Date(openedAt).toISOString(),
              escalatesAt: open ? new Date(openedAt + 72 * HOUR).toISOString() : null,
              resolution: open
                ? null
                : { type: 'replaced', at: new Date(openedAt + HOUR).toISOString() },
            },
            id,
          ),
          { reason: Buffer.alloc(80), fingerprint: null },
          1,
          now,
        )
        store.putConversation(
          id,
          {
            bodies: true,
            others: Math.ceil(messages / 2),
            attachments: [],
            messages: Array.from({ length: messages }, (_, position) => ({
              position,
              author: position % 2 === 0 ? 'customer' : 'seller',
              body_sealed: Buffer.alloc(160),
              at: openedAt + position * HOUR,
            })),
          },
          now,
        )
      }
    })
  }
}

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
    fill(db, disputes, messages)
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
