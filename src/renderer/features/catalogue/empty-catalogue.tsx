import { useAccount } from '../../lib/account/current-account.ts'
import { NoMatches } from '../../ui/feedback/no-matches.tsx'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { formatCount } from '../../ui/format.ts'
import { ProgressBar } from '../../ui/feedback/progress-ring.tsx'
import { useFilterState } from './filter-state.ts'

type Sync = { state: 'never' | 'running' | 'idle' | 'failed'; done: number; total: number | null }

/** Shown instead of products: the first sync, that there are none, or that none matches. */
export function EmptyCatalogue({ isEmpty, sync }: { isEmpty: boolean; sync: Sync | undefined }) {
  const { id } = useAccount()
  const { byAccount, change, clear } = useFilterState()
  const query = byAccount[id]?.query ?? ''
  if (!isEmpty && query !== '')
    return (
      <NoMatches
        query={query}
        hint="Try other words, or remove filters."
        onClear={() => change(id, { query: '' })}
      />
    )
  if (!isEmpty) {
    return (
      <EmptyState
        title="No matches"
        text="Remove filters to see more products."
        actions={
          <Button size="lg" onClick={() => clear(id)}>
            Show all products
          </Button>
        }
      />
    )
  }
  if (sync?.state === 'failed')
    return (
      <EmptyState
        title="Catalogue couldn’t be read"
        text="Keydesk resumes automatically when the service responds again."
        outline
      />
    )
  if (sync?.state === 'idle')
    return (
      <EmptyState
        title="The catalogue is empty"
        text="The service lists no products. New ones appear here when it does."
      />
    )
  return (
    <EmptyState
      title="Syncing the catalogue"
      outline
      text="Keydesk saves it on this computer page by page. If it stops midway, it resumes where it stopped."
      actions={
        sync === undefined || sync.total === null || sync.total === 0 ? undefined : (
          <span>
            <ProgressBar
              share={sync.done / sync.total}
              width={220}
              tone="accent"
              label="Products read"
            />{' '}
            {formatCount(sync.done)} of {formatCount(sync.total)}
          </span>
        )
      }
    />
  )
}
