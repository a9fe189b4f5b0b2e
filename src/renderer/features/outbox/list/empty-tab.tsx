import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import type { OutboxTab } from './columns.tsx'

/** The text of a tab without entries, and the next step. */
export function EmptyTab({ tab, onOffers }: { tab: OutboxTab; onOffers: () => void }) {
  if (tab === 'sent')
    return (
      <EmptyState
        title="No changes sent from here yet"
        text="Queued changes that were sent are listed here with their times."
      />
    )
  if (tab === 'dropped')
    return (
      <EmptyState
        title="No discarded changes"
        text="Discarded changes are listed here. You can restore them."
      />
    )
  return (
    <EmptyState
      title="No queued changes"
      text={
        'While the service can’t be reached, your changes are queued here. When it’s back, ' +
        'Keydesk compares each with the current data and sends it when you approve.'
      }
      actions={
        <Button size="lg" autoFocus onClick={onOffers}>
          View offers
        </Button>
      }
      steps={[
        {
          title: 'Work offline',
          text: 'Change prices and reply to disputes while the service is away.',
        },
        {
          title: 'Compare',
          text: 'When it’s back, each change is compared with the current data.',
        },
        { title: 'Send', text: 'You send the changes that still fit, and decide on the others.' },
      ]}
    />
  )
}
