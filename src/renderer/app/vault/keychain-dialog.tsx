import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import type { VaultState } from '../../../contract/app/vault.ts'
import type { Problem } from '../../../contract/base.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { RecoverDialog } from '../settings/secrets/vault-dialogs.tsx'
import { keychainHelp } from './keychain-help.ts'
import styles from './keychain-dialog.module.css'

/**
 * Shown when the vault's key is in a keychain that doesn't respond or no longer has it. No
 * passphrase unlocks such a vault: its keychain does, or its recovery copy.
 */
export function KeychainDialog({
  account,
  vault,
  problem: first,
  onSettle,
}: {
  account: Account | null
  vault: VaultState
  problem: Problem
  onSettle: (opened: boolean) => void
}) {
  const platform = useQuery(api.app.info.queryOptions()).data?.platform ?? ''
  const [recovering, setRecovering] = useState(false)
  const retry = useMutation({
    mutationFn: () => rpc.vault.unlockWithKeychain(),
    onSuccess: (state, _variables, _context, { client }) => {
      client.setQueryData(api.vault.state.queryKey(), state)
      onSettle(state.state === 'open')
    },
  })
  const problem = retry.isError ? problemOf(retry.error) : first
  const isLost = problem.code === 'VAULT_KEY_LOST'
  if (recovering)
    return (
      <RecoverDialog
        vault={vault}
        keychainAvailable={isLost}
        onClose={() =>
          void rpc.vault.state().then(
            ({ state }) => (state === 'open' ? onSettle(true) : setRecovering(false)),
            () => setRecovering(false),
          )
        }
      />
    )
  return (
    <Dialog
      opened
      onClose={() => onSettle(false)}
      account={account ?? undefined}
      title={isLost ? 'The vault’s key isn’t in the keychain' : 'The keychain isn’t available'}
      lead={
        'The saved keys are encrypted with a key that this computer’s keychain stores. ' +
        'The vault has no passphrase.'
      }
      width={520}
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={() => onSettle(false)}>
            Not now
          </Button>
          <Button size="md" onClick={() => setRecovering(true)}>
            Use a recovery copy…
          </Button>
          <Button
            size="md"
            kind="primary"
            data-autofocus
            busy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            Try again
          </Button>
        </>
      }
    >
      <div className={styles.problem}>
        <ProblemNotice problem={problem} />
      </div>
      <section className={styles.help}>
        <h3>{isLost ? 'Find the key again' : 'Start the keychain again'}</h3>
        <ul>
          {keychainHelp(platform, isLost).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </Dialog>
  )
}
