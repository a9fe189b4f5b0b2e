import { Fragment, type ReactNode } from 'react'
import { formatCount } from './format.ts'
import styles from './sum-line.module.css'

export interface Term { label: string; count: number; detail?: ReactNode; tone?: 'ok' | 'warn' | 'neutral' | 'bad' }

/** A total shown as the sum it is: "Lines read 447,118 = Ready 441,749 + No offer yet 3,104 + …". The terms must add up to the total. */
export function SumLine({ total, terms, label }: { total: Term; terms: readonly Term[]; label: string }) {
  return (
    <dl className={styles.sum} aria-label={label}>
      <Summand term={total} />
      {terms.map((term, index) => <Fragment key={term.label}><div className={styles.sign} aria-hidden>{index === 0 ? '=' : '+'}</div><Summand term={term} /></Fragment>)}
    </dl>
  )
}

function Summand({ term }: { term: Term }) {
  return (
    <div className={styles.term}>
      <dt>{term.tone === undefined ? null : <i data-tone={term.tone} />}{term.label}</dt>
      <dd className={styles.count}>{formatCount(term.count)}</dd>
      <dd className={styles.detail}>{term.detail}</dd>
    </div>
  )
}
