import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { PanelSection } from '../../ui/page.tsx'
import styles from './sandbox.module.css'

export interface NameSectionProps {
  name: string
  /** Null: none, or an account that is written to nowhere (a seller). */
  email?: string | null
  busy: boolean
  onChange: (change: { name: string; email?: string }) => void
}

/** What an account is called, and where a partner's letters go. */
export function NameSection({ name, email, busy, onChange }: NameSectionProps) {
  const [typed, setTyped] = useState(name)
  const [address, setAddress] = useState(email ?? '')
  const changed = typed.trim() !== name || address.trim() !== (email ?? '')
  // A partner that has an address keeps one.
  const ready = changed && typed.trim() !== '' && (address.trim() !== '' || (email ?? '') === '')
  const keep = (): void => {
    if (ready)
      onChange({ name: typed.trim(), ...(address.trim() !== '' && { email: address.trim() }) })
  }
  return (
    <PanelSection title="Name">
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          keep()
        }}
      >
        <TextInput
          aria-label="Name"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {email === undefined ? null : (
          <TextInput
            label="E-mail, for its letters"
            type="email"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        <div className={styles.row}>
          <Button type="submit" busy={busy} disabled={!ready}>
            Keep
          </Button>
        </div>
      </form>
    </PanelSection>
  )
}
