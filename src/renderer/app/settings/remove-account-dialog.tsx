import { useMutation, useQuery } from '@tanstack/react-query'
import {
  IconDownload,
  IconFlag,
  IconKey,
  IconSend,
  IconServer,
  IconShoppingBag,
  IconTimeline,
  IconVocabulary,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Account, Removal } from '../../../contract/app/accounts.ts'
import { t } from '../../../contract/localization/localized.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { fileOf, saveBlob, saveFile } from '../../lib/save-file.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button, LinkButton } from '../../ui/controls/buttons/button.tsx'
import { ConfirmDialog, type Effect } from '../../ui/feedback/confirm-dialog.tsx'
import { PlainExportDialog } from '../../ui/feedback/plain-export-dialog.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { pagesOf } from '../pages/pages.ts'
import { useChangeSettings } from '../use-app-state.ts'
import styles from './settings.module.css'

const icon = { size: 16, stroke: 1.6 }

/** The records that the removal deletes, each with its page. Rows without a page aren't shown. */
const lossesOf = ({ role }: Account, removal: Removal) =>
  [
    {
      icon: <IconVocabulary {...icon} />,
      what: 'Keys in the vault are deleted.',
      amount: t('counts.keys', { count: removal.keys }),
      count: removal.keys,
      path: role === 'partner' ? '/keys' : '/settings/secrets',
    },
    {
      icon: <IconFlag {...icon} />,
      what: 'Claims that you haven’t sent are deleted.',
      amount: t('counts.claims', { count: removal.unsentClaims }),
      count: removal.unsentClaims,
      path: '/claims',
    },
    {
      icon: <IconShoppingBag {...icon} />,
      what: 'Keydesk no longer follows orders in progress.',
      amount: t('counts.orders', { count: removal.ordersInProgress }),
      count: removal.ordersInProgress,
      path: '/orders',
    },
    {
      icon: <IconSend {...icon} />,
      what: 'Queued changes are not sent.',
      amount: t('counts.changes', { count: removal.queuedChanges }),
      count: removal.queuedChanges,
      path: '/outbox',
    },
  ].filter(
    ({ path, count }) =>
      count > 0 || path.startsWith('/settings') || pagesOf(role).some((page) => page.path === path),
  )

/** Always the same, whatever the account has. */
const effects: readonly Effect[] = [
  {
    icon: <IconKey {...icon} />,
    what: 'Its API key is deleted from this computer.',
    more: 'The key stays valid on the service.',
    tone: 'warn',
  },
  {
    icon: <IconServer {...icon} />,
    what: 'Its synced data, history and journals are deleted.',
    more: 'Nothing changes on the service, and no money moves.',
  },
  {
    icon: <IconTimeline {...icon} />,
    what: 'Its activity is kept, with its name.',
    more: 'Activity lists it under removed accounts.',
  },
]

/** Removes the account; everything on the screen is read again. */
const useRemoval = (account: Account) =>
  useMutation({
    mutationFn: () => rpc.accounts.remove({ accountId: account.id }),
    onSuccess: (_nothing, _variables, _context, { client }) => {
      toast({
        title: `${account.name} was removed`,
        text: 'Its local data was deleted. Nothing changed on the service, and its activity is kept.',
      })
      void client.invalidateQueries()
    },
  })

/** The exports that a person can save before the account is removed. */
function ActivityAndKeys({
  account,
  keys,
  onExportKeys,
}: {
  account: Account
  /** Number of its keys in the vault. */
  keys: number
  onExportKeys: () => void
}) {
  const exportActivity = useMutation({
    mutationFn: async () => fileOf(await rpc.activity.export({ accountId: account.id })),
    onSuccess: ({ facts: { fileName, entries }, content }) => {
      saveBlob(fileName, content)
      toast({ title: `${t('counts.entries', { count: entries })} exported`, text: fileName })
    },
    onError: (error) => toastProblem(problemOf(error), account.name),
  })
  return (
    <div className={styles.exports}>
      <Button
        icon={<IconDownload {...icon} />}
        busy={exportActivity.isPending}
        onClick={() => exportActivity.mutate()}
      >
        Export activity
      </Button>
      {keys === 0 ? null : (
        <Button icon={<IconDownload {...icon} />} onClick={onExportKeys}>
          Export keys…
        </Button>
      )}
    </div>
  )
}

/**
 * Asks before an account is removed: counts what is lost, with links, and offers to export it
 * first.
 */
export function RemoveAccountDialog({
  account,
  onClose,
}: {
  account: Account
  onClose: () => void
}) {
  const [exporting, setExporting] = useState(false)
  const [, go] = useLocation()
  const change = useChangeSettings()
  const removal = useQuery({
    ...api.accounts.removal.queryOptions({ input: { accountId: account.id } }),
    staleTime: 0,
    gcTime: 0,
  })
  const remove = useRemoval(account)
  const open = (path: string): void => {
    change({ currentAccountId: account.id })
    onClose()
    go(path)
  }
  const startExport = async (): Promise<void> => {
    try {
      if (await openVault()) setExporting(true)
    } catch (error) {
      toastProblem(problemOf(error), account.name)
    }
  }
  if (exporting)
    return (
      <PlainExportDialog
        account={account}
        what={`${t('counts.keys', { count: removal.data?.keys ?? 0 })} of ${account.name}`}
        onExport={async (typed) => {
          const { fileName, base64 } = await rpc.vault.export({
            form: 'plain',
            typed,
            accountId: account.id,
          })
          saveFile(fileName, base64)
          toast({ title: 'Unencrypted keys downloaded', text: 'Activity lists this export.' })
        }}
        onClose={() => setExporting(false)}
      />
    )
  const losses = removal.data === undefined ? [] : lossesOf(account, removal.data)
  const problem = remove.isError ? problemOf(remove.error) : null
  const unread = removal.isError ? problemOf(removal.error) : null
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => remove.mutateAsync()}
      account={account}
      title={`Remove ${account.name} from this computer?`}
      lead="Keydesk deletes the local data for this account."
      effects={[
        ...losses.map(({ count, amount, path, ...effect }) => ({
          ...effect,
          amount:
            count === 0 ? amount : <LinkButton onClick={() => open(path)}>{amount}</LinkButton>,
          ...(count > 0 && { tone: 'bad' as const }),
        })),
        ...effects,
      ]}
      confirmLabel={account.name.length > 24 ? 'Remove this account' : `Remove ${account.name}`}
      destructive
      incomplete={removal.data === undefined}
      typed={{ text: account.name, verb: 'remove it', always: true }}
      failure={
        problem !== null ? (
          <ProblemNotice problem={problem} />
        ) : unread !== null ? (
          <ProblemNotice problem={unread} />
        ) : null
      }
    >
      <ActivityAndKeys
        account={account}
        keys={removal.data?.keys ?? 0}
        onExportKeys={() => void startExport()}
      />
    </ConfirmDialog>
  )
}
