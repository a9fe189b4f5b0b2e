import type { LifeEvent } from '../../../contract/key-history.ts'
import { formatClockSeconds, formatDay, formatUtc } from '../../ui/format.ts'
import styles from './key-history.module.css'
import { knownFrom } from './words.ts'

/**
 * Everything that happened to a key, with the moment at the left and how it is known at the right;
 * what is to come stands last.
 */
export function StoryList({ events }: { events: readonly LifeEvent[] }) {
  return (
    <>
      <div className={styles.head}>
        <h2>Its whole story</h2>
        <span>known from</span>
      </div>
      <ol className={styles.story} aria-label="Its whole story">
        {events.map((event, index) => (
          // A story is told anew as a whole; its events have no other name than their place.
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
