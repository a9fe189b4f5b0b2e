import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type {
  DisputeActionKind,
  DisputeSeen,
  ReplyOutcome,
} from '../../../../contract/disputes/dispute-replies.ts'
import { SettleDialog } from '../settle/settle-dialog.tsx'
import { EvidenceDialog } from '../evidence-dialog.tsx'
import { SnoozeDialog } from '../snooze-dialog.tsx'
import { TemplateDialog } from '../templates/template-dialog.tsx'

/** The open dialog. */
export type Asking =
  | { what: 'act'; kind: DisputeActionKind }
  | { what: 'snooze' }
  | { what: 'templates' }
  | { what: 'evidence' }
  | null

/** The dialogs of a dispute, at most one of which is open. */
export function PaneDialogs({
  asking,
  account,
  detail,
  onClose,
  onActed,
  onSnooze,
  onTemplate,
}: {
  asking: Asking
  account: Account
  detail: DisputeDetail
  onClose: () => void
  onActed: () => void
  onSnooze: (until: number | null, seen: DisputeSeen) => void
  onTemplate: (text: string, outcome: ReplyOutcome) => void
}) {
  return (
    <>
      {asking?.what === 'act' ? (
        <SettleDialog
          kind={asking.kind}
          detail={detail}
          account={account}
          onClose={onClose}
          onDone={onActed}
        />
      ) : null}
      {asking?.what === 'snooze' ? (
        <SnoozeDialog account={account} detail={detail} onClose={onClose} onChoose={onSnooze} />
      ) : null}
      {asking?.what === 'templates' ? (
        <TemplateDialog detail={detail} onClose={onClose} onUse={onTemplate} />
      ) : null}
      <EvidenceDialog
        account={account}
        disputeId={detail.disputeId}
        opened={asking?.what === 'evidence'}
        onClose={onClose}
      />
    </>
  )
}
