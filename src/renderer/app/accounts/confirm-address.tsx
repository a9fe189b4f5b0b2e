import { IconArrowRight, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { rpc } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'

const icon = { size: 16, stroke: 1.6 }

/** Confirms the address that a restored backup changed. From then on the key is sent there. */
export function ConfirmAddress({ account }: { account: Account }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setAsking(true)}>Confirm the address…</Button>
      {asking ? (
        <ConfirmDialog
          opened
          account={account}
          title="Confirm the account’s address"
          confirmLabel="Confirm the address"
          onClose={() => setAsking(false)}
          effects={[
            {
              icon: <IconArrowRight {...icon} />,
              what: `${account.addressBefore ?? 'Another address'} → ${account.baseUrl}`,
              more: 'The restored backup contains this address.',
            },
            {
              icon: <IconKey {...icon} />,
              what: 'The API key is sent to the new address.',
              more: 'Whoever runs the service there can read it.',
            },
          ]}
          onConfirm={async () => {
            await rpc.accounts.confirmAddress({ accountId: account.id })
          }}
        />
      ) : null}
    </>
  )
}
