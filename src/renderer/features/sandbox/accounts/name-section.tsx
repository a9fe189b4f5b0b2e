import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import styles from '../sandbox.module.css'

export interface NameSectionProps {
  name: string
  /** Null: no address. Undefined: the account gets no e-mails (a seller). */
  email?: string | null
  busy: boolean
  onChange: (change: { name: string; email?: string }) => void
}

/** The name of an account, and the address of a partner's e-mails. */
export function NameSection({ name, email, busy, onChange }: NameSectionProps) {
  const [typed, setTyped] = useState(name)
  const [address, setAddress] = useState(email ?? '')
  const changed = typed.trim() !== name || address.trim() !== (email ?? '')
  // A partner's address can be changed but not removed.
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
            label="E-mail address"
            type="email"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        <div className={styles.row}>
          <Button type="submit" busy={busy} disabled={!ready}>
            Save
          </Button>
        </div>
      </form>
    </PanelSection>
  )
}
