import { IconSearch, IconX } from '@tabler/icons-react'
import { type RefObject, useDeferredValue, useEffect, useRef } from 'react'
import { IconButton } from '../buttons/button.tsx'
import { cssVariable } from '../../css-variable.ts'
import { KeyCap } from '../buttons/key-cap.tsx'
import styles from './search-field.module.css'
import { useShortcut } from '../../hooks/shortcuts.ts'

/** The list that a search field searches. */
export interface SearchedList {
  /** Moves the focus to the first hit. */
  focus: () => void
  /** Opens the first hit, once the hits of the current words are shown. */
  openFirst: () => void
}

/** The longest words that the search of most lists accepts. */
const MOST_LETTERS = 200

/** The width in px at which a label is still complete, next to the icon and the shortcut. */
const leastWidth = (label: string): number => Math.ceil(label.length * 6.8) + 76

/**
 * The search field of a list, focused by "/". Enter opens the first hit, ↓ moves to it, and Esc
 * leaves the field and keeps the words.
 */
export function SearchField({
  value,
  onChange,
  label,
  width = 220,
  longest = MOST_LETTERS,
  list,
}: {
  value: string
  onChange: (value: string) => void
  label: string
  width?: number
  /** The most characters that the search accepts. */
  longest?: number
  list: RefObject<SearchedList | null>
}) {
  const input = useRef<HTMLInputElement>(null)
  const opensFirst = useRef(false)
  /** The words that the page has rendered: pages search with a deferred value, too. */
  const rendered = useDeferredValue(value)
  useShortcut('/', () => {
    input.current?.focus()
    input.current?.select()
  })
  const openFirst = (): void => {
    opensFirst.current = false
    list.current?.openFirst()
  }
  useEffect(() => {
    if (opensFirst.current && rendered === value) openFirst()
  })
  return (
    <div
      className={styles.field}
      data-search
      style={{
        ...cssVariable('--kd-width', `${width}px`),
        ...cssVariable('--kd-least', `${Math.min(width, leastWidth(label))}px`),
      }}
    >
      <IconSearch size={14} stroke={1.8} aria-hidden />
      <input
        ref={input}
        type="text"
        role="searchbox"
        value={value}
        maxLength={longest}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          opensFirst.current = false
          onChange(event.currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            event.currentTarget.blur()
          } else if (event.key === 'Enter') {
            event.preventDefault()
            if (rendered === value) openFirst()
            else opensFirst.current = true
          } else if (event.key === 'ArrowDown') {
            event.preventDefault()
            list.current?.focus()
          }
        }}
      />
      {value === '' ? (
        <KeyCap name="/" />
      ) : (
        <IconButton
          label="Clear the search"
          small
          onClick={() => {
            onChange('')
            input.current?.focus()
          }}
        >
          <IconX size={14} stroke={1.6} />
        </IconButton>
      )}
    </div>
  )
}
