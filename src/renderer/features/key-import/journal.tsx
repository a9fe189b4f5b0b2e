import type { Import } from '../../../contract/imports.ts'
import { formatClockSeconds, formatUtc } from '../../ui/format.ts'
import styles from './key-import.module.css'

/** What the upload did, newest first. */
export function Journal({ work }: { work: Import }) {
  return (
    <section className={styles.journal} aria-label="Journal">
      <h2>Journal</h2>
      <ol>
        {work.journal.map((entry, index) => (
          <li key={work.journal.length - index}>
            <time title={formatUtc(entry.at)}>{formatClockSeconds(entry.at)}</time>
            <div>
              <b>{entry.what}</b>
              <span>{entry.detail}</span>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
