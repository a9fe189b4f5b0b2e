import type { MarketTab } from '../../../../contract/price-watch/price-watch-records.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'

/**
 * A tab of the market without rows.
 *
 * @param watched The number of offers that sell, which are compared.
 */
export function NoMarketRows({
  tab,
  watched,
  onRules,
}: {
  tab: MarketTab
  watched: number
  onRules: () => void
}) {
  if (tab === 'losing' && watched > 0)
    return (
      <EmptyState
        title="No offer is behind"
        text="Every offer with stock sells first, as far as the service reports."
        actions={<Button onClick={onRules}>View rules</Button>}
      />
    )
  if (tab === 'proposals') {
    return (
      <EmptyState
        title="No proposals"
        text="Rules propose prices here. Nothing is sent without your approval unless you turn on auto-apply."
        actions={
          <Button kind="primary" onClick={onRules} autoFocus>
            View rules
          </Button>
        }
        steps={[
          {
            title: 'Write a rule',
            text: 'Choose the offers, how far prices can follow, and the floor.',
          },
          { title: 'Simulate it', text: 'Thirty days on the bundled market in seconds.' },
          {
            title: 'Let it propose',
            text: 'Approve prices with one key. Turn on auto-apply when you trust the rule.',
          },
        ]}
      />
    )
  }
  return (
    <EmptyState
      title={
        tab === 'probing'
          ? 'No higher price is being tested'
          : tab === 'held'
            ? 'No offers on hold'
            : 'No offers with stock'
      }
      text={
        tab === 'all' || tab === 'losing'
          ? 'Active offers with keys are watched.'
          : 'Offers on hold and tests of a higher price are listed here.'
      }
      actions={<Button onClick={onRules}>View rules</Button>}
    />
  )
}
