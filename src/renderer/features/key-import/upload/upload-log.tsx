import type { Import } from '../../../../contract/keys/import-records.ts'
import { formatMessage } from '../../../../contract/localization/localized.ts'
import { formatClockSeconds, formatUtc } from '../../../ui/format.ts'
import styles from './upload.module.css'

/** The events of the upload, newest first. */
export function UploadLog({ work }: { work: Import }) {
  return (
    <section className={styles.journal} aria-label="Upload log">
      <h2>Upload log</h2>
      <ol>
        {work.journal.map((entry, index) => (
          <li key={work.journal.length - index}>
            <time title={formatUtc(entry.at)}>{formatClockSeconds(entry.at)}</time>
            <div>
              <b>{formatMessage(entry.what)}</b>
              <span>{entry.detail === null ? '' : formatMessage(entry.detail)}</span>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
