import { Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { LinkButton } from './button.tsx'
import styles from './counted-filter-list.module.css'
import { formatCount } from './format.ts'

export interface CountedChoice { value: string; label?: string; count: number }

export interface CountedFilterListProps {
  title?: string
  aside?: ReactNode
  choices: readonly CountedChoice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** How many stand before "5 more". */
  first?: number
  /** What stands between title and choices, such as a country. */
  children?: ReactNode
}

/** Choices with how many each would leave. Unknown is a choice of its own. */
export function CountedFilterList({ title, aside, choices, chosen, onChange, first = 5, children }: CountedFilterListProps) {
  const [all, setAll] = useState(false)
  const shown = all ? choices : choices.filter((choice, index) => index < first || chosen.includes(choice.value))
  return (
    <div role="group" aria-label={title} className={styles.group}>
      {title === undefined ? null : <div className={styles.title}><span>{title}</span><span>{aside}</span></div>}
      {children}
      {shown.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <Checkbox checked={chosen.includes(choice.value)} onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))} />
          <span className={styles.label}>{choice.label ?? choice.value}</span>
          <span className={styles.count}>{formatCount(choice.count)}</span>
        </label>
      ))}
      {choices.length > shown.length || all && choices.length > first ? <LinkButton className={styles.more} onClick={() => setAll(!all)}>{all ? 'Fewer' : `${choices.length - shown.length} more`}</LinkButton> : null}
    </div>
  )
}
