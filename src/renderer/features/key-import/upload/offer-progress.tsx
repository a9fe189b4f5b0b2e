import type { Import } from '../../../../contract/keys/import-records.ts'
import { formatCount } from '../../../ui/format.ts'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import styles from '../key-import.module.css'

/** The keys sent to each offer and the service's results, with totals. */
export function OfferProgress({ work }: { work: Import }) {
  const hasRefused = work.offers.some(({ refused }) => refused > 0)
  const sum = (value: (offer: Import['offers'][number]) => number): number =>
    work.offers.reduce((total, offer) => total + value(offer), 0)
  return (
    <table className={styles.table} aria-label="Offers">
      <thead>
        <tr>
          <th scope="col">Offer</th>
          <th scope="col">Uploaded</th>
          <th scope="col" className={styles.end}>
            Keys
          </th>
          <th scope="col" className={styles.end}>
            Added
          </th>
          <th scope="col" className={styles.end}>
            Duplicates
          </th>
          {hasRefused ? (
            <th scope="col" className={styles.end}>
              Rejected
            </th>
          ) : null}
          <th scope="col" className={styles.end}>
            Stock after
          </th>
        </tr>
      </thead>
      <tbody className={styles.tall}>
        {work.offers.map((offer) => {
          const isDone = offer.sent === offer.total
          const waits = offer.sent === 0
          return (
            <tr key={offer.offerId} data-quiet={waits || undefined}>
              <td>
                <NameCell name={offer.name} detail={`${offer.platform} · ${offer.region}`} />
                {offer.problem === null ? null : (
                  <small className={styles.why}>{offer.problem.what}</small>
                )}
              </td>
              <td>
                <ProgressBar
                  width={72}
                  share={offer.total === 0 ? 1 : offer.sent / offer.total}
                  tone={offer.refused > 0 ? 'warn' : isDone ? 'ok' : 'accent'}
                  label={`Uploaded to ${offer.name}`}
                />
              </td>
              <td className={styles.end}>
                {isDone
                  ? formatCount(offer.total)
                  : waits
                    ? `${formatCount(offer.total)} waiting`
                    : `${formatCount(offer.sent)} of ${formatCount(offer.total)}`}
              </td>
              <td className={styles.end}>{waits ? '' : formatCount(offer.added)}</td>
              <td className={styles.end}>{waits ? '' : formatCount(offer.duplicates)}</td>
              {hasRefused ? <td className={styles.end}>{formatCount(offer.refused)}</td> : null}
              <td className={styles.end}>{offer.stock === null ? '' : formatCount(offer.stock)}</td>
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            All offers
          </th>
          <td className={styles.end}>
            {formatCount(sum((offer) => offer.sent))} of {formatCount(sum((offer) => offer.total))}
          </td>
          <td className={styles.end}>{formatCount(sum((offer) => offer.added))}</td>
          <td className={styles.end}>{formatCount(sum((offer) => offer.duplicates))}</td>
          {hasRefused ? (
            <td className={styles.end}>{formatCount(sum((offer) => offer.refused))}</td>
          ) : null}
          <td className={styles.end}>–</td>
        </tr>
      </tfoot>
    </table>
  )
}
