import { useQuery } from '@tanstack/react-query'
import {
  IconAlertTriangleFilled,
  IconChevronDown,
  IconChevronUp,
  IconClockHour4,
} from '@tabler/icons-react'
import type { Ref } from 'react'
import type { OutboxEntry, OutboxEvent } from '../../../../contract/outbox.ts'
import { formatMessage, localized } from '../../../../contract/localization/localized.ts'
import type { Cents } from '../../../../../server/api/money.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatClockSeconds, formatMoment, formatUtc } from '../../../ui/format.ts'
import { type TimelineEvent, Timeline } from '../../../ui/data-display/timeline.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { movesOfRecords } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { useFrozen } from '../../../ui/hooks/use-frozen.ts'
import { type ChoicesHandle, EntryChoices } from './entry-choices.tsx'
import styles from '../outbox.module.css'
import { discardedText, kindLabels, verdictTitle } from '../list/cell-texts.ts'
import { entryKey, entryTexts } from '../list/entry-texts.ts'

export interface EntryPanelProps {
  entryId: string
  canSend: boolean
  busy: boolean
  onSend: (entry: OutboxEntry, priceCents?: Cents) => void
  onDiscard: (entry: OutboxEntry) => void
  onRestore: (entry: OutboxEntry) => void
  onMove: (by: 1 | -1) => void
  onClose: () => void
  choices: Ref<ChoicesHandle>
}

// Entries of earlier versions contain the text, not the code.
const lastSeen = formatMessage(localized('outbox.last-seen'))
const sent = formatMessage(localized('outbox.sent'))

/** One entry: why it needs a decision, the choices, and its history. */
export function EntryPanel({ entryId, onMove, onClose, ...actions }: EntryPanelProps) {
  const { id: accountId } = useAccount()
  const query = useQuery(api.outbox.entry.queryOptions({ input: { accountId, entryId } }))
  const entry = query.data
  const percent = useCommission(entry)
  if (entry === undefined)
    return (
      <SidePanel title="Queued changes" onClose={onClose}>
        {query.isError ? (
          <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : null}
      </SidePanel>
    )
  const waits = entry.state === 'waiting'
  return (
    <SidePanel
      title={entry.title}
      onClose={onClose}
      detail={
        <>
          {[entry.subtitle, kindLabels[entry.kind].toLowerCase()]
            .filter((part) => part !== '')
            .join(' · ')}{' '}
          <span className={`kd-mono ${styles.id}`}>{entry.subjectId}</span>
        </>
      }
      actions={
        <>
          <IconButton label="Previous" onClick={() => onMove(-1)}>
            <IconChevronUp size={16} stroke={1.6} />
          </IconButton>
          <IconButton label="Next" onClick={() => onMove(1)}>
            <IconChevronDown size={16} stroke={1.6} />
          </IconButton>
        </>
      }
      {...(waits && {
        footer: (
          <div className={styles.foot}>
            {actions.canSend
              ? 'Keydesk checks it again just before sending. If it has changed again, it comes back here.'
              : 'Nothing can be sent until the connection is back. You can discard it now.'}
          </div>
        ),
      })}
    >
      <PanelSection>
        <EntryStatus entry={entry} />
      </PanelSection>
      {entry.problem === null || !waits ? null : (
        <PanelSection>
          <ProblemNotice problem={entry.problem} />
        </PanelSection>
      )}
      <EntryDecision entry={entry} percent={percent} {...actions} />
      <PanelSection title="History">
        <Timeline label="History" events={timelineOf(entry, entry.events)} />
      </PanelSection>
    </SidePanel>
  )
}

/** The commission of an entry's offer; null if the entry isn't about an offer or it is unknown. */
function useCommission(entry: OutboxEntry | undefined): number | null {
  const { id: accountId } = useAccount()
  const offer = useQuery({
    ...api.offers.offer.queryOptions({ input: { accountId, offerId: entry?.subjectId ?? '' } }),
    enabled: entry?.kind === 'offer-price' || entry?.kind === 'offer-status',
    retry: false,
  }).data
  return offer?.commission?.percent ?? null
}

/** The queued answer, and what a person can do with the entry in its state. */
function EntryDecision({
  entry: current,
  percent,
  canSend,
  busy,
  choices,
  onSend,
  onDiscard,
  onRestore,
}: Omit<EntryPanelProps, 'entryId' | 'onMove' | 'onClose'> & {
  entry: OutboxEntry & { text: string | null }
  percent: number | null
}) {
  const { state, verdict, text } = current
  const waits = state === 'waiting'
  const { shown, moved, accept } = useFrozen(waits ? [current] : null, current.entryId, entryKey)
  const [entry = current] = shown ?? []
  if (text === null && !waits && state !== 'dropped') return null
  return (
    <PanelSection>
      {text === null ? null : <div className={styles.answer}>{text}</div>}
      {!waits ? null : verdict === 'gone' || verdict === 'already' || verdict === 'uncompared' ? (
        <div className={styles.buttons}>
          <Button wide keys={['Del']} onClick={() => onDiscard(entry)}>
            {verdict === 'already' ? 'Clear' : 'Discard'}
          </Button>
        </div>
      ) : (
        <EntryChoices
          key={entry.entryId}
          ref={choices}
          entry={entry}
          percent={percent}
          canSend={canSend && moved === null}
          busy={busy}
          onSend={(priceCents) => onSend(entry, priceCents)}
          onDiscard={() => onDiscard(entry)}
        />
      )}
      {moved === null ? null : (
        <MovesNotice
          moves={movesOfRecords(entryTexts([entry]), entryTexts(moved))}
          onAccept={accept}
        />
      )}
      {state === 'dropped' ? (
        <div className={styles.buttons}>
          <Button wide onClick={() => onRestore(entry)}>
            Restore
          </Button>
        </div>
      ) : null}
    </PanelSection>
  )
}

function EntryStatus({ entry }: { entry: OutboxEntry & { events: readonly OutboxEvent[] } }) {
  const settled =
    entry.state === 'sent'
      ? { title: 'Sent', text: 'The service has your change.' }
      : entry.state === 'dropped'
        ? { title: 'Discarded', text: discardedText(entry.events) }
        : null
  const asks =
    settled === null &&
    (entry.verdict === 'decide' || entry.verdict === 'gone' || entry.state === 'unknown')
  const icon = asks ? (
    <IconAlertTriangleFilled size={15} color="var(--kd-warn)" aria-hidden />
  ) : entry.state === 'waiting' && entry.verdict === 'uncompared' ? (
    <IconClockHour4 size={15} stroke={1.6} color="var(--kd-warn)" aria-hidden />
  ) : (
    <Mark kind={entry.state === 'dropped' ? 'skip' : 'ok'} size={15} />
  )
  const text =
    settled?.text ??
    (entry.state === 'unknown'
      ? 'The response was lost. Keydesk first checks the service for your change, and never sends it twice.'
      : entry.reason === null
        ? statusText(entry)
        : formatMessage(entry.reason))
  return (
    <div className={styles.why}>
      {icon}
      <div>
        <h3>{settled?.title ?? verdictTitle(entry)}</h3>
        <p>{text}</p>
      </div>
    </div>
  )
}

function statusText({ verdict, state }: OutboxEntry): string {
  if (state === 'sending') return 'You approved it.'
  if (verdict === 'uncompared')
    return 'Keydesk compares it as soon as the service responds. Nothing is sent without your approval.'
  return verdict === 'already'
    ? 'There is nothing to send. Clear it from the list.'
    : 'It’s the same as when you changed it.'
}

/** Filled green: seen and sent. Red: needs a decision or was rejected. Hollow: facts. */
function timelineOf(entry: OutboxEntry, events: readonly OutboxEvent[]): TimelineEvent[] {
  const now = Date.now()
  return events.map((event, index) => {
    const asks =
      index === events.length - 1 &&
      entry.state === 'waiting' &&
      (entry.verdict === 'decide' || entry.verdict === 'gone' || entry.problem !== null)
    const title = formatMessage(event.what)
    const done = title === sent || (index === 0 && title === lastSeen)
    const today = new Date(event.at).toDateString() === new Date(now).toDateString()
    return {
      id: String(index),
      title,
      detail: event.detail === null ? '' : formatMessage(event.detail),
      kind: asks ? 'claim' : done ? 'done' : 'fact',
      at: (
        <time title={formatUtc(event.at)}>
          {today ? formatClockSeconds(event.at) : formatMoment(event.at, now)}
        </time>
      ),
    }
  })
}
