import { IconFileImport, IconSearch } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { useAccount } from '../../../lib/account/current-account.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'

/** Empty state for a seller without offers: explains offers and the first steps. */
export function NoOffers() {
  const { mode } = useAccount()
  const [, go] = useLocation()
  return (
    <EmptyState
      title="You have no offers yet"
      text="An offer is a product, the price you receive, and the keys you have for it."
      outline
      actions={
        <>
          <Button
            kind="primary"
            size="lg"
            autoFocus
            keys={['N']}
            icon={<IconSearch size={16} stroke={1.6} />}
            onClick={() => go('/catalogue')}
          >
            Find a product
          </Button>
          <Button
            size="lg"
            keys={['I']}
            icon={<IconFileImport size={16} stroke={1.6} />}
            onClick={() => go('/import')}
          >
            Import keys from a file
          </Button>
        </>
      }
      steps={[
        {
          title: 'Find a product',
          text: 'The catalogue shows the current best price and what customers pay.',
        },
        {
          title: 'Set what you receive',
          text: 'Commission is added on top. You see right away whether you take the lead.',
        },
        {
          title: 'Add keys',
          text: 'From text or spreadsheets. The cheapest offer with stock sells first.',
        },
      ]}
      {...(mode === 'sandbox' && {
        note: 'This is the sandbox: nothing here costs money or reaches the real service.',
      })}
    />
  )
}
