import { Checkbox } from '@mantine/core'
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { LinkButton } from '../buttons/button.tsx'
import styles from './counted-filter-list.module.css'
import { formatCount } from '../../format.ts'
import { stableOrder } from './stable-order.ts'

export interface CountedChoice {
  value: string
  label?: string
  count: number
}

export interface CountedFilterListProps {
  title?: string
  aside?: ReactNode
  choices: readonly CountedChoice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** Number of choices shown before "5 more". */
  first?: number
  /** Keeps the order of the choices while someone is about to click, although counts change. */
  keepOrder?: boolean
  /** Content between title and choices, such as a country select. */
  children?: ReactNode
}

type ShownChoices = {
  choices: readonly CountedChoice[]
  /** The choices shown before "5 more". */ few: ReadonlySet<string>
}
const nothing: ShownChoices = { choices: [], few: new Set() }

function shownChoices(
  before: ShownChoices,
  {
    told,
    chosen,
    first,
    held,
  }: { told: readonly CountedChoice[]; chosen: readonly string[]; first: number; held: boolean },
): ShownChoices {
  const choices = held ? stableOrder(before.choices, told) : told
  const few = choices.filter(
    ({ value }, index) =>
      index < first || chosen.includes(value) || (held && before.few.has(value)),
  )
  return { choices, few: new Set(few.map(({ value }) => value)) }
}

/** Filter choices with the number of rows each would leave. Unknown is a separate choice. */
export function CountedFilterList({
  title,
  aside,
  choices: told,
  chosen,
  onChange,
  first = 5,
  keepOrder: held = false,
  children,
}: CountedFilterListProps) {
  const [all, setAll] = useState(false)
  const previous = useRef<ShownChoices>(nothing)
  const { choices, few } = shownChoices(previous.current, { told, chosen, first, held })
  const now = useRef({ chosen, onChange })
  useLayoutEffect(() => {
    now.current = { chosen, onChange }
    previous.current = { choices, few }
  })
  const set = useCallback((value: string, on: boolean) => {
    const { chosen: before, onChange: tell } = now.current
    tell(on ? [...before, value] : before.filter((other) => other !== value))
  }, [])
  const shown = all ? choices : choices.filter(({ value }) => few.has(value))
  return (
    <div role="group" aria-label={title} className={styles.group}>
      {title === undefined ? null : (
        <div className={styles.title}>
          <span>{title}</span>
          <span>{aside}</span>
        </div>
      )}
      {children}
      {shown.map((choice) => (
        <Choice
          key={choice.value}
          {...choice}
          checked={chosen.includes(choice.value)}
          onSet={set}
        />
      ))}
      {choices.length > shown.length || (all && choices.length > first) ? (
        <LinkButton className={styles.more} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `${choices.length - shown.length} more`}
        </LinkButton>
      ) : null}
    </div>
  )
}

/**
 * Memoized, because typing in a search field above a list of these would otherwise render all of
 * them on every keystroke.
 */
const Choice = memo(function Choice({
  value,
  label,
  count,
  checked,
  onSet,
}: CountedChoice & { checked: boolean; onSet: (value: string, on: boolean) => void }) {
  return (
    <label className={styles.choice}>
      <Box value={value} checked={checked} onSet={onSet} />
      <span className={styles.label}>{label ?? value}</span>
      <span className={styles.count}>{formatCount(count)}</span>
    </label>
  )
})

/**
 * A separate component, because rendering the checkbox takes longer than the rest of its row, and
 * counts change more often.
 */
const Box = memo(function Box({
  value,
  checked,
  onSet,
}: {
  value: string
  checked: boolean
  onSet: (value: string, on: boolean) => void
}) {
  return (
    <Checkbox checked={checked} onChange={(event) => onSet(value, event.currentTarget.checked)} />
  )
})
