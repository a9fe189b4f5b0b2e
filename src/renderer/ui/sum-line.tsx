import type { ReactNode } from 'react'
import { formatCount } from './format.ts'
import styles from './sum-line.module.css'

export interface Term {
  label: string
  count: number
  detail?: ReactNode
  tone?: 'ok' | 'warn' | 'neutral' | 'bad'
}

/**
 * A total with its parts: "Lines read 447,118 = Ready 441,749 + No offer yet 3,104 + …". The parts
 * must add up to the total.
 */
export function SumLine({
  total,
  terms,
  label,
}: {
  total: Term
  terms: readonly Term[]
  label: string
}) {
  return (
    <dl className={styles.sum} aria-label={label}>
      <Summand term={total} />
      {terms.map((term, index) => (
        <Summand key={term.label} term={term} sign={index === 0 ? '=' : '+'} />
      ))}
    </dl>
  )
}

function Summand({ term, sign }: { term: Term; sign?: '=' | '+' }) {
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
