import { useState } from 'react'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { sandboxAccount } from '../use-sandbox-action.ts'
import { type AskedSnapshot, ConfirmSnapshot, SnapshotList } from './snapshot-list.tsx'

/** Saved states of the sandbox, from every tab. */
export function SnapshotsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [asked, setAsked] = useState<AskedSnapshot | null>(null)
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
        <SnapshotList onAsk={setAsked} />
      </Dialog>
      <ConfirmSnapshot asked={asked} onClose={() => setAsked(null)} onRestored={onClose} />
    </>
  )
}
