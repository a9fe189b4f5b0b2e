import type { ReactNode } from 'react'
import { useShownColumns } from '../table/columns/shown-columns.tsx'
import styles from './empty-state.module.css'

export interface EmptyStep {
  title: string
  text: string
}

/**
 * An empty page: one sentence, the first action (give it `autoFocus`), a second action and three
 * steps. `outline`: below the head of a table, with a fading outline of its future rows.
 */
export function EmptyState({
  title,
  text,
  actions,
  steps,
  note,
  outline = false,
}: {
  title: string
  text: ReactNode
  actions?: ReactNode
  steps?: readonly EmptyStep[]
  note?: ReactNode
  outline?: boolean
}) {
  return (
    <div className={styles.empty}>
      {outline ? <Outline /> : null}
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

/** Gray bars in the columns of the table around, as its rows would be. */
function Outline() {
  const shown = useShownColumns()
  if (shown === null) return null
  return (
    <div className={styles.shape} aria-hidden>
      {[230, 188, 264, 172, 246].map((width) => (
        <div key={width} className={styles.row}>
          {shown.selectable ? <b /> : null}
          {shown.columns.map(({ id, grow = false, align }) => (
            <span key={id} data-align={align}>
              <i style={{ width: grow ? width : 40 }} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
