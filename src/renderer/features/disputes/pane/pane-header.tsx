import {
  IconCircleCheck,
  IconClockPause,
  IconFileExport,
  IconInfoCircle,
} from '@tabler/icons-react'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { formatMoment } from '../../../ui/format.ts'
import styles from './pane.module.css'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { reasonWord } from '../../../lib/labels/dispute-labels.ts'

const icon = { size: 16, stroke: 1.6 } as const

/** The dispute's reason and product, and the actions that only this computer knows of. */
export function PaneHeader({
  detail,
  now,
  onSnooze,
  onMine,
  onDone,
  onEvidence,
  onShowPanel,
}: {
  detail: DisputeDetail
  now: number
  onSnooze: () => void
  onMine: () => void
  onDone: () => void
  onEvidence: () => void
  /** Null while the side panel is visible. */
  onShowPanel: (() => void) | null
}) {
  return (
    <header className={styles.paneHead}>
      <div>
        <h2>{reasonWord(detail.reasonKind)}</h2>
        <p>
          {productLine(detail)} · <span className="kd-mono">{detail.disputeId}</span>
          {detail.openedAt === null ? null : <> · {formatMoment(detail.openedAt, now)}</>}
        </p>
      </div>
      {detail.status === 'resolved' ? null : (
        <>
          <Button kind="quiet" icon={<IconClockPause {...icon} />} keys={['Z']} onClick={onSnooze}>
            {detail.snoozedUntil === null ? 'Snooze' : 'Snoozed'}
          </Button>
          <Button kind="quiet" aria-pressed={detail.mine} onClick={onMine}>
            {detail.mine ? 'Yours' : 'Mark as mine'}
          </Button>
          <IconButton label="Mark as done and go to next (E)" onClick={onDone}>
            <IconCircleCheck {...icon} />
          </IconButton>
        </>
      )}
      <IconButton label="Save evidence (V)" onClick={onEvidence}>
        <IconFileExport {...icon} />
      </IconButton>
      {onShowPanel === null ? null : (
        <IconButton label="About this sale (I)" onClick={onShowPanel}>
          <IconInfoCircle {...icon} />
        </IconButton>
      )}
    </header>
  )
}
