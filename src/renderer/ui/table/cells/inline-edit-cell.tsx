import { IconClockHour4 } from '@tabler/icons-react'
import { Popover } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Cents, plainEuros } from '../../../../../server/api/money.ts'
import { formatCents, parseCents } from '../../format.ts'
import { Mark } from '../../data-display/identity/mark.tsx'
import { ProgressRing } from '../../feedback/progress-ring.tsx'
import styles from './cells.module.css'

export interface PriceEditProps {
  /** The price before the edit. */
  cents: Cents
  /**
   * The digit that started the edit and replaces the price; null: the edit starts with the price
   * selected.
   */
  typed: string | null
  label: string
  /**
   * Called while typing, so that customer price and lead of the row can follow; null while the text
   * isn't a price. `wrong` is the error for the row.
   */
  onType: (cents: Cents | null, wrong: string | null) => void
  /**
   * Enter saves and moves down, Tab saves and moves right, and clicking elsewhere saves and stays.
   * Called only with a valid price.
   */
  onSave: (cents: Cents, next: 'down' | 'right' | 'stay') => void
  /** Esc discards the edit. Give the focus back to the table. */
  onCancel: () => void
  /**
   * What to show below the cell instead of saving this price; null: it is saved. `use` replaces the
   * text without saving it, `save` saves it nevertheless, as
   * Ctrl+Enter does.
   */
  guard?: (cents: Cents, actions: { use: (cents: Cents) => void; save: () => void }) => ReactNode
}

const unguarded = (): null => null

/** A price being edited in its cell. */
export function PriceEdit({
  cents,
  typed,
  label,
  onType,
  onSave,
  onCancel,
  guard = unguarded,
}: PriceEditProps) {
  const [text, setText] = useState(typed ?? plainEuros(cents))
  const [wrong, setWrong] = useState<string | null>(null)
  const [guarded, setGuarded] = useState<ReactNode>(null)
  const input = useRef<HTMLInputElement>(null)
  const settled = useRef(false)
  /** Saves the guarded price. */
  const forced = useRef(() => {})
  const tell = useRef(onType)
  tell.current = onType
  useEffect(() => {
    input.current?.focus()
    if (typed === null) input.current?.select()
    else tell.current(...validate(typed))
  }, [typed])
  const change = (value: string): void => {
    const verdict = validate(value)
    setText(value)
    setWrong(verdict[1])
    setGuarded(null)
    onType(...verdict)
  }
  const save = (next: 'down' | 'right' | 'stay'): void => {
    const read = parseCents(text)
    if (settled.current || 'wrong' in read || read.cents === 0) return
    const end = (): void => {
      settled.current = true
      onSave(read.cents, next)
    }
    const question = guard(read.cents, {
      use: (other) => change(plainEuros(other)),
      save: end,
    })
    if (question === null) end()
    else {
      forced.current = end
      setGuarded(question)
    }
  }
  const cancel = (): void => {
    settled.current = true
    onCancel()
  }
  return (
    <Popover
      opened={guarded !== null}
      position="bottom-end"
      offset={6}
      withinPortal
      withRoles={false}
    >
      <Popover.Target>
        <span className={styles.edit} data-own>
          <input
            ref={input}
            value={text}
            inputMode="decimal"
            aria-label={label}
            aria-invalid={wrong !== null}
            autoComplete="off"
            onChange={(event) => change(event.currentTarget.value)}
            onBlur={() => {
              if (settled.current) return
              if (wrong !== null || guarded !== null || parsedCents(text) === cents) cancel()
              else save('stay')
            }}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Enter') {
                event.preventDefault()
                if (guarded !== null && (event.ctrlKey || event.metaKey)) forced.current()
                else save('down')
              }
              // An invalid price keeps the focus. The row shows the error, and Esc discards the edit.
              if (event.key === 'Tab') {
                event.preventDefault()
                save('right')
              }
              if (event.key === 'Escape') {
                event.preventDefault()
                cancel()
              }
            }}
          />
        </span>
      </Popover.Target>
      {/* The focus stays in the cell, so that a corrected price saves as usual. */}
      <Popover.Dropdown p={0} onMouseDown={(event) => event.preventDefault()}>
        {guarded}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Parses the typed text to cents, or null with an error. */
function validate(text: string): [cents: Cents | null, wrong: string | null] {
  const read = parseCents(text)
  if ('wrong' in read) return [null, read.wrong]
  return read.cents === 0 ? [null, 'Enter a price above 0'] : [read.cents, null]
}

function parsedCents(text: string): Cents | null {
  const read = parseCents(text)
  return 'cents' in read ? read.cents : null
}

/**
 * A price that isn't being edited, is saving, is queued or was rejected; `typed` shows it in the
 * accent color while its row is edited.
 */
export function PriceCell({
  cents,
  state = 'rest',
}: {
  cents: Cents
  state?: 'rest' | 'saving' | 'waits' | 'refused' | 'typed'
}) {
  const text = formatCents(cents)
  if (state === 'rest') return text
  if (state === 'typed') return <span className={styles.typed}>{text}</span>
  return (
    <span className={`${styles.state ?? ''} ${styles[state] ?? ''}`}>
      {state === 'saving' ? (
        <ProgressRing size={13} label="Saving" />
      ) : state === 'waits' ? (
        <IconClockHour4 size={14} stroke={1.6} aria-label="Queued" />
      ) : (
        <Mark kind="alert" size={13} label="Rejected" />
      )}
      {text}
    </span>
  )
}
