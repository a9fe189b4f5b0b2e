import type { KeyEvent } from '../../../contract/keys/key-history.ts'
import { formatClockSeconds, formatDay, formatUtc } from '../../ui/format.ts'
import styles from './key-history.module.css'
import { knownFrom } from './words.ts'

/**
 * All events of a key, with the time on the left and the source on the right. Future events come
 * last.
 */
export function KeyEventList({ events }: { events: readonly KeyEvent[] }) {
  return (
    <>
      <div className={styles.head}>
        <h2>Full history</h2>
        <span>source</span>
      </div>
      <ol className={styles.story} aria-label="Full history">
        {events.map((event, index) => (
          // The list is replaced as a whole, and its events have no identity but their position.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-kind={event.kind}>
            {event.at === null ? (
              <span />
            ) : (
              <time title={formatUtc(event.at)}>
                {formatDay(event.at)}
                <small>{formatClockSeconds(event.at)}</small>
              </time>
            )}
            <span className={styles.dot} aria-hidden />
            <div>
              <b>{event.title}</b>
              {event.detail === '' ? null : <p>{event.detail}</p>}
            </div>
            <span className={styles.from}>{knownFrom[event.knownFrom]}</span>
          </li>
        ))}
      </ol>
    </>
  )
}
