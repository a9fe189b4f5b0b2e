import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ListedOffer } from '../../../contract/offers/offers.ts'
import { useOfflineSince } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { useQueuedCount } from '../../lib/account/outbox.ts'
import { LoadingNotice } from '../../ui/feedback/loading-notice.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { RenderOnChange } from '../../ui/hooks/render-on-change.tsx'
import type { TargetTable } from '../../ui/table/data-table.tsx'
import { QueuedChangesPanel } from '../outbox/queued-changes-panel.tsx'
import { OffersBar } from './list/offers-bar.tsx'
import { OffersHeader } from './list/offers-header.tsx'
import { OffersTable } from './list/offers-table.tsx'
import { byPercent, useBulkSelection } from './list/use-bulk-selection.ts'
import { useOfferList } from './list/use-offer-list.ts'
import { useOfferShortcuts } from './list/use-offer-shortcuts.ts'
import { useOfferColumns, usePriceEdit } from './list/use-price-edit.ts'
import { OfferDialogs } from './offer-dialogs.tsx'
import { OfferPanel } from './panel/offer-panel.tsx'
import { useOfferChange } from './price/use-offer-change.ts'
import { useLinkedView, useOfferDialogs } from './use-offer-dialogs.ts'

/** While the service is unreachable: the queued changes, until their panel is closed. */
function useQueuedChangesPanel(isOffline: boolean) {
  const count = useQueuedCount(useAccount().id)
  const [isClosed, setIsClosed] = useState(false)
  if (!isOffline || count === 0 || isClosed) return undefined
  return <QueuedChangesPanel onClose={() => setIsClosed(true)} />
}

/** The panel of an offer, with the price that is typed in its row. */
function EditedOfferPanel({
  offerId,
  edit: { typed },
  onClose,
}: {
  offerId: string
  edit: Pick<ReturnType<typeof usePriceEdit>, 'typed'>
  onClose: () => void
}) {
  return (
    <OfferPanel
      key={offerId}
      offerId={offerId}
      typedCents={typed?.offerId === offerId ? typed.cents : null}
      onClose={onClose}
    />
  )
}

/** The offers page: find, compare and reprice offers. */
export function OffersPage({ offerId = null }: { offerId?: string | null }) {
  const account = useAccount()
  const [, go] = useLocation()
  const table = useRef<TargetTable<ListedOffer>>(null)
  const list = useOfferList()
  const { rows } = list
  const changes = useOfferChange()
  const edit = usePriceEdit(table, rows.total, changes.setPrice)
  const offlineSince = useOfflineSince(account, 'offers')
  const columns = useOfferColumns(edit, offlineSince ?? null)
  const selection = useBulkSelection(list)
  const dialogs = useOfferDialogs()
  useLinkedView(list.look, dialogs.showResults)
  useOfferShortcuts(table, offerId, changes.setStatus)
  const queuedChanges = useQueuedChangesPanel(offlineSince !== undefined)
  const open = (id: string | null): void =>
    go(id === null ? '/offers' : `/offers/${id}`, { replace: offerId !== null })
  const { page } = rows
  return (
    <Page
      panel={
        offerId === null ? (
          queuedChanges
        ) : (
          <EditedOfferPanel offerId={offerId} edit={edit} onClose={() => open(null)} />
        )
      }
    >
      <RenderOnChange
        of={[
          list.filterKey,
          list.typedQuery,
          list.sort,
          list.look,
          rows.total,
          JSON.stringify([page?.complete, page?.views, page?.platforms, page?.regions]),
          selection.checked,
          columns,
        ]}
      >
        <OffersHeader list={list} onReprice={() => selection.begin(byPercent)} />
        <OffersBar
          list={list}
          columns={columns}
          checked={selection.checked}
          dialogs={dialogs}
          table={table}
        />
      </RenderOnChange>
      {page?.complete === false ? (
        <LoadingNotice title="Your offers are still loading.">
          Lists, counts and changes of several offers include only the offers loaded so far.
        </LoadingNotice>
      ) : null}
      <OffersTable
        ref={table}
        list={list}
        columns={columns}
        edit={edit}
        selection={selection}
        offerId={offerId}
        onOpen={open}
      />
      <OfferDialogs
        dialogs={dialogs}
        selection={selection}
        onBulkClosed={() => table.current?.focus()}
      />
    </Page>
  )
}
