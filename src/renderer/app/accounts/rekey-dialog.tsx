import { Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { toast } from '../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import styles from '../theme/forms.module.css'
import { isCompleteKey, keyMismatch } from './key-field.ts'
import { KeyInput } from './key-input.tsx'
import { setScreen, useScreen } from '../shell/screen-store.ts'

/**
 * Replaces an account's API key. The new key must belong to the same partner or seller, and the
 * service checks it before it replaces the old one.
 */
export function RekeyDialog({ accounts }: { accounts: readonly Account[] }) {
  const rekeying = useScreen((screen) => screen.rekeying)
  const account = accounts.find((each) => each.id === rekeying)
  const keychain = useQuery(api.app.info.queryOptions()).data?.keychain
  const [key, setKey] = useState('')
  const [inMemory, setInMemory] = useState(false)
  useEffect(() => {
    setKey('')
  }, [rekeying])
  const noKeychain = keychain !== undefined && !keychain.available
  const close = (): void => {
    rekey.reset()
    setKey('')
    setScreen({ rekeying: null })
  }
  const rekey = useMutation({
    mutationFn: (accountId: string) =>
      rpc.accounts.rekey({ accountId, key, keep: noKeychain ? 'session' : 'keychain' }),
    onSuccess: (changed, _id, _context, { client }) => {
      toast({
        title: `API key of ${changed.name} replaced`,
        text: 'The service accepts the new key. The old one was deleted from this computer.',
      })
      void client.invalidateQueries({ queryKey: api.accounts.key() })
    },
  })
  const problem = rekey.isError ? problemOf(rekey.error) : null
  const wrong = account === undefined ? null : keyMismatch(account, key)
  const ready =
    account !== undefined &&
    wrong === null &&
    isCompleteKey(key) &&
    keychain !== undefined &&
    (keychain.available || inMemory)
  const submit = (): void => {
    // Not an option of the mutation: that would also close the dialog of another account.
    if (ready && !rekey.isPending) rekey.mutate(account.id, { onSuccess: close })
  }
  return (
    <Dialog
      opened={account !== undefined}
      onClose={close}
      title="Enter the key"
      account={account}
      lead={
        `An API key of the same ${account?.role ?? 'account'}, from the service’s ` +
        'panel. The service checks it before Keydesk saves it.'
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={close}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            keys={['Enter']}
            disabled={!ready}
            busy={rekey.isPending}
            onClick={submit}
          >
            Use this key
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
        <KeyInput value={key} onChange={setKey} autoFocus size="md" wrong={wrong} />
        {noKeychain ? (
          <Checkbox
            label="This computer has no keychain. Keep the key in memory until Keydesk quits"
            checked={inMemory}
            onChange={(event) => setInMemory(event.currentTarget.checked)}
          />
        ) : null}
        <button type="submit" className="kd-hidden" tabIndex={-1} aria-hidden>
          Continue
        </button>
      </form>
      {problem === null ? null : <ProblemNotice problem={problem} />}
    </Dialog>
  )
}
