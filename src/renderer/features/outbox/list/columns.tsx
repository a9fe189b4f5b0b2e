import {
  IconCurrencyEuro,
  type Icon,
  IconMessageReport,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { OutboxEntry, outboxTabs } from '../../../../contract/outbox.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import type { GroupHeading } from './groups.ts'
import styles from '../outbox.module.css'
import {
  kindLabels,
  kindText,
  currentText,
  type CellText,
  seenText,
  wantedText,
  formatWhen,
} from './cell-texts.ts'

export type OutboxTab = (typeof outboxTabs)[number]
/** A row of the table: an entry, or the heading of a group. */
export type OutboxRow = OutboxEntry | GroupHeading
export const isGroupHeading = (line: OutboxRow): line is GroupHeading => 'group' in line

export interface RowActions {
  send: (entry: OutboxEntry) => void
  open: (entry: OutboxEntry) => void
  discard: (entry: OutboxEntry) => void
  restore: (entry: OutboxEntry) => void
}

/** The icon of an entry's kind of change. */
export function KindIcon({ entry: { kind, wanted } }: { entry: OutboxEntry }) {
  const Shape: Icon =
    kind === 'offer-price'
      ? IconCurrencyEuro
      : kind === 'offer-new'
        ? IconPlus
        : kind === 'dispute-answer'
          ? IconMessageReport
          : wanted.status === 'active'
            ? IconPlayerPlay
            : IconPlayerPause
  return <Shape size={15} stroke={1.6} aria-hidden />
}

const headers: Record<OutboxTab, { present: string; wanted: string }> = {
  waiting: { present: 'On the service now', wanted: 'You want' },
  sent: { present: 'On the service before', wanted: 'Sent' },
  dropped: { present: 'On the service then', wanted: 'You wanted' },
}

/**
 * The columns: state when you changed it, state on the service now, your change, and the actions.
 * Without `canSend`, no change can be sent.
 */
export function outboxColumns(
  tab: OutboxTab,
  canSend: boolean,
  actions: RowActions,
): Column<OutboxRow>[] {
  const entryCell =
    (draw: (entry: OutboxEntry, open: boolean) => ReactNode): Column<OutboxRow>['cell'] =>
    (line, { open }) =>
      isGroupHeading(line) ? null : draw(line, open)
  const entryText =
    (say: (entry: OutboxEntry) => CellText): ((line: OutboxRow) => string) =>
    (line) =>
      isGroupHeading(line) ? '' : [say(line).text, say(line).detail].filter(Boolean).join(', ')
  return [
    {
      id: 'change',
      header: 'Change',
      text: entryText((entry) => ({ text: entry.title, detail: kindText(entry) })),
      width: 230,
      minWidth: 100,
      wantedWidth: 150,
      grow: true,
      hideable: false,
      cell: entryCell((entry) => <ChangeCell entry={entry} />),
    },
    {
      id: 'seen',
      header: 'When you changed it',
      text: entryText((entry) => seenText(entry, Date.now())),
      width: 142,
      hideOrder: 1,
      cell: entryCell((entry) => <TwoLineCell said={seenText(entry, Date.now())} weight="plain" />),
    },
    {
      id: 'present',
      header: headers[tab].present,
      text: entryText((entry) => currentText(entry, Date.now())),
      width: 156,
      hideable: false,
      hideOrder: 2,
      cell: entryCell((entry) => (
        <TwoLineCell
          said={currentText(entry, Date.now())}
          weight={entry.verdict === 'already' ? 'plain' : 'normal'}
        />
      )),
    },
    {
      id: 'wanted',
      header: headers[tab].wanted,
      text: entryText((entry) => wantedText(entry, Date.now())),
      width: 156,
      hideable: false,
      cell: entryCell((entry) => (
        <TwoLineCell
          said={wantedText(entry, Date.now())}
          weight={entry.verdict === 'already' && tab === 'waiting' ? 'plain' : 'strong'}
        />
      )),
    },
    {
      id: 'act',
      header: '',
      width: 114,
      align: 'end',
      hideable: false,
      cell: entryCell((entry, open) => (
        <RowButtons entry={entry} open={open} canSend={canSend} actions={actions} />
      )),
    },
  ]
}

function ChangeCell({ entry }: { entry: OutboxEntry }) {
  const refused = entry.state === 'waiting' ? entry.problem : null
  return (
    <div className={styles.change}>
      <KindIcon entry={entry} />
      <div className={styles.two}>
        <b title={entry.title}>{entry.title}</b>
        {refused === null ? (
          <small title={kindText(entry)}>{kindText(entry)}</small>
        ) : (
          <small data-bad title={`${kindText(entry)}. ${refused.what}`}>
            {kindText(entry)}. Not sent: {refused.what}
          </small>
        )}
      </div>
    </div>
  )
}

function TwoLineCell({ said, weight }: { said: CellText; weight: 'plain' | 'normal' | 'strong' }) {
  return (
    <div
      className={styles.two}
      data-tone={said.tone}
      data-plain={weight === 'plain' || undefined}
      data-strong={weight === 'strong' || undefined}
    >
      <b title={said.text}>{said.text}</b>
      <small title={said.detail}>{said.detail}</small>
    </div>
  )
}

function RowButtons({
  entry,
  open,
  canSend,
  actions,
}: {
  entry: OutboxEntry
  open: boolean
  canSend: boolean
  actions: RowActions
}) {
  const of = `${kindLabels[entry.kind].toLowerCase()} of ${entry.title}`
  if (entry.state === 'sent')
    return (
      <span className={styles.act}>
        <Mark kind="ok" size={13} />
        {entry.settledAt === null ? 'Sent' : formatWhen(entry.settledAt, Date.now())}
      </span>
    )
  if (entry.state === 'sending')
    return (
      <span className={styles.act}>
        <ProgressRing size={13} label="Sending" />
        Sending
      </span>
    )
  if (entry.state === 'unknown')
    return (
      <span
        className={styles.act}
        title="The response was lost. Keydesk first checks the service for your change."
      >
        <Mark kind="unknown" size={13} />
        Not confirmed
      </span>
    )
  return (
    <span className={styles.act} data-own>
      {entry.state === 'dropped' ? (
        <Button aria-label={`Restore: ${of}`} onClick={() => actions.restore(entry)}>
          Restore
        </Button>
      ) : null}
      {entry.state === 'waiting' ? (
        <VerdictButtons entry={entry} of={of} open={open} canSend={canSend} actions={actions} />
      ) : null}
    </span>
  )
}

/** The buttons of a queued change, by the result of its comparison. */
function VerdictButtons({
  entry,
  of,
  open,
  canSend,
  actions,
}: {
  entry: OutboxEntry
  /** Names the change. */
  of: string
  open: boolean
  canSend: boolean
  actions: RowActions
}) {
  if (entry.verdict === 'decide')
    return (
      <Button
        kind={open ? 'primary' : 'standard'}
        aria-label={`Decide: ${of}`}
        onClick={() => actions.open(entry)}
      >
        {entry.kind === 'dispute-answer' ? 'Read first' : 'Decide'}
      </Button>
    )
  if (entry.verdict === 'gone')
    return (
      <Button aria-label={`Discard: ${of}`} onClick={() => actions.discard(entry)}>
        Discard
      </Button>
    )
  if (entry.verdict === 'already')
    return (
      <Button kind="quiet" aria-label={`Clear: ${of}`} onClick={() => actions.discard(entry)}>
        Clear
      </Button>
    )
  return (
    <>
      {entry.verdict === 'ready' ? (
        <Button disabled={!canSend} aria-label={`Send: ${of}`} onClick={() => actions.send(entry)}>
          Send
        </Button>
      ) : null}
      <IconButton small label={`Discard: ${of}`} onClick={() => actions.discard(entry)}>
        <IconX size={15} stroke={1.6} />
      </IconButton>
    </>
  )
}
