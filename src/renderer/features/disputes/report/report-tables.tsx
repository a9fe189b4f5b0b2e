import { useState } from 'react'
import { DAY_MS } from '../../../../../server/api/time.ts'
import type { DisputeReport } from '../../../../contract/disputes/dispute-records.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { LinkButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCount, formatFullServiceDay } from '../../../ui/format.ts'
import { Trend } from '../../today/trend.tsx'
import styles from './report.module.css'
import { rowsToShow } from './report-rows.ts'

const barWidth = 110
const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** A bar with its percentage of all disputes of the table. */
function Share({ part }: { part: number }) {
  return (
    <>
      <span
        className={styles.share}
        style={{ width: part === 0 ? 0 : Math.max(2, Math.round(part * barWidth)) }}
        aria-hidden
      />
      {percentFormat.format(part)}
    </>
  )
}

/** The top of an axis with three steps of complete disputes. */
const topOf = (trend: DisputeReport['trend']): number =>
  3 * Math.max(1, Math.ceil(Math.max(0, ...trend.map(({ claims }) => claims)) / 3))

/** Disputes opened per day, week or 30 days. */
export function DisputeTrend({ trend }: { trend: DisputeReport['trend'] }) {
  return (
    <section data-wide>
      <Trend
        title="Disputes opened"
        points={trend.map(({ from, to, claims }) => ({
          label:
            to - from <= DAY_MS
              ? formatFullServiceDay(from)
              : `${formatFullServiceDay(from)} – ${formatFullServiceDay(to - 1)}`,
          value: claims,
        }))}
        format={formatCount}
        top={topOf(trend)}
      />
    </section>
  )
}

/** The totals of a property: the largest rows, all others as one row, and the sum. */
export function Sums({
  title,
  rows,
  total,
}: {
  title: string
  rows: DisputeReport['byReason']
  total: DisputeReport['total']
}) {
  const [all, setAll] = useState(false)
  const { shown, hidden } = rowsToShow(rows, all)
  return (
    <section>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">
              {title.replace(/^By (.)/, (_by, first: string) => first.toUpperCase())}
            </th>
            <th scope="col">Share</th>
            <th scope="col">Disputes</th>
            <th scope="col">Replaced</th>
            <th scope="col">Refunded</th>
            <th scope="col">Rejected</th>
            <th scope="col">Open</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row
              key={row.key}
              row={
                row.key === 'others'
                  ? { ...row, name: t('screens.disputes-others', { count: Number(row.name) }) }
                  : row
              }
              claims={total.claims}
            />
          ))}
        </tbody>
        <tfoot>
          <Row row={{ ...total, name: 'Total' }} claims={total.claims} />
        </tfoot>
      </table>
      {hidden === 0 ? null : (
        <LinkButton onClick={() => setAll(true)}>
          {t('screens.disputes-show-more', { count: hidden })}
        </LinkButton>
      )}
    </section>
  )
}

function Row({ row, claims }: { row: DisputeReport['total']; claims: number }) {
  return (
    <tr>
      <td title={row.name}>{row.name}</td>
      <td>
        <Share part={claims === 0 ? 0 : row.claims / claims} />
      </td>
      <td>{formatCount(row.claims)}</td>
      <td>{formatCount(row.replaced)}</td>
      <td>{formatCount(row.refunded)}</td>
      <td>{formatCount(row.rejected)}</td>
      <td>{formatCount(row.open)}</td>
    </tr>
  )
}

/** The answered disputes by the time to their first answer. */
export function Answers({ answer: { bars, answered } }: { answer: DisputeReport['answer'] }) {
  return (
    <section>
      <h2>Time to the first answer</h2>
      <table data-short>
        <thead>
          <tr>
            <th scope="col">Within</th>
            <th scope="col">Share</th>
            <th scope="col">Disputes</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ upToHours, claims }) => (
            <tr key={upToHours ?? 'later'}>
              <td>{upToHours === null ? 'later' : `${upToHours} h`}</td>
              <td>
                <Share part={answered === 0 ? 0 : claims / answered} />
              </td>
              <td>{formatCount(claims)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>Answered</td>
            <td />
            <td>{formatCount(answered)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
