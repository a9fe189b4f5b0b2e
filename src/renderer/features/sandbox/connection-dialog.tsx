import { useQuery } from '@tanstack/react-query'
import { api, rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../ui/layout/dialog.tsx'
import { ConnectionList } from './connection-list.tsx'
import { DocsLink } from './docs-link.tsx'
import { sandboxAccount } from './use-sandbox-action.ts'

/** Addresses and secrets of the sandbox for other programs. */
export function ConnectionDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const addresses = useQuery({
    ...api.sandbox.addresses.queryOptions(),
    enabled: opened,
    staleTime: 0,
  }).data
  const inBrowser = useQuery(api.app.info.queryOptions()).data?.host === 'browser'
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Use the sandbox from a program"
      account={sandboxAccount}
      width={560}
      lead="For programs on this computer. The demo keys are new at each start of the sandbox."
      actions={
        <Button size="md" keys={['Esc']} data-autofocus onClick={onClose}>
          Close
        </Button>
      }
    >
      {addresses === undefined ? null : (
        <>
          <ConnectionList
            addresses={addresses}
            secretOf={(which) => rpc.sandbox.secret({ which })}
          />
          {inBrowser ? <DocsLink path="/docs" name="Start" /> : null}
        </>
      )}
    </Dialog>
  )
}
