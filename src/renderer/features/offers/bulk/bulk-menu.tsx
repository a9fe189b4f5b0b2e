import { t } from '../../../../contract/localization/localized.ts'
import { Menu } from '@mantine/core'
import { IconChevronDown, IconCoin, IconLock, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { BulkChange } from '../../../../contract/offers/offer-bulk.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../../ui/layout/submit-actions.tsx'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import { useOfferTerms } from '../panel/use-offer-terms.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'

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

function CostDialog({ offerIds, onClose }: { offerIds: string[]; onClose: () => void }) {
  const account = useAccount()
  const [cents, setCents] = useState<Cents | null>(null)
  const terms = useOfferTerms()
  const set = (costCents: Cents | null): void =>
    terms.change(
      `Cost ${costCents === null ? 'cleared' : 'set'} for ${t('counts.offers', { count: offerIds.length })}`,
      { offerIds, costCents },
      onClose,
    )
  const submit = (): void => {
    if (cents !== null) set(cents)
  }
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  return (
    <Dialog
      opened
      onClose={onClose}
      account={account}
      title={`Cost per key of ${t('counts.offers', { count: offerIds.length })}`}
      lead={
        'What you paid for one key. It’s saved on this computer only, and is used for ' +
        'the profit and as the repricing floor.'
      }
      actions={
        <>
          <Button size="md" onClick={() => set(null)}>
            Clear cost
          </Button>
          <SubmitActions
            ready={cents !== null}
            busy={terms.busy}
            onCancel={onClose}
            onSubmit={submit}
          >
            Set cost
          </SubmitActions>
        </>
      }
    >
      <MoneyField label="Cost per key" cents={cents} onChange={setCents} onEnter={submit} />
    </Dialog>
  )
}
