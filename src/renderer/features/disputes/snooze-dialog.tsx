import { Button } from '../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { formatMoment, formatUtc } from '../../ui/format.ts'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import styles from './disputes.module.css'
import { HOUR_MS } from '../../../../server/api/time.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'

/** Choices for the end of a snooze, nearest first. */
function snoozeChoices(now: number): { key: string; name: string; at: number }[] {
  const morning = (days: number): number => {
    const day = new Date(now)
    day.setDate(day.getDate() + days)
    day.setHours(9, 0, 0, 0)
    return day.getTime()
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  return [
    { key: '1', name: 'For 1 HOUR_MS', at: now + HOUR_MS },
    { key: '2', name: 'For 3 hours', at: now + 3 * HOUR_MS },
    { key: '3', name: 'Until tomorrow', at: morning(1) },
    ...(toMonday === 1 ? [] : [{ key: '4', name: 'Until Monday', at: morning(toMonday) }]),
  ]
}

function Choice({
  name,
  at,
  keyName,
  onChoose,
}: {
  name: string
  at: number
  keyName: string
  onChoose: () => void
}) {
  useShortcut(keyName, onChoose, { inDialog: true })
  return (
    <li>
      <Button wide size="md" keys={[keyName]} onClick={onChoose} title={formatUtc(at)}>
        {name}
        <span className={styles.until}>{formatMoment(at, useAccountNow())}</span>
      </Button>
    </li>
  )
}

/** Asks how long to snooze a dispute; something new ends the snooze earlier. */
export function SnoozeDialog({
  escalatesAt,
  snoozed,
  onChoose,
  onClose,
}: {
  escalatesAt: number | null
  snoozed: boolean
  onChoose: (until: number | null) => void
  onClose: () => void
}) {
  const now = useAccountNow()
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Snooze dispute"
      lead="It returns at that time, or as soon as something new is written. Visible on this computer only."
      width={380}
      actions={
        <>
          {snoozed ? (
            <Button size="md" onClick={() => onChoose(null)}>
              End snooze
            </Button>
          ) : null}
          <Button size="md" keys={['Esc']} onClick={onClose} data-autofocus>
            Cancel
          </Button>
        </>
      }
    >
      <ul className={styles.choices}>
        {snoozeChoices(now).map(({ key, name, at }) => (
          <Choice
            key={key}
            keyName={key}
            name={`${name}${escalatesAt !== null && at > escalatesAt ? ', after it escalates' : ''}`}
            at={at}
            onChoose={() => onChoose(at)}
          />
        ))}
      </ul>
    </Dialog>
  )
}
