import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import type { OutboxTab } from './columns.tsx'

/** The text of a tab without entries. */
export function EmptyTab({ tab }: { tab: OutboxTab }) {
  if (tab === 'sent')
    return (
      <EmptyState
        title="No changes sent from here yet"
        text="Queued changes that were sent are listed here with their times."
        columns={[90, 60, 60]}
      />
    )
  if (tab === 'dropped')
    return (
      <EmptyState
        title="No discarded changes"
        text="Discarded changes are listed here. You can restore them."
        columns={[90, 60, 60]}
      />
    )
  return (
    <EmptyState
      title="No queued changes"
      text={
        'While the service can’t be reached, your changes are queued here. When it’s back, ' +
        'Keydesk compares each with the current data and sends it when you approve.'
      }
      columns={[90, 60, 60]}
    />
  )
}
