import { IconArrowsDownUp, IconPlus } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { PageHeader } from '../../../ui/layout/page.tsx'
import { type OfferList, offerViews, type OfferView } from './use-offer-list.ts'

const viewWords: Record<OfferView, string> = {
  all: 'All',
  'not-cheapest': 'Not cheapest',
  'low-stock': 'Low stock',
  empty: 'Empty',
  paused: 'Paused',
}

/** The views with their counts, and the page's buttons. */
export function OffersHeader({ list, onReprice }: { list: OfferList; onReprice: () => void }) {
  const [, go] = useLocation()
  const { total, page } = list.rows
  return (
    <PageHeader
      title="Offers"
      beside={
        <CountTabs
          label="Views"
          value={list.filter.view}
          onChange={(next) => list.look({ view: next })}
          tabs={offerViews.map((id) => ({
            id,
            label: viewWords[id],
            count: page?.views[id] ?? null,
          }))}
        />
      }
      actions={
        <>
          <Button
            icon={<IconArrowsDownUp size={16} stroke={1.6} />}
            disabled={total === 0 || page?.complete !== true}
            onClick={onReprice}
          >
            Re-price…
          </Button>
          <Button
            kind="primary"
            keys={['N']}
            icon={<IconPlus size={16} stroke={1.6} />}
            onClick={() => go('/catalogue')}
          >
            New offer
          </Button>
        </>
      }
    />
  )
}
