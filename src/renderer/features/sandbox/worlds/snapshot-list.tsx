import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconClockHour4, IconDatabase, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatBytes, formatFullMoment } from '../../../ui/format.ts'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

export type AskedSnapshot = { what: 'restore' | 'delete'; name: string }

const fitsName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)

/**
 * Saved states of the sandbox. `onAsk` asks before one is restored or deleted; `onCompare` shows what
 * changed since one, where there is room for it.
 */
export function SnapshotList({
  onAsk,
  onCompare,
}: {
  onAsk: (asked: AskedSnapshot) => void
  onCompare?: (name: string) => void
}) {
  const [name, setName] = useState('')
  const list = useQuery(api.sandbox.control.snapshots.queryOptions()).data?.results
  const save = useSandboxAction(
    () => rpc.sandbox.control.saveSnapshot({ name }),
    () => ({ title: `Saved ${name}`, text: 'The complete state, including the time.' }),
    () => setName(''),
  )
  const replaces = list?.some((snapshot) => snapshot.name === name) === true
  return (
    <>
      <form
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault()
          if (fitsName(name) && !save.isPending) save.mutate(undefined)
        }}
      >
        <TextInput
          className="grow"
          aria-label="Snapshot name"
          placeholder="Name"
          data-autofocus
          size="md"
          value={name}
          error={name !== '' && !fitsName(name) ? 'Letters, digits, . _ and -, at most 64' : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          size="md"
          kind="primary"
          type="submit"
          disabled={!fitsName(name)}
          busy={save.isPending}
        >
          {replaces ? 'Replace snapshot' : 'Save snapshot'}
        </Button>
      </form>
      <ul className={styles.lines} aria-label="Snapshots">
        {list?.map((snapshot) => (
          <li key={snapshot.name}>
            <span>
              <b>{snapshot.name}</b>
            </span>
            <small>
              {snapshot.createdAt === undefined ? '' : formatFullMoment(snapshot.createdAt)}
              {snapshot.bytes === undefined ? '' : `, ${formatBytes(snapshot.bytes)}`}
            </small>
            {onCompare === undefined ? null : (
              <Button
                size="xs"
                aria-label={`Compare ${snapshot.name}`}
                onClick={() => onCompare(snapshot.name)}
              >
                Compare
              </Button>
            )}
            <Button size="xs" onClick={() => onAsk({ what: 'restore', name: snapshot.name })}>
              Restore…
            </Button>
            <IconButton
              small
              label={`Delete ${snapshot.name}`}
              onClick={() => onAsk({ what: 'delete', name: snapshot.name })}
            >
              <IconTrash size={14} stroke={1.6} />
            </IconButton>
          </li>
        ))}
      </ul>
      {list?.length === 0 ? <p className={styles.note}>None yet.</p> : null}
    </>
  )
}

/** Asks before a snapshot is restored or deleted. */
export function ConfirmSnapshot({
  asked,
  onClose,
  onRestored,
}: {
  asked: AskedSnapshot | null
  onClose: () => void
  onRestored?: () => void
}) {
  const restore = useSandboxAction(
    (which: string) => rpc.sandbox.control.restoreSnapshot({ name: which }),
    (_none, which) => ({
      title: `Restored ${which}`,
      text: 'Keydesk is syncing sandbox accounts again.',
    }),
    onRestored,
  )
  const remove = useSandboxAction(
    (which: string) => rpc.sandbox.control.deleteSnapshot({ name: which }),
    (_none, which) => ({ title: `Deleted ${which}` }),
  )
  return (
    <>
      <ConfirmDialog
        opened={asked?.what === 'restore'}
        onClose={onClose}
        account={sandboxAccount}
        title={`Restore ${asked?.name ?? ''}?`}
        confirmLabel={`Restore ${asked?.name ?? ''}`}
        destructive
        effects={[
          {
            icon: <IconDatabase size={16} stroke={1.6} />,
            what: 'The current state is replaced.',
            more: 'Worlds keeps it under Go back, unless the world is very large.',
            tone: 'bad',
          },
          {
            icon: <IconClockHour4 size={16} stroke={1.6} />,
            what: 'The clock goes back',
            more: 'to the time of the snapshot.',
          },
          {
            icon: <IconRefresh size={16} stroke={1.6} />,
            what: 'Keydesk syncs sandbox accounts again.',
            more: 'Keys and notes that exist only on this computer stay.',
          },
        ]}
        onConfirm={async () => {
          await restore.mutateAsync(asked?.name ?? '')
        }}
      />
      <ConfirmDialog
        opened={asked?.what === 'delete'}
        onClose={onClose}
        account={sandboxAccount}
        title={`Delete ${asked?.name ?? ''}?`}
        confirmLabel={`Delete ${asked?.name ?? ''}`}
        destructive
        effects={[
          {
            icon: <IconTrash size={16} stroke={1.6} />,
            what: 'The snapshot is deleted permanently.',
            more: 'The sandbox itself doesn’t change.',
          },
        ]}
        onConfirm={async () => {
          await remove.mutateAsync(asked?.name ?? '')
        }}
      />
    </>
  )
}
