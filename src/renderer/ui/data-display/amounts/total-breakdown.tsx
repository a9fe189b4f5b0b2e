import type { ReactNode } from 'react'
import { formatCount } from '../../format.ts'
import styles from './total-breakdown.module.css'

export interface BreakdownTerm {
  label: string
  count: number
  detail?: ReactNode
  tone?: 'ok' | 'warn' | 'neutral' | 'bad'
}

/**
 * A total with its parts: "Lines read 447,118 = Ready 441,749 + No offer yet 3,104 + …". The parts
 * must add up to the total.
 */
export function TotalBreakdown({
  total,
  terms,
  label,
}: {
  total: BreakdownTerm
  terms: readonly BreakdownTerm[]
  label: string
}) {
  return (
    <dl className={styles.sum} aria-label={label}>
      <TermFigure term={total} />
      {terms.map((term, index) => (
        <TermFigure key={term.label} term={term} sign={index === 0 ? '=' : '+'} />
      ))}
    </dl>
  )
}

function TermFigure({ term, sign }: { term: BreakdownTerm; sign?: '=' | '+' }) {
  return (
    <div className={styles.term} data-sign={sign}>
      <dt>
        {term.tone === undefined ? null : <i data-tone={term.tone} />}
        {term.label}
      </dt>
      <dd className={styles.count}>{formatCount(term.count)}</dd>
      <dd className={styles.detail}>{term.detail}</dd>
    </div>
  )
}
