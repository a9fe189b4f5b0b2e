import { Checkbox } from '@mantine/core'
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
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
  const now = useRef({ chosen, onChange })
  useLayoutEffect(() => { now.current = { chosen, onChange } })
  const set = useCallback((value: string, on: boolean) => {
    const { chosen: before, onChange: tell } = now.current
    tell(on ? [...before, value] : before.filter((other) => other !== value))
  }, [])
  const shown = all ? choices : choices.filter((choice, index) => index < first || chosen.includes(choice.value))
  return (
    <div role="group" aria-label={title} className={styles.group}>
      {title === undefined ? null : <div className={styles.title}><span>{title}</span><span>{aside}</span></div>}
      {children}
      {shown.map((choice) => <Choice key={choice.value} {...choice} checked={chosen.includes(choice.value)} onSet={set} />)}
      {choices.length > shown.length || all && choices.length > first ? <LinkButton className={styles.more} onClick={() => setAll(!all)}>{all ? 'Fewer' : `${choices.length - shown.length} more`}</LinkButton> : null}
    </div>
  )
}

/** Drawn again only when it changed: somebody who types above a rail of them waits for each. */
const Choice = memo(function Choice({ value, label, count, checked, onSet }: CountedChoice & { checked: boolean; onSet: (value: string, on: boolean) => void }) {
  return (
    <label className={styles.choice}>
      <Box value={value} checked={checked} onSet={onSet} />
      <span className={styles.label}>{label ?? value}</span>
      <span className={styles.count}>{formatCount(count)}</span>
    </label>
  )
})

/** Apart, because to draw it takes longer than the rest of its line, and a count changes more often. */
const Box = memo(function Box({ value, checked, onSet }: { value: string; checked: boolean; onSet: (value: string, on: boolean) => void }) {
  return <Checkbox checked={checked} onChange={(event) => onSet(value, event.currentTarget.checked)} />
})
