import { IconSearch, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { IconButton } from '../buttons/button.tsx'
import { cssVariable } from '../../css-variable.ts'
import { KeyCap } from '../buttons/key-cap.tsx'
import styles from './search-field.module.css'
import { useShortcut } from '../../hooks/shortcuts.ts'

/**
 * The filter field of a list, focused by "/". Esc clears it, and leaves it when it is empty; ↓
 * moves to the table through `onDown`.
 */
export function SearchField({
  value,
  onChange,
  label,
  width = 220,
  onDown,
}: {
  value: string
  onChange: (value: string) => void
  label: string
  width?: number
  onDown?: () => void
}) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', () => {
    input.current?.focus()
    input.current?.select()
  })
  return (
    <div className={styles.field} data-search style={cssVariable('--kd-width', `${width}px`)}>
      <IconSearch size={14} stroke={1.8} aria-hidden />
      <input
        ref={input}
        type="text"
        role="searchbox"
        value={value}
        placeholder={label}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            if (value === '') event.currentTarget.blur()
            else onChange('')
          } else if (event.key === 'ArrowDown' && onDown !== undefined) {
            event.preventDefault()
            onDown()
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
