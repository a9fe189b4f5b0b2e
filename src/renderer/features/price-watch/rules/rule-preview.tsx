import type { PreviewLine } from '../../../../contract/price-watch/price-watch-records.ts'
import { formatCents, formatCount } from '../../../ui/format.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import shared from '../price-watch.module.css'
import styles from './rules.module.css'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { reasonTexts } from '../price-watch-texts.ts'

/** The decisions that a rule would make now. */
export function RulePreview({ lines, total }: { lines: readonly PreviewLine[]; total: number }) {
  if (lines.length === 0) return <p className={styles.none}>No price would change.</p>
  return (
    <div className={styles.preview}>
      <table>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Best</th>
            <th scope="col">You receive EUR</th>
            <th scope="col">Customer</th>
            <th scope="col">Floor</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.offerId} data-stays={line.targetCents === null || undefined}>
              <th scope="row" title={`${line.name}, ${variantLabel(line)}`}>
                {line.name} <small>{variantLabel(line)}</small>
              </th>
              <td>{line.bestCents === null ? '–' : formatCents(line.bestCents)}</td>
              <td>
                {line.targetCents === null ? (
                  `stays ${formatCents(line.priceCents)}`
                ) : (
                  <>
                    {formatCents(line.priceCents)} → <b>{formatCents(line.targetCents)}</b>
                  </>
                )}
              </td>
              <td>{formatCents(line.targetCustomerCents ?? line.customerCents)}</td>
              <td>{line.floorCents === null ? '–' : formatCents(line.floorCents)}</td>
              <td>
                <span>
                  <Mark
                    kind={
                      line.targetCents === null
                        ? line.reason === 'at-floor' ||
                          line.reason === 'no-cost' ||
                          line.reason === 'floor-above-ceiling'
                          ? 'warn'
                          : 'skip'
                        : 'ok'
                    }
                    size={12}
                  />
                  {reasonTexts[line.reason]}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > lines.length ? (
        <p className={shared.reason}>and {formatCount(total - lines.length)} more</p>
      ) : null}
    </div>
  )
}
