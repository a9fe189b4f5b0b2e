import { PasswordInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { useVaultGate } from '../../lib/vault-gate.ts'
import type { VaultWaiting } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { toast } from '../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { KeychainDialog } from './keychain-dialog.tsx'
import { PassphraseFields, isUsable } from './passphrase-fields.tsx'
import { usePassphraseEstimate } from './use-passphrase-estimate.ts'
import styles from '../theme/forms.module.css'

/**
 * Asks for the vault's passphrase, or for a new one where there is no keychain. If the person
 * declines, every action that needs the vault is dropped, and a message says so.
 */
export function PassphraseDialog({ account }: { account: Account | null }) {
  const waiting = useVaultGate((gate) => gate.waiting)
  const vault = useQuery(api.vault.state.queryOptions()).data
  useEffect(() => (waiting === null ? undefined : onLeave(() => decline(waiting))), [waiting])
  if (waiting === null || vault === undefined) return null
  const { keychainProblem } = waiting
  return keychainProblem === null ? (
    <PassphraseForm account={account} waiting={waiting} isNew={vault.state === 'unset'} />
  ) : (
    <KeychainDialog
      account={account}
      vault={vault}
      problem={keychainProblem}
      onSettle={(opened) => {
        waiting.resolve(opened)
        useVaultGate.setState({ waiting: null })
        if (!opened) toastDeclined()
      }}
    />
  )
}

/** Runs `task` when the page's address changes. Returns a function that stops watching. */
function onLeave(task: () => void): () => void {
  const { hash } = window.location
  const check = (): void => {
    if (window.location.hash !== hash) task()
  }
  window.addEventListener('hashchange', check)
  return () => window.removeEventListener('hashchange', check)
}

/** Ends a request to unlock the vault without unlocking it. */
function decline(waiting: VaultWaiting): void {
  waiting.resolve(false)
  useVaultGate.setState({ waiting: null })
  toastDeclined()
}

function toastDeclined(): void {
  toast({
    title: 'Canceled: the vault stays locked',
    text: 'Nothing was sent or downloaded. Keydesk handles keys only while it can save them encrypted.',
    kind: 'behind',
    cause: 'vault',
  })
}

/** Opens the vault, or sets its first passphrase, and settles the request that waits for it. */
function useUnlock(waiting: VaultWaiting, isNew: boolean, passphrase: string) {
  const settle = (opened: boolean): void => {
    waiting.resolve(opened)
    useVaultGate.setState({ waiting: null })
  }
  return useMutation({
    mutationFn: () =>
      isNew ? rpc.vault.choosePassphrase({ passphrase }) : rpc.vault.unlock({ passphrase }),
    onSuccess: (state, _variables, _context, { client }) => {
      client.setQueryData(api.vault.state.queryKey(), state)
      settle(state.state === 'open')
    },
  })
}

/** A new passphrase, typed twice, or the vault's own. */
function VaultPassphrase({
  waiting,
  isNew,
  ...fields
}: Pick<Parameters<typeof PassphraseFields>[0], 'given' | 'estimate' | 'onGive'> & {
  waiting: VaultWaiting
  isNew: boolean
}) {
  const { given, onGive } = fields
  if (isNew) return <PassphraseFields label="Passphrase" autoFocus {...fields} />
  return (
    <PasswordInput
      size="md"
      label="Passphrase"
      data-autofocus
      autoComplete="current-password"
      value={given.chosen}
      onFocus={() => onGive({ chosen: waiting.early.take() + given.chosen })}
      onChange={(event) => onGive({ chosen: event.currentTarget.value })}
    />
  )
}

const LostPassphraseNotice = () => (
  <Notice tone="warn" title="A lost passphrase can’t be recovered.">
    Without it, nobody can read the saved keys, not even Keydesk. The service still has the keys it
    sold you.
  </Notice>
)

/** Mounted only while the dialog is open, so that typed text is discarded with it. */
function PassphraseForm({
  account,
  waiting,
  isNew,
}: {
  account: Account | null
  waiting: VaultWaiting
  isNew: boolean
}) {
  const keychain = useQuery(api.app.info.queryOptions()).data?.keychain
  const [given, setGiven] = useState({ chosen: '', again: '' })
  const passphrase = given.chosen
  const estimate = usePassphraseEstimate(isNew ? passphrase : '')
  const give = (part: Partial<typeof given>): void => setGiven((before) => ({ ...before, ...part }))
  const unlock = useUnlock(waiting, isNew, passphrase)
  const ready = (isNew ? isUsable(given, estimate) : passphrase !== '') && !unlock.isPending
  const submit = (): void => {
    if (ready) unlock.mutate()
  }
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  const problem = unlock.isError ? problemOf(unlock.error) : null
  return (
    <Dialog
      opened
      onClose={() => decline(waiting)}
      account={account === null ? undefined : account}
      title={isNew ? 'Choose a passphrase for your keys' : 'Unlock the vault'}
      lead={
        isNew
          ? `${keychain?.reason ?? 'This computer has no keychain.'} Keydesk encrypts saved ` +
            'keys with your passphrase instead.'
          : 'The keys on this computer are encrypted with your passphrase.'
      }
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={() => decline(waiting)}>
            Not now
          </Button>
          <Button
            size="md"
            kind="primary"
            keys={['Enter']}
            disabled={!ready && !unlock.isPending}
            busy={unlock.isPending}
            onClick={submit}
          >
            {isNew ? 'Use this passphrase' : 'Unlock the vault'}
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
        <VaultPassphrase
          waiting={waiting}
          isNew={isNew}
          given={given}
          estimate={estimate}
          onGive={give}
        />
        <button type="submit" className="kd-hidden" tabIndex={-1} aria-hidden>
          Continue
        </button>
      </form>
      {isNew ? <LostPassphraseNotice /> : null}
      {problem === null ? null : <ProblemNotice problem={problem} />}
    </Dialog>
  )
}
