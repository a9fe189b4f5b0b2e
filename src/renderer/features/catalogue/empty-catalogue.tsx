import { useAccount } from '../../lib/current-account.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatCount } from '../../ui/format.ts'
import { ProgressBar } from '../../ui/progress-ring.tsx'
import { useFilterState } from './filter-state.ts'

type Sync = { state: 'never' | 'running' | 'idle' | 'failed'; done: number; total: number | null }

/** In place of products: the first reading with its progress, or that nothing matches. */
export function EmptyCatalogue({ isEmpty, sync }: { isEmpty: boolean; sync: Sync | undefined }) {
  const { id } = useAccount()
  const { change, clear } = useFilterState()
  if (!isEmpty) {
    return (
      <EmptyState
        title="No product matches"
        text="Search for another word, or widen the filters."
        actions={
          <Button
            size="lg"
            onClick={() => {
              clear(id)
              change(id, { query: '' })
            }}
          >
            Show all products
          </Button>
        }
      />
    )
  }
  if (sync?.state === 'failed')
    return (
      <EmptyState
        title="The catalogue could not be read"
        text="It goes on by itself when the service answers again."
        columns={[52, 52, 40]}
      />
    )
  return (
    <EmptyState
      title="Reading the catalogue"
      columns={[52, 52, 40]}
      text="It is kept on this machine and read page by page; a stop in between loses nothing."
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
