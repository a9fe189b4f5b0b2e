import type { ReactNode } from 'react'
import styles from './timeline.module.css'

export interface TimelineEvent {
  id: string
  title: ReactNode
  detail?: ReactNode
  at?: ReactNode
  /** done: filled green; claim: filled red; fact: hollow; next: hollow, in the future. */ kind:
    | 'done'
    | 'claim'
    | 'fact'
    | 'next'
}

/** Events of an order, a key or a job as dots on a line, newest last. */
export function Timeline({ events, label }: { events: readonly TimelineEvent[]; label: string }) {
  return (
    <ol className={styles.line} aria-label={label}>
      {events.map((event) => (
        <li key={event.id} data-kind={event.kind}>
          <div className={styles.head}>
            <span className={styles.title}>{event.title}</span>
            <span className={styles.at}>{event.at}</span>
          </div>
          {event.detail === undefined ? null : <div className={styles.detail}>{event.detail}</div>}
        </li>
      ))}
    </ol>
  )
}
