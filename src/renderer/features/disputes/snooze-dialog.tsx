import { useRef, useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { DisputeSeen } from '../../../contract/disputes/dispute-replies.ts'
import { useAccountNows } from '../../lib/account/account-time.tsx'
import { productLine } from '../../lib/labels/product-labels.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { MomentField } from '../../ui/controls/fields/moment-field.tsx'
import { formatFullMoment, formatMoment, formatUtc } from '../../ui/format.ts'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../ui/layout/dialog.tsx'
import styles from './disputes.module.css'
import { KeyedChoice } from './keyed-choice.tsx'
import { isTooLate, snoozeChoices } from './snooze-choices.ts'

/** A typed end of the snooze. A time in the past isn't accepted. */
function OwnTime({
  now,
  escalatesAt,
  onChoose,
}: {
  now: number
  escalatesAt: number | null
  onChoose: (until: number) => void
}) {
  const [until, setUntil] = useState<number | null>(null)
  const field = useRef<HTMLDivElement>(null)
  const isPast = until !== null && until <= now
  const choose = (): void => {
    if (until !== null && !isPast) onChoose(until)
  }
  useShortcut('d', () => field.current?.querySelector('input')?.focus(), { where: 'dialog' })
  return (
    <div className={styles.ownTime} ref={field}>
      <MomentField
        label
        name="Date and time (D)"
        value={until}
        error={isPast ? 'Choose a later time.' : null}
        onChange={setUntil}
        onEnter={choose}
      />
      <Button size="md" keys={['Enter']} disabled={until === null || isPast} onClick={choose}>
        Snooze
      </Button>
      {until === null || isPast ? null : (
        <p className={styles.note} role="status">
          Returns {formatFullMoment(until)}
          {isTooLate(until, escalatesAt) ? ', after it escalates' : ''}.
        </p>
      )}
    </div>
  )
}

/** Asks how long to snooze a dispute; something new ends the snooze earlier. */
export function SnoozeDialog({
  account,
  detail,
  onChoose,
  onClose,
}: {
  account: Account
  detail: DisputeDetail
  onChoose: (until: number | null, seen: DisputeSeen) => void
  onClose: () => void
}) {
  const now = useAccountNows()(account.id)
  const { escalatesAt } = detail
  // Keydesk compares the dispute with its state on the screen when the dialog opened.
  const [seen] = useState({ status: detail.status, messages: detail.messages })
  const choose = (until: number | null): void => onChoose(until, seen)
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Snooze dispute"
      account={account}
      lead={
        <>
          <b>{productLine(detail)}</b>
          <br />
          It returns at that time, or as soon as something new is written. Visible on this computer
          only.
        </>
      }
      width={420}
      actions={
        <>
          {detail.snoozedUntil === null ? null : (
            <Button size="md" onClick={() => choose(null)}>
              End snooze
            </Button>
          )}
          <Button size="md" keys={['Esc']} onClick={onClose} data-autofocus>
            Cancel
          </Button>
        </>
      }
    >
      <ul className={styles.choices}>
        {snoozeChoices(now, escalatesAt).map(({ key, name, at }) => (
          <KeyedChoice key={key} keyName={key} title={formatUtc(at)} onChoose={() => choose(at)}>
            {name}
            <span className={styles.until}>
              {formatMoment(at, now)}
              {isTooLate(at, escalatesAt) ? ', after it escalates' : ''}
            </span>
          </KeyedChoice>
        ))}
      </ul>
      <OwnTime now={now} escalatesAt={escalatesAt} onChoose={choose} />
    </Dialog>
  )
}
