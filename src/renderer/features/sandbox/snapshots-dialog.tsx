import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconClockHour4, IconDatabase, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button, IconButton } from '../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { formatBytes, formatFullMoment } from '../../ui/format.ts'
import styles from './sandbox.module.css'
import { sandboxAccount, useSandboxAction } from './use-sandbox-action.ts'

type Asked = { what: 'restore' | 'delete'; name: string }

const fitsName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)

/**
 * Saved states of the sandbox: save, restore, delete. Actions that can't be undone ask for
 * confirmation.
 */
export function SnapshotsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<Asked | null>(null)
  const list = useQuery({ ...api.sandbox.control.snapshots.queryOptions(), enabled: opened }).data
    ?.results
  const save = useSandboxAction(
    () => rpc.sandbox.control.saveSnapshot({ name }),
    () => ({ title: `Saved ${name}`, text: 'The complete state, including the time.' }),
    () => setName(''),
  )
  const restore = useSandboxAction(
    (which: string) => rpc.sandbox.control.restoreSnapshot({ name: which }),
    (_none, which) => ({
      title: `Restored ${which}`,
      text: 'Keydesk is syncing sandbox accounts again.',
    }),
    onClose,
  )
  const remove = useSandboxAction(
    (which: string) => rpc.sandbox.control.deleteSnapshot({ name: which }),
    (_none, which) => ({ title: `Deleted ${which}` }),
  )
  const replaces = list?.some((snapshot) => snapshot.name === name) === true
  return (
    <>
      <Dialog
        opened={opened && asked === null}
        onClose={onClose}
        title="Snapshots"
        account={sandboxAccount}
        width={520}
        closable
        lead={
          'A snapshot holds the sandbox’s complete state: accounts, money, stock, orders, market and time. ' +
          'Prepare a world once, and restore it before each test.'
        }
      >
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
            placeholder="Name, for example stocked"
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
              <Button size="xs" onClick={() => setAsked({ what: 'restore', name: snapshot.name })}>
                Restore…
              </Button>
              <IconButton
                small
                label={`Delete ${snapshot.name}`}
                onClick={() => setAsked({ what: 'delete', name: snapshot.name })}
              >
                <IconTrash size={14} stroke={1.6} />
              </IconButton>
            </li>
          ))}
        </ul>
        {list?.length === 0 ? <p className={styles.note}>None yet.</p> : null}
      </Dialog>
      <ConfirmSnapshot
        asked={asked}
        onClose={() => setAsked(null)}
        onRestore={(which) => restore.mutateAsync(which)}
        onDelete={(which) => remove.mutateAsync(which)}
      />
    </>
  )
}

/** Asks before a snapshot is restored or deleted. */
function ConfirmSnapshot({
  asked,
  onClose,
  onRestore,
  onDelete,
}: {
  asked: Asked | null
  onClose: () => void
  onRestore: (name: string) => Promise<unknown>
  onDelete: (name: string) => Promise<unknown>
}) {
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
            what: 'The current state is lost.',
            more: 'Save it first if you need it.',
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
          await onRestore(asked?.name ?? '')
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
          await onDelete(asked?.name ?? '')
        }}
      />
    </>
  )
}
