import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Avatar } from '../../ui/data-display/identity/avatar.tsx'
import { Button, IconButton } from '../../ui/controls/buttons/button.tsx'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { accountProblem } from '../accounts/account-problem.ts'
import { roleLabelOf } from '../accounts/role-labels.ts'
import { setScreen } from '../shell/screen-store.ts'
import { RemoveAccountDialog } from './remove-account-dialog.tsx'
import styles from './settings.module.css'

const keyStorageLabels: Record<Account['keyKept'], string> = {
  keychain: 'in the keychain',
  session: 'in memory until Keydesk quits',
  missing: 'not on this computer',
}
/** All accounts: rename them, replace their API keys or remove them. */
export function AccountsSection({ accounts }: { accounts: readonly Account[] }) {
  const [removing, setRemoving] = useState<Account | null>(null)
  const [, go] = useLocation()
  return (
    <section>
      <h2>Accounts</h2>
      {accounts.map((account) => (
        <AccountRow key={account.id} account={account} onRemove={() => setRemoving(account)} />
      ))}
      <Button
        className={styles.add}
        icon={<IconPlus size={16} stroke={1.6} />}
        onClick={() => go('/connect')}
      >
        Connect an account
      </Button>
      {removing === null ? null : (
        <RemoveAccountDialog account={removing} onClose={() => setRemoving(null)} />
      )}
    </section>
  )
}

function AccountRow({ account, onRemove }: { account: Account; onRemove: () => void }) {
  const [renaming, setRenaming] = useState(false)
  const trouble = accountProblem(account)
  if (renaming) return <RenameForm account={account} onClose={() => setRenaming(false)} />
  return (
    <div className={styles.account}>
      <Avatar name={account.name} />
      <div className={styles.who}>
        <b>
          {account.name}
          <ModeBadge mode={account.mode} small />
          {trouble === null ? null : <StatusTag tone="warn">{trouble.short}</StatusTag>}
        </b>
        <p>
          <span>{roleLabelOf(account)}</span>
          <span className="kd-mono">{account.maskedKey}</span>
          <span>{keyStorageLabels[account.keyKept]}</span>
          <span>{account.baseUrl}</span>
        </p>
      </div>
      <div className={styles.buttons}>
        <Button aria-label={`Rename ${account.name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        {account.mode === 'sandbox' ? null : (
          <Button
            aria-label={`Replace key of ${account.name}…`}
            onClick={() => setScreen({ rekeying: account.id })}
          >
            Replace key…
          </Button>
        )}
        <IconButton label={`Remove ${account.name}…`} onClick={onRemove}>
          <IconTrash size={16} stroke={1.6} />
        </IconButton>
      </div>
    </div>
  )
}

/** Replaces the account's row while its name is typed. */
function RenameForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const [name, setName] = useState(account.name)
  const rename = useMutation({
    mutationFn: (to: string) => rpc.accounts.rename({ accountId: account.id, name: to }),
    onError: (error) => {
      toastProblem(problemOf(error), account.name)
    },
    onSettled: (_account, _error, _name, _context, { client }) => {
      onClose()
      void client.invalidateQueries({ queryKey: api.accounts.key() })
    },
  })
  return (
    <form
      className={styles.account}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') rename.mutate(name.trim())
      }}
    >
      <Avatar name={name} />
      <TextInput
        aria-label={`New name of ${account.name}`}
        flex={1}
        value={name}
        maxLength={80}
        autoFocus
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
        }}
      />
      <div className={styles.buttons}>
        <Button onClick={onClose} keys={['Esc']}>
          Cancel
        </Button>
        <Button
          type="submit"
          kind="primary"
          keys={['Enter']}
          disabled={name.trim() === ''}
          busy={rename.isPending}
        >
          Rename
        </Button>
      </div>
    </form>
  )
}
