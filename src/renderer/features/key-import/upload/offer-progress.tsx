import { variantLabel } from '../../../lib/labels/product-labels.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import { formatCount } from '../../../ui/format.ts'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import shared from '../key-import.module.css'
import styles from './upload.module.css'

/** The keys sent to each offer and the service's results, with totals. */
export function OfferProgress({ work }: { work: Import }) {
  const hasRefused = work.offers.some(({ refused }) => refused > 0)
  const hasExcluded = work.offers.some(({ excluded }) => excluded > 0)
  const sum = (value: (offer: Import['offers'][number]) => number): number =>
    work.offers.reduce((total, offer) => total + value(offer), 0)
  return (
    <table className={shared.table} aria-label="Offers">
      <thead>
        <tr>
          <th scope="col">Offer</th>
          <th scope="col">Uploaded</th>
          <th scope="col" className={shared.end}>
            Keys
          </th>
          <th scope="col" className={shared.end}>
            Added
          </th>
          <th scope="col" className={shared.end}>
            Duplicates
          </th>
          {hasRefused ? (
            <th scope="col" className={shared.end}>
              Rejected
            </th>
          ) : null}
          {hasExcluded ? (
            <th scope="col" className={shared.end}>
              Excluded
            </th>
          ) : null}
          <th scope="col" className={shared.end}>
            Stock after
          </th>
        </tr>
      </thead>
      <tbody className={styles.tall}>
        {work.offers.map((offer) => {
          const isDone = offer.sent === offer.total
          const waits = offer.sent === 0 && work.endedAt === null
          return (
            <tr key={offer.offerId} data-quiet={waits || undefined}>
              <td>
                <NameCell name={offer.name} detail={variantLabel(offer)} />
                {offer.problem === null ? null : (
                  <small className={shared.why}>{offer.problem.what}</small>
                )}
              </td>
              <td>
                <ProgressBar
                  width={72}
                  share={offer.total === 0 ? 1 : offer.sent / offer.total}
                  tone={offer.refused + offer.excluded > 0 ? 'warn' : isDone ? 'ok' : 'accent'}
                  label={`Uploaded to ${offer.name}`}
                />
              </td>
              <td className={shared.end}>
                {isDone
                  ? formatCount(offer.total)
                  : waits
                    ? `${formatCount(offer.total)} waiting`
                    : `${formatCount(offer.sent)} of ${formatCount(offer.total)}`}
              </td>
              <td className={shared.end}>{waits ? '' : formatCount(offer.added)}</td>
              <td className={shared.end}>{waits ? '' : formatCount(offer.duplicates)}</td>
              {hasRefused ? <td className={shared.end}>{formatCount(offer.refused)}</td> : null}
              {hasExcluded ? <td className={shared.end}>{formatCount(offer.excluded)}</td> : null}
              <td className={shared.end}>{offer.stock === null ? '' : formatCount(offer.stock)}</td>
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            All offers
          </th>
          <td className={shared.end}>
            {formatCount(sum((offer) => offer.sent))} of {formatCount(sum((offer) => offer.total))}
          </td>
          <td className={shared.end}>{formatCount(sum((offer) => offer.added))}</td>
          <td className={shared.end}>{formatCount(sum((offer) => offer.duplicates))}</td>
          {hasRefused ? (
            <td className={shared.end}>{formatCount(sum((offer) => offer.refused))}</td>
          ) : null}
          {hasExcluded ? (
            <td className={shared.end}>{formatCount(sum((offer) => offer.excluded))}</td>
          ) : null}
          <td className={shared.end}>–</td>
        </tr>
      </tfoot>
    </table>
  )
}
