import type { Database } from 'better-sqlite3'
import type { Notice } from '../../../contract/app/notices.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { disputeMarks } from '../list/marks.ts'

type Waiting = { disputeId: string; name: string; messages: number; escalatesAt: number | null }
type Kind = 'dispute-new' | 'dispute-answered' | 'dispute-due'
export type DisputeAlert = { kind: Kind; disputeId: string; name: string; text: Localized }

const HOUR = 3_600_000
/** Above this number, one notice gives the count instead of the names. */
const NAMED = 3

const titles = {
  'dispute-new': { one: 'disputes.new', many: 'disputes.new-many' },
  'dispute-answered': { one: 'disputes.answered', many: 'disputes.answered-many' },
  'dispute-due': { one: 'disputes.due', many: 'disputes.due-many' },
} as const satisfies Record<Kind, { one: string; many: string }>

/**
 * Alerts that are due for a dispute that needs an answer, most urgent first, each with its key in
 * the record of sent alerts.
 */
function dueAlerts(
  { messages, escalatesAt }: Waiting,
  now: number,
): { kind: Kind; what: string; text: Localized }[] {
  const left = escalatesAt === null ? null : escalatesAt - now
  const due =
    left === null || left <= 0
      ? []
      : [2, 12]
          .filter((hours) => left <= hours * HOUR)
          .map((hours) => ({
            kind: 'dispute-due' as const,
            what: `${hours} h ${escalatesAt}`,
            text: localized('disputes.hours-left', { hours }),
          }))
  return [
    ...due,
    messages > 1
      ? {
          kind: 'dispute-answered',
          what: `answered ${messages}`,
          text: localized('disputes.needs-answer'),
        }
      : { kind: 'dispute-new', what: 'new', text: localized('disputes.new-problem') },
  ]
}

/**
 * Alerts for disputes that need an answer, each sent once, also across restarts: a new dispute, a
 * customer's answer, 12 hours left, 2 hours left. `silent`: only records them as sent. Used at the
 * first reading of a shop, where every dispute is new.
 */
export function newAlerts(db: Database, now: number, silent: boolean): DisputeAlert[] {
  const marks = disputeMarks(db)
  const waiting = db
    .prepare<[], Waiting>(
      `SELECT dispute_id AS disputeId, name, messages, escalates_at AS escalatesAt FROM disputes
    WHERE status = 'open' AND messages IS NOT NULL AND last_author IS NOT 'seller' ORDER BY escalates_at`,
    )
    .all()
  return waiting.flatMap((dispute) => {
    const fresh = dueAlerts(dispute, now).flatMap((tell) =>
      marks.recordAlert(dispute.disputeId, tell.what, now) ? [tell] : [],
    )
    const [first] = fresh
    return silent || first === undefined
      ? []
      : [{ kind: first.kind, disputeId: dispute.disputeId, name: dispute.name, text: first.text }]
  })
}

/** One notice per kind if there are many disputes, otherwise one per dispute. */
export function groupAlerts(
  alerts: readonly DisputeAlert[],
): Pick<Notice, 'kind' | 'title' | 'text' | 'path'>[] {
  return (Object.keys(titles) as Kind[]).flatMap((kind) => {
    const some = alerts.filter((alert) => alert.kind === kind)
    if (some.length <= NAMED)
      return some.map(({ disputeId, name, text }) => ({
        kind,
        title: localized(titles[kind].one, { name }),
        text,
        path: `/disputes/${encodeURIComponent(disputeId)}`,
      }))
    return [
      {
        kind,
        title: localized(titles[kind].many, { disputes: some.length }),
        text: localized('disputes.first-in-inbox'),
        path: '/disputes',
      },
    ]
  })
}
