import type { UseQueryResult } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { conclusionOf } from '../../../contract/webhook-inspector.ts'
import type { InspectorEvent, Receiver } from '../../../contract/webhook-inspector.ts'
import { formatClock, formatUtc } from '../../ui/format.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { NotRead } from '../../ui/feedback/not-read.tsx'
import { markOf, wordsOf } from './verification-results.tsx'
import styles from './webhook-inspector.module.css'

const wordOf = ({ results, late, from, about }: InspectorEvent): string =>
  [
    ...wordsOf(results),
    ...(late ? ['out of order'] : []),
    ...(from === 'pasted' ? ['pasted'] : []),
    about,
  ]
    .filter((part) => part !== '')
    .join(', ')

/** Received webhooks, newest first, each with its verdict. */
export function EventList({
  query,
  chosen,
  onChoose,
  receiver,
}: {
  query: Pick<UseQueryResult<InspectorEvent[]>, 'data' | 'isError' | 'error' | 'refetch'>
  chosen: string | null
  onChoose: (eventKey: string) => void
  receiver: Receiver | undefined
}) {
  const { data: events } = query
  const move = (by: number): void => {
    if (events === undefined) return
    const at = events.findIndex(({ eventKey }) => eventKey === chosen)
    const next = events[Math.min(events.length - 1, Math.max(0, at + by))]
    if (next === undefined) return
    onChoose(next.eventKey)
    document.getElementById(`event-${next.eventKey}`)?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    const by =
      event.key === 'ArrowDown' || event.key === 'j'
        ? 1
        : event.key === 'ArrowUp' || event.key === 'k'
          ? -1
          : 0
    if (by === 0) return
    event.preventDefault()
    move(by)
  }
  return (
    <section className={styles.left} aria-label="Received">
      <h2>
        Received <small>{events?.length}</small>
      </h2>
      {events === undefined ? <NotRead query={query} padded /> : null}
      {events?.length === 0 ? <p className={styles.none}>Nothing received yet.</p> : null}
      <ul>
        {events?.map((event) => (
          <li key={event.eventKey}>
            <button
              type="button"
              id={`event-${event.eventKey}`}
              className={styles.event}
              aria-current={event.eventKey === chosen || undefined}
              onClick={() => onChoose(event.eventKey)}
              onKeyDown={onKey}
            >
              <Mark
                kind={markOf(event.results, event.late)}
                label={conclusionOf(event.results).title}
              />
              <span>
                <code>{event.event ?? 'unknown event'}</code>
                <small title={wordOf(event)}>{wordOf(event)}</small>
              </span>
              <time title={formatUtc(event.receivedAt)}>{formatClock(event.receivedAt)}</time>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.foot}>
        {receiver?.otherUrl == null || receiver.url == null
          ? ''
          : `Replaces the endpoint ${receiver.otherUrl} while it listens. `}
        A real endpoint must be reachable by https. To check a webhook it received, paste it here.
      </p>
    </section>
  )
}
