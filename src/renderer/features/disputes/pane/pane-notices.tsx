import { IconAlertTriangleFilled } from '@tabler/icons-react'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatDuration, formatMoment } from '../../../ui/format.ts'
import styles from './pane.module.css'
import { HOUR_MS } from '../../../../../server/api/time.ts'
import { ESCALATES_AFTER_MS } from '../../../../../server/api/limits.ts'

/** The deadline, an alarm that the hidden side panel would show, and the escalation. */
export function PaneNotices({
  detail,
  now,
  alarm,
  onShowAlarm,
}: {
  detail: DisputeDetail
  now: number
  alarm: string | null
  onShowAlarm: () => void
}) {
  const { status, needsAnswer, escalatesAt } = detail
  return (
    <>
      {escalatesAt === null || status !== 'open' || !needsAnswer ? null : (
        <Deadline escalatesAt={escalatesAt} now={now} />
      )}
      {alarm === null ? null : (
        <div className={styles.due} data-tone="bad" role="status">
          <IconAlertTriangleFilled size={15} aria-hidden />
          <b>{alarm}</b>
          <Button keys={['I']} onClick={onShowAlarm}>
            View
          </Button>
        </div>
      )}
      {status !== 'escalated' ? null : (
        <div className={styles.due} data-tone="warn" role="status">
          <IconAlertTriangleFilled size={15} aria-hidden />
          <b>Escalated to support.</b>
          <span>You can still answer, replace and refund.</span>
        </div>
      )}
    </>
  )
}

function Deadline({ escalatesAt, now }: { escalatesAt: number; now: number }) {
  const left = escalatesAt - now
  const passed = Math.min(100, Math.max(0, 100 - (left / ESCALATES_AFTER_MS) * 100))
  return (
    <div
      className={styles.due}
      data-tone={left < 6 * HOUR_MS ? 'bad' : left < 24 * HOUR_MS ? 'warn' : 'calm'}
      role="status"
    >
      <IconAlertTriangleFilled size={15} aria-hidden />
      <b>{left <= 0 ? 'Escalates now' : `Escalates in ${formatDuration(left)}`}</b>
      <span>unless you answer</span>
      <span className={styles.dueBar} aria-hidden>
        <i style={{ width: `${passed}%` }} />
      </span>
      <span>{formatMoment(escalatesAt, now)}</span>
    </div>
  )
}
