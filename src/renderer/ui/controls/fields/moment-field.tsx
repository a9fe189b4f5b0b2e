import { TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatLocalMoment, momentExample, parseLocalMoment } from '../../../lib/local-moment.ts'
import { IconButton } from '../buttons/button.tsx'
import styles from './moment-field.module.css'

/**
 * A date and time in the format of the screens, `22 Nov 2026, 14:30`, in the person's time zone. It
 * is typed, or chosen in the system's calendar. `value` is null while the field is empty or
 * incomplete.
 */
export function MomentField({
  value,
  onChange,
  name,
  label,
  error,
  disabled = false,
  onEnter,
}: {
  value: number | null
  onChange: (at: number | null) => void
  /** Names the field; shown above it if `label` is set. */
  name: string
  label?: boolean
  error?: string | null
  disabled?: boolean
  onEnter?: () => void
}) {
  const [typed, setTyped] = useState(value === null ? '' : formatLocalMoment(value))
  const [left, setLeft] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A value that was set from outside, or cleared after it was used.
    if (value !== parseLocalMoment(typed)) setTyped(value === null ? '' : formatLocalMoment(value))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- typing itself must not rewrite the text
  }, [value])
  const isWrong = left && typed.trim() !== '' && parseLocalMoment(typed) === null
  const write = (text: string): void => {
    setLeft(false)
    setTyped(text)
    onChange(parseLocalMoment(text))
  }
  return (
    <div className={styles.field}>
      <TextInput
        {...(label === true ? { label: name } : { 'aria-label': name })}
        placeholder={momentExample}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        value={typed}
        error={isWrong ? `Enter a date such as ${momentExample}` : error}
        onChange={(event) => write(event.currentTarget.value)}
        onBlur={() => setLeft(true)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') onEnter?.()
        }}
        rightSection={
          <IconButton
            small
            label="Choose in a calendar"
            disabled={disabled}
            onClick={() => picker.current?.showPicker()}
          >
            <IconCalendar size={15} stroke={1.6} />
          </IconButton>
        }
      />
      <input
        ref={picker}
        type="datetime-local"
        className={styles.picker}
        tabIndex={-1}
        aria-hidden
        onChange={(event) => {
          const at = parseLocalMoment(event.currentTarget.value)
          if (at !== null) write(formatLocalMoment(at))
        }}
      />
    </div>
  )
}
