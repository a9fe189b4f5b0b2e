import { type ReactNode, useState } from 'react'
import { LinkButton } from '../../ui/controls/buttons/button.tsx'
import styles from './today.module.css'

export interface TrendPoint {
  label: string
  /** Null: unknown. */
  value: number | null
}

/** Grid lines of a chart, and the number of values at the end that are drawn darker. */
const GRID_LINES = 3
const LATEST = 7

/** A round number not below `most`, divisible into {@link GRID_LINES} steps. */
export function roundTop(most: number): number {
  if (most <= 0) return GRID_LINES
  const step = most / GRID_LINES
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= step) ?? 10
  return factor * power * GRID_LINES
}

/** Values over time as bars with an axis; the same as a table. */
export function Trend({
  title,
  figure,
  points,
  format,
  top,
  unknown,
  unread,
}: {
  title: string
  figure?: ReactNode
  /** Undefined: not read yet. */
  points: readonly TrendPoint[] | undefined
  format: (value: number) => string
  /** The top of the axis; a round number above the highest value by default. */
  top?: number
  /** Shown instead of the bars while no value is known. */
  unknown?: string
  /** Shown instead of the bars while they aren't read. */
  unread?: ReactNode
}) {
  const [asTable, setAsTable] = useState(false)
  if (points === undefined)
    return (
      <figure className={styles.trend} data-unread aria-label={title}>
        <figcaption>
          <b>{title}</b>
        </figcaption>
        {unread}
      </figure>
    )
  const highest = top ?? roundTop(Math.max(0, ...points.map(({ value }) => value ?? 0)))
  // Without a value above zero, an axis would be a scale of nothing.
  const isFlat = points.every(({ value }) => (value ?? 0) === 0) && top === undefined
  const isUnknown =
    unknown !== undefined && points.length > 0 && points.every(({ value }) => value === null)
  const middle = points[Math.floor(points.length / 2)]
  return (
    <figure className={styles.trend} aria-label={title}>
      <figcaption>
        <b>{title}</b> {figure}
        {isUnknown ? null : (
          <LinkButton className={styles.switch} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'Show as chart' : 'Show as table'}
          </LinkButton>
        )}
      </figcaption>
      {isUnknown ? (
        <p className={styles.text}>{unknown}</p>
      ) : asTable ? (
        <div className={styles.table}>
          <table>
            <tbody>
              {points.map(({ label, value }) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{value === null ? '–' : format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className={styles.plot} aria-hidden>
          {Array.from({ length: GRID_LINES + 1 }, (_, line) => (
            <span
              key={line}
              className={styles.grid}
              style={{ bottom: `${(line / GRID_LINES) * 100}%` }}
            >
              {isFlat && line > 0 ? null : <i>{format((line / GRID_LINES) * highest)}</i>}
            </span>
          ))}
          <div className={styles.bars}>
            {points.map(({ label, value }, at) => (
              <i
                key={label}
                title={`${label}: ${value === null ? 'unknown' : format(value)}`}
                data-latest={at >= points.length - LATEST || undefined}
                data-unknown={value === null || undefined}
                style={{ height: `${Math.min(100, (100 * (value ?? 0)) / highest)}%` }}
              />
            ))}
          </div>
          <div className={styles.axis}>
            <span>{points[0]?.label}</span>
            <span>{middle?.label}</span>
            <span>{points.at(-1)?.label}</span>
          </div>
        </div>
      )}
    </figure>
  )
}
