import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

/** Creates a partner or seller. Its keys are created in its panel. */
export function NewAccountDialog({
  kind,
  onMade,
  onClose,
}: {
  kind: 'partner' | 'seller'
  onMade: (id: string) => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [factor, setFactor] = useState<number | string>(1)
  const make = useSandboxAction(
    async (): Promise<{ id: string }> =>
      kind === 'seller'
        ? rpc.sandbox.accounts.createSeller({ name })
        : rpc.sandbox.accounts.createPartner({
            name,
            ...(email === '' ? {} : { email }),
            ...(typeof factor === 'number' && { priceFactor: factor }),
          }),
    () => ({ title: `Created ${name}`, text: 'Create a key for it in its panel.' }),
    ({ id }) => onMade(id),
  )
  const ready = name.trim() !== '' && typeof factor === 'number' && factor > 0
  return (
    <Dialog
      opened
      onClose={onClose}
      title={kind === 'partner' ? 'New partner' : 'New seller'}
      account={sandboxAccount}
      lead={
        kind === 'partner'
          ? 'A buyer on the partner API, with separate LIVE and TEST balances.'
          : 'A seller on the seller API.'
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            busy={make.isPending}
            disabled={!ready}
            onClick={() => make.mutate(undefined)}
          >
            Create {kind}
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !make.isPending) make.mutate(undefined)
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {kind === 'seller' ? null : (
          <div className={styles.pair}>
            <TextInput
              label="E-mail address"
              type="email"
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <NumberInput
              label="Price factor (can’t be changed later)"
              min={0.01}
              max={1000}
              decimalScale={4}
              value={factor}
              onChange={setFactor}
            />
          </div>
        )}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
