import { NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SandboxSeller } from '../../../../contract/sandbox/sandbox-accounts.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import { KeysSection } from './keys-section.tsx'
import { NameSection } from './name-section.tsx'
import styles from '../sandbox.module.css'
import { StatusSection } from './status-section.tsx'
import { useSandboxAction } from '../use-sandbox-action.ts'
import { statusWords } from '../words.ts'

type Change = Parameters<typeof rpc.sandbox.accounts.changeSeller>[0]['change']
const classes = {
  keys: 'Keys',
  accounts_and_gifts: 'Accounts and gifts',
  special_subscriptions: 'Special subscriptions',
} as const
type Class = keyof typeof classes
const order = Object.keys(classes) as Class[]

/** One seller: status, commission by class, keys. */
export function SellerPanel({ seller, onClose }: { seller: SandboxSeller; onClose: () => void }) {
  const { id } = seller
  const [commission, setCommission] = useState<Record<string, number>>({ ...seller.commission })
  const keys = useQuery(api.sandbox.accounts.sellerKeys.queryOptions({ input: { id } })).data
    ?.results
  const change = useSandboxAction(
    (change: Change) => rpc.sandbox.accounts.changeSeller({ id, change }),
    (after, change) =>
      change.status === undefined
        ? { title: 'Saved', text: 'Customer prices follow the commission.' }
        : {
            title: `${after.name} is ${statusWords[after.status]?.word.toLowerCase() ?? after.status}`,
          },
  )
  const changed = order.some((each) => commission[each] !== seller.commission[each])
  return (
    <SidePanel title={seller.name} detail="Seller" onClose={onClose}>
      <StatusSection
        status={seller.status}
        busy={change.isPending}
        onChange={(status) => change.mutate({ status })}
      />
      <PanelSection title="Commission, percent">
        <div className={styles.stack}>
          {order.map((each) => (
            <NumberInput
              key={each}
              label={classes[each]}
              min={0}
              max={100}
              decimalScale={2}
              hideControls
              value={commission[each] ?? ''}
              onChange={(value) => {
                if (typeof value === 'number') setCommission({ ...commission, [each]: value })
              }}
            />
          ))}
        </div>
        <Button
          disabled={!changed}
          busy={change.isPending}
          onClick={() => change.mutate({ commission })}
        >
          Save commission
        </Button>
      </PanelSection>
      <KeysSection
        owner={seller.name}
        kind="seller"
        keys={keys}
        onRevoke={(keyId) => rpc.sandbox.accounts.revokeSellerKey({ id, keyId })}
        onMake={async ({ expiresAt }) =>
          (await rpc.sandbox.accounts.createSellerKey({ id, key: { expiresAt } })).key
        }
      />
      <NameSection
        key={seller.name}
        name={seller.name}
        busy={change.isPending}
        onChange={({ name }) => change.mutate({ name })}
      />
    </SidePanel>
  )
}
