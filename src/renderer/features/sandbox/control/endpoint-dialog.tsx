import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SandboxPartner } from '../../../../contract/sandbox/sandbox-accounts.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { NewSecret } from '../accounts/new-secret.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

/** The endpoint of a partner's webhooks. Its secret is shown once and changes each time. */
export function EndpointDialog({
  partner,
  url,
  onClose,
}: {
  partner: SandboxPartner
  url: string | null
  onClose: () => void
}) {
  const [typed, setTyped] = useState(url ?? '')
  const [secret, setSecret] = useState<string | null>(null)
  const set = useSandboxAction(
    () => rpc.sandbox.money.setWebhook({ id: partner.id, url: typed.trim() }),
    () => ({ title: 'Endpoint set', text: 'Earlier secrets no longer sign anything.' }),
    (made) => setSecret(made.secret),
  )
  const remove = useSandboxAction(
    () => rpc.sandbox.money.removeWebhook({ id: partner.id }),
    () => ({ title: 'Endpoint removed', text: 'No more webhooks are sent to it.' }),
    onClose,
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Webhook endpoint of ${partner.name}`}
      account={sandboxAccount}
      lead="https, or http on this computer. Setting it creates a new secret."
      actions={
        secret !== null ? (
          <Button size="md" kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            {url === null ? null : (
              <Button
                size="md"
                kind="danger"
                busy={remove.isPending}
                onClick={() => remove.mutate(undefined)}
              >
                Remove endpoint
              </Button>
            )}
            <Button size="md" keys={['Esc']} onClick={onClose}>
              Cancel
            </Button>
            <Button
              size="md"
              kind="primary"
              busy={set.isPending}
              disabled={typed.trim() === ''}
              onClick={() => set.mutate(undefined)}
            >
              Set endpoint
            </Button>
          </>
        )
      }
    >
      {secret !== null ? (
        <NewSecret value={secret} name="webhook secret" />
      ) : (
        <form
          className={styles.stack}
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim() !== '' && !set.isPending) set.mutate(undefined)
          }}
        >
          <TextInput
            label="Address"
            data-autofocus
            placeholder="http://127.0.0.1:4621/hook"
            value={typed}
            spellCheck={false}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </form>
      )}
    </Dialog>
  )
}
