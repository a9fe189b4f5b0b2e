import { TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import styles from './key-input.module.css'
import { editedKey, isCompleteKey, kindOfKey, maskKey } from './key-field.ts'

/**
 * Input field for an API key. It shows bullets from the first character on and names the kind of
 * key by its prefix. Pasting replaces the key, and so does typing over a complete one.
 */
export function KeyInput({
  value,
  onChange,
  hint,
  wrong,
  autoFocus = false,
  size = 'lg',
}: {
  value: string
  onChange: (key: string) => void
  hint?: string
  wrong?: string | null
  autoFocus?: boolean
  size?: 'md' | 'lg'
}) {
  const [typing, setTyping] = useState(false)
  const whole = !typing && isCompleteKey(value)
  const kind = kindOfKey(value)
  return (
    <TextInput
      size={size}
      type={whole ? 'text' : 'password'}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={autoFocus || undefined}
      autoFocus={autoFocus}
      label={
        <span className={styles.label}>
          <b>API key</b>
          {hint === undefined ? null : <span>{hint}</span>}
        </span>
      }
      classNames={{ input: styles.input ?? '', label: styles.wide ?? '' }}
      aria-label="API key"
      leftSection={<IconKey size={15} stroke={1.6} aria-hidden />}
      rightSectionWidth={140}
      error={wrong}
      rightSection={
        kind === null ? null : (
          <span className={styles.kind}>
            {kind.role === 'seller' ? 'Seller key' : 'Partner key'} <ModeBadge mode={kind.mode} />
          </span>
        )
      }
      value={whole ? maskKey(value) : value}
      onPaste={(event) => {
        event.preventDefault()
        setTyping(false)
        onChange(event.clipboardData.getData('text').trim())
      }}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyping(!whole)
        onChange(editedKey(value, whole, next))
      }}
      onBlur={() => setTyping(false)}
    />
  )
}
