import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Rows of label and value in a panel. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One label and its value, value at the right; `strong` for totals, `mono` for ids. */
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

/**
 * Figures side by side between hairlines, under a page's header: label, one figure, its detail in
 * grey.
 */
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
