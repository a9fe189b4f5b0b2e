import type { Import } from '../../../../contract/keys/import-records.ts'
import { formatCount } from '../../../ui/format.ts'
import styles from './upload.module.css'
import { ExportRejected } from '../line-totals.tsx'

/**
 * The lines that were not sent, with the reason. Together with the sent lines they add up to all
 * lines read.
 */
export function NotUploaded({ work }: { work: Import }) {
  const { noOffer, setAside, duplicate, refused } = work.sums
  if (noOffer + setAside + duplicate + refused === 0) return null
  return (
    <section className={styles.notUploaded} aria-label="Not uploaded">
      <h2>Not uploaded</h2>
      <dl>
        {noOffer === 0 ? null : (
          <div>
            <dt>{formatCount(noOffer)}</dt>
            <dd>lines without an offer</dd>
          </div>
        )}
        {setAside === 0 ? null : (
          <div>
            <dt>{formatCount(setAside)}</dt>
            <dd>lines set aside</dd>
          </div>
        )}
        {duplicate === 0 ? null : (
          <div>
            <dt>{formatCount(duplicate)}</dt>
            <dd>duplicates, skipped</dd>
          </div>
        )}
        {refused === 0 ? null : (
          <div>
            <dt>{formatCount(refused)}</dt>
            <dd>
              rejected lines <ExportRejected work={work} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
