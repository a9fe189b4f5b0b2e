import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconClockHour4, IconDatabase, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, rpc } from '../../lib/rpc.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatBytes, formatFullMoment } from '../../ui/format.ts'
import styles from './sandbox.module.css'
import { sandboxItself, useAct } from './use-act.ts'

const fitsName = (name: string): boolean => /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)

/** Saved states of the whole sandbox: made, put back, deleted. What can't be undone asks first. */
export function SnapshotsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<{ what: 'restore' | 'delete'; name: string } | null>(null)
  const list = useQuery({ ...api.sandbox.control.snapshots.queryOptions(), enabled: opened }).data
    ?.results
  const save = useAct(
    () => rpc.sandbox.control.saveSnapshot({ name }),
    () => ({ title: `Saved as ${name}`, text: 'The whole state, its time included.' }),
    () => setName(''),
  )
  const restore = useAct(
    (which: string) => rpc.sandbox.control.restoreSnapshot({ name: which }),
    (_none, which) => ({
      title: `${which} is restored`,
      text: 'What this desk shows of it is read anew.',
    }),
    onClose,
  )
  const remove = useAct(
    (which: string) => rpc.sandbox.control.deleteSnapshot({ name: which }),
    (_none, which) => ({ title: `${which} is deleted` }),
  )
  const replaces = list?.some((snapshot) => snapshot.name === name) === true
  return (
    <>
      <Dialog
        opened={opened && asked === null}
        onClose={onClose}
        title="Snapshots"
        account={sandboxItself}
        width={520}
        closable
        lead="The whole state of the sandbox with its time: accounts, money, stock, orders, the market. Make a world once, and put it back before each try."
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
            aria-label="Name of the snapshot"
            placeholder="Name, such as stocked"
            data-autofocus
            size="md"
            value={name}
            error={name !== '' && !fitsName(name) ? 'Letters, digits, . _ and -, 64 at most' : null}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            size="md"
            kind="primary"
            type="submit"
            disabled={!fitsName(name)}
            busy={save.isPending}
          >
            {replaces ? 'Replace it' : 'Save now'}
          </Button>
        </form>
        <ul className={styles.lines} aria-label="Saved states">
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
      <ConfirmDialog
        opened={asked?.what === 'restore'}
        onClose={() => setAsked(null)}
        account={sandboxItself}
        title={`Restore ${asked?.name ?? ''}?`}
        confirmLabel={`Restore ${asked?.name ?? ''}`}
        destructive
        effects={[
          {
            icon: <IconDatabase size={16} stroke={1.6} />,
            what: 'The present state is given up.',
            more: 'Save it first if you need it.',
            tone: 'bad',
          },
          {
            icon: <IconClockHour4 size={16} stroke={1.6} />,
            what: 'The clock goes back',
            more: 'to where it was then.',
          },
          {
            icon: <IconRefresh size={16} stroke={1.6} />,
            what: 'Sandbox accounts are read anew.',
            more: 'Keys and notes that only this desk has stay.',
          },
        ]}
        onConfirm={async () => {
          await restore.mutateAsync(asked?.name ?? '')
        }}
      />
      <ConfirmDialog
        opened={asked?.what === 'delete'}
        onClose={() => setAsked(null)}
        account={sandboxItself}
        title={`Delete ${asked?.name ?? ''}?`}
        confirmLabel={`Delete ${asked?.name ?? ''}`}
        destructive
        effects={[
          {
            icon: <IconTrash size={16} stroke={1.6} />,
            what: 'The saved state is gone for good.',
            more: 'The sandbox itself stays as it is.',
          },
        ]}
        onConfirm={async () => {
          await remove.mutateAsync(asked?.name ?? '')
        }}
      />
    </>
  )
}
