import { BulkDialog } from './bulk/bulk-dialog.tsx'
import { CostsFromTable } from './costs/costs-from-table.tsx'
import { CreateFromTable } from './bulk/create-from-table.tsx'
import { ResultsDialog } from './bulk/results-dialog.tsx'
import type { BulkSelection } from './list/use-bulk-selection.ts'
import type { OfferDialogs as OpenDialogs } from './use-offer-dialogs.ts'

/** The dialogs of the offers page that are open, with the one that confirms a bulk change. */
export function OfferDialogs({
  dialogs,
  selection,
  onBulkClosed,
}: {
  dialogs: OpenDialogs
  selection: BulkSelection
  onBulkClosed: () => void
}) {
  const { results } = dialogs
  return (
    <>
      {selection.bulk === null || selection.isEmpty ? null : (
        <BulkDialog
          chosen={selection.chosen}
          count={selection.checked.size}
          change={selection.bulk}
          onClose={() => {
            selection.endBulk()
            onBulkClosed()
          }}
          onStarted={(started) => {
            selection.endBulk()
            selection.clear()
            dialogs.reportStarted(started)
          }}
        />
      )}
      {results === null ? null : <ResultsDialog bulkId={results} onClose={dialogs.hideResults} />}
      {dialogs.costs ? <CostsFromTable onClose={dialogs.endCosts} /> : null}
      {dialogs.creates ? (
        <CreateFromTable
          onClose={dialogs.endCreate}
          onBegun={(started) => {
            dialogs.endCreate()
            dialogs.reportStarted(started)
            dialogs.showResults(started.bulkId)
          }}
        />
      ) : null}
    </>
  )
}
