import type { Account } from '../../../../contract/app/accounts.ts'
import type { BulkReplyPlan } from '../../../../contract/disputes/dispute-replies.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatEur } from '../../../ui/format.ts'
import { languageName } from '../words.ts'
import { SendRepliesDialog } from './send-replies-dialog.tsx'
import styles from './bulk.module.css'

const leftOutWords: Readonly<Record<BulkReplyPlan['leftOut'][number]['reason'], string>> = {
  'not-found': 'Not on this computer.',
  resolved: 'Already resolved.',
  'in-progress': 'An earlier answer or action is still in progress.',
  'batch-alarm': 'Keys of a batch with an alarm are in stock. Withdraw the batch first.',
  'no-offer': 'The offer isn’t on this computer, so its stock is unknown.',
  'no-stock': 'No key is left in stock for it.',
  'unknown-amount': 'The amount of the refund isn’t known.',
  'no-text': 'There’s no text in the customer’s language.',
  'missing-field': 'A field of the text has no value for it.',
}

/** Everything that a bulk reply does, exactly as shown. */
export function BulkReview({
  account,
  plan,
  onBack,
  onSend,
}: {
  account: Account
  plan: BulkReplyPlan
  onBack: () => void
  onSend: (typed: string | null) => Promise<void>
}) {
  return (
    <SendRepliesDialog
      account={account}
      width={640}
      title="Before you send"
      lead="You can undo for 10 seconds after you send. After that, keys and refunds are final."
      sent={{ ...plan, count: plan.lines.length, leftOut: plan.leftOut.length }}
      typed={plan.typed}
      onClose={onBack}
      onSend={() => onSend(plan.typed)}
    >
      <PlannedLines plan={plan} />
    </SendRepliesDialog>
  )
}

function PlannedLines({ plan: { lines, leftOut } }: { plan: BulkReplyPlan }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <div className={styles.lines} role="region" aria-label="Each reply" tabIndex={0}>
      <ul aria-label="Replies">
        {lines.map((line) => (
          <li key={line.disputeId}>
            <span className="kd-mono">{line.disputeId}</span>
            <span>
              <b>{line.name}</b> {variantLabel(line)}
              <small dir="auto">{line.text}</small>
            </span>
            <span>
              {line.refundCents === null ? null : formatEur(line.refundCents)}
              {line.language === null || line.language === 'en' ? null : (
                <em>{languageName(line.language)}</em>
              )}
            </span>
          </li>
        ))}
      </ul>
      {leftOut.length === 0 ? null : (
        <ul aria-label="Left out" data-left-out>
          {leftOut.map(({ disputeId, name, reason }) => (
            <li key={disputeId}>
              <span className="kd-mono">{disputeId}</span>
              <span>
                <b>{name}</b> <small>{leftOutWords[reason]}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
