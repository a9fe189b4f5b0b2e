import { Menu } from '@mantine/core'
import { IconChevronDown, IconCoin, IconLock, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { BulkChange } from '../../../../contract/offers/offer-bulk.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CostDialog } from '../costs/cost-dialog.tsx'

/** Less frequent actions for checked offers: set the cost, withdraw keys, close. */
export function BulkMenu({
  offerIds,
  onChange,
}: {
  offerIds: string[]
  onChange: (change: BulkChange) => void
}) {
  const [costs, setCosts] = useState(false)
  return (
    <>
      <Menu position="top-end" offset={6} width={240}>
        <Menu.Target>
          <Button icon={<IconChevronDown size={16} stroke={1.6} />}>More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconCoin size={16} stroke={1.6} />}
            onClick={() => setCosts(true)}
          >
            Set the cost per key…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLock size={16} stroke={1.6} />}
            onClick={() => onChange({ kind: 'withdraw' })}
          >
            Withdraw keys to the vault…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconX size={16} stroke={1.6} />}
            onClick={() => onChange({ kind: 'close' })}
          >
            Close offers…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {costs ? <CostDialog offerIds={offerIds} onClose={() => setCosts(false)} /> : null}
    </>
  )
}
