import type { DueWork } from '../clock/due-work.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { EarningReleases } from '../ledger/earning-releases.ts'
import type { DisputeRecord } from '../ports/selling/disputes.ts'
import { checkUnresolved, disputeOf, writeMessage } from './dispute-records.ts'

/** Most disputes that escalate in one transaction. */
const BATCH = 200

/** Called with a dispute's id when a message or an escalation changed it at a time. */
export type DisputeChanged = (id: string, at: number) => void

/** Support's part in disputes (Decision 31). */
export interface SupportDecisions {
  /**
   * Open → escalated. An escalated dispute stays escalated. A reason becomes a message from
   * support.
   */
  escalate(id: string, reason: string | undefined, at: number): DisputeRecord
  /** Resolves the dispute in the seller's favour. A reason becomes a message from support. */
  reject(id: string, reason: string | undefined, at: number): DisputeRecord
  /** Escalates open disputes whose customer has waited too long, as due work. */
  readonly escalations: DueWork
}

/** Adds support's explanation of its decision, if a reason is given. */
function explain(
  context: Context,
  { no }: DisputeRecord,
  reason: string | undefined,
  at: number,
): void {
  const body = reason?.trim() ?? ''
  if (body !== '') writeMessage(context, no, 'support', body, at)
}

export function createSupportDecisions(
  context: Context,
  releases: EarningReleases,
  changed: DisputeChanged,
): SupportDecisions {
  const { store } = context

  function escalate(id: string, reason: string | undefined, at: number): DisputeRecord {
    const dispute = disputeOf(store, id)
    checkUnresolved(dispute)
    explain(context, dispute, reason, at)
    if (dispute.status === 'escalated' && reason === undefined) return dispute
    store.disputes.progress(dispute.no, { status: 'escalated', escalatesAt: null, updatedAt: at })
    reachCrashPoint('dispute.escalated')
    changed(id, at)
    return disputeOf(store, id)
  }

  return {
    escalate: (id, reason, at) => store.transaction(() => escalate(id, reason, at)),
    reject: (id, reason, at) =>
      store.transaction(() => {
        const dispute = disputeOf(store, id)
        checkUnresolved(dispute)
        explain(context, dispute, reason, at)
        store.disputes.resolve(dispute.no, { resolution: 'rejected', at, replacementNo: null })
        reachCrashPoint('dispute.rejected')
        const sale = store.sales.findByNo(dispute.saleNo)
        if (sale) releases.resume(sale, at)
        return disputeOf(store, id)
      }),
    escalations: {
      punctual: true,
      nextAt: () => store.disputes.nextEscalationAt(),
      run: (at) =>
        store.transaction(() => {
          for (const id of store.disputes.due(at, BATCH)) escalate(id, undefined, at)
        }),
    },
  }
}
