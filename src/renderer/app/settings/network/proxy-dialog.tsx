import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ProxyChoice, proxyChoiceSchema } from '../../../../contract/app/network.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import styles from '../../theme/forms.module.css'

/** Asks for a proxy's address and for the hosts to reach without it. */
export function ProxyDialog({
  present,
  onChoose,
  onClose,
}: {
  present: ProxyChoice
  onChoose: (chosen: ProxyChoice) => Promise<void>
  onClose: () => void
}) {
  const [address, setAddress] = useState(present.use === 'own' ? present.address : '')
  const [except, setExcept] = useState(present.use === 'own' ? present.except : '')
  const chosen = proxyChoiceSchema.safeParse({
    use: 'own',
    address: address.trim(),
    except: except.trim(),
  })
  const submit = (): void => {
    if (chosen.success) void onChoose(chosen.data).then(onClose, () => {})
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Proxy"
      lead="Keydesk uses it for services on other computers from the next connection on."
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            keys={['Enter']}
            disabled={!chosen.success}
            onClick={submit}
          >
            Use this proxy
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <AddressField address={address} isValid={chosen.success} onChange={setAddress} />
        <TextInput
          size="md"
          label="Exceptions"
          description="Comma-separated hosts to reach without the proxy, such as .internal, 10.0.0.5"
          autoComplete="off"
          spellCheck={false}
          value={except}
          onChange={(event) => setExcept(event.currentTarget.value)}
        />
        <button type="submit" className="kd-hidden" tabIndex={-1} aria-hidden>
          Continue
        </button>
      </form>
    </Dialog>
  )
}

function AddressField({
  address,
  isValid,
  onChange,
}: {
  address: string
  isValid: boolean
  onChange: (address: string) => void
}) {
  return (
    <TextInput
      size="md"
      label="Address"
      placeholder="http://proxy.example:8080"
      data-autofocus
      autoComplete="off"
      spellCheck={false}
      value={address}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={
        address !== '' && !isValid
          ? 'Start with http:// or https://, without a name or password'
          : undefined
      }
    />
  )
}
