import { IconSearchOff } from '@tabler/icons-react'
import { Button } from '../controls/buttons/button.tsx'
import { EmptyState } from './empty-state.tsx'

/**
 * Shown instead of rows when the list has records, but none match. `hint`: what the search doesn't
 * cover.
 */
export function NoMatches({
  query,
  hint,
  onClear,
}: {
  query: string
  hint?: string
  onClear: () => void
}) {
  if (query === '')
    return <EmptyState title="No matches" text="Choose another view, or remove filters." />
  return (
    <EmptyState
      title="No matches"
      text={`Nothing in this list matches “${query}”.${hint === undefined ? '' : ` ${hint}`}`}
      actions={
        <Button icon={<IconSearchOff size={16} stroke={1.6} />} onClick={onClear}>
          Clear search
        </Button>
      }
    />
  )
}
