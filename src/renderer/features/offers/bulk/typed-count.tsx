import { TextInput } from '@mantine/core'
import { useId } from 'react'
import styles from '../parts.module.css'

/** The field in which a person confirms a change in LIVE by typing the number of its lines. */
export function TypedCount({
  count,
  typed,
  onType,
}: {
  count: number
  typed: string
  onType: (typed: string) => void
}) {
  const field = useId()
  return (
    <span className={styles.type}>
      <label htmlFor={field}>
        Type <b>{count}</b> to continue.
      </label>
      <TextInput
        id={field}
        size="md"
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    </span>
  )
}
