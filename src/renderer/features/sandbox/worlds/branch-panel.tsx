import { IconPlugConnectedX, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { SandboxBranch } from '../../../../contract/sandbox/sandbox-branches.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { replaySentence } from './branch-table.tsx'
import { ConnectionList } from '../connection-list.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

/** The addresses and secrets of a branch, and the button that ends it. */
export function BranchPanel({ branch, onClose }: { branch: SandboxBranch; onClose: () => void }) {
  const [asked, setAsked] = useState(false)
  const { id, replay } = branch
  const name = branch.name ?? id
  const end = useSandboxAction(
    () => rpc.sandbox.branches.end({ id }),
    () => ({ title: `Ended ${name}` }),
    onClose,
  )
  return (
    <SidePanel
      title={name}
      detail={replay === null ? `${id}, a copy of the sandbox` : `${id}, opened from a world file`}
      width={460}
      onClose={onClose}
      footer={
        <Button kind="danger" onClick={() => setAsked(true)}>
          End branch…
        </Button>
      }
    >
      {replay === null ? null : (
        <PanelSection title="Repeated session">
          <p className={styles.replay}>
            <Mark kind={replay.different === 0 ? 'ok' : 'bad'} />
            <b>{replaySentence(replay)}</b>
          </p>
          {replay.different === 0 ? (
            <p className={styles.note}>The branch has the state after its last request.</p>
          ) : (
            <pre className={styles.replayReport}>{replay.report}</pre>
          )}
        </PanelSection>
      )}
      <PanelSection title="For programs on this computer">
        <ConnectionList
          addresses={branch}
          secretOf={(which) => rpc.sandbox.branches.secret({ id, which })}
        />
        <p className={styles.note}>
          To use it in Keydesk, connect an account with the address of its API and a key.
        </p>
      </PanelSection>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        account={sandboxAccount}
        title={`End ${name}?`}
        confirmLabel={`End ${name}`}
        destructive
        effects={[
          {
            icon: <IconTrash size={16} stroke={1.6} />,
            what: 'Its data is deleted permanently.',
            more: 'The sandbox itself doesn’t change.',
            tone: 'bad',
          },
          {
            icon: <IconPlugConnectedX size={16} stroke={1.6} />,
            what: 'Its addresses stop responding.',
            more: 'A program that still uses it loses the connection.',
          },
        ]}
        onConfirm={async () => {
          await end.mutateAsync(undefined)
        }}
      />
    </SidePanel>
  )
}
