import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

export interface EmptyStep {
  title: string
  text: string
}

/**
 * An empty page: a fading outline of its future content, one sentence, the first action (give it
 * `autoFocus`), a second action and three steps. `columns` are the widths in px of the gray bars to
 * the right of the name; omit them where there is no table. `checks`: its rows begin with a checkbox.
 */
export function EmptyState({
  title,
  text,
  actions,
  steps,
  note,
  columns,
  checks = false,
}: {
  title: string
  text: ReactNode
  actions?: ReactNode
  steps?: readonly EmptyStep[]
  note?: ReactNode
  columns?: readonly number[]
  checks?: boolean
}) {
  return (
    <div className={styles.empty}>
      {columns === undefined ? null : (
        <div className={styles.shape} aria-hidden>
          {[230, 188, 264, 172, 246].map((width) => (
            <div key={width} className={styles.row}>
              {checks ? <b /> : null}
              <i style={{ width }} />
              <span />
              {columns.map((size, index) => (
                <i key={index} style={{ width: size }} />
              ))}
            </div>
          ))}
        </div>
      )}
      <div className={styles.words}>
        <h2>{title}</h2>
        <p>{text}</p>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        {steps === undefined ? null : (
          <ol className={styles.steps}>
            {steps.map((step, index) => (
              <li key={step.title}>
                <i aria-hidden>{index + 1}</i>
                <h3>{step.title}</h3>
                <p>{step.text}</p>
              </li>
            ))}
          </ol>
        )}
        {note === undefined ? null : <p className={styles.note}>{note}</p>}
      </div>
    </div>
  )
}
