import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Rows of labels and values in a panel. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One label with its value on the right; `strong` for totals, `mono` for ids. */
export function Fact({
  label,
  children,
  strong = false,
  mono = false,
}: {
  label: ReactNode
  children: ReactNode
  strong?: boolean
  mono?: boolean
}) {
  return (
    <div className={styles.fact} data-strong={strong || undefined}>
      <dt>{label}</dt>
      <dd className={mono ? 'kd-mono' : undefined}>{children}</dd>
    </div>
  )
}

export interface Figure {
  label: string
  value: ReactNode
  detail?: ReactNode
}

/** Figures in a row under a page's header: label, figure and a gray detail. */
export function FigureStrip({ figures, label }: { figures: readonly Figure[]; label: string }) {
  return (
    <dl className={styles.strip} aria-label={label}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>
            <b>{figure.value}</b>
            {figure.detail === undefined ? null : <span> {figure.detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
