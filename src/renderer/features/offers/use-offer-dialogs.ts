import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Bulk } from '../../../contract/offers/offer-bulk.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { toastBulkStarted } from './bulk/started-toast.ts'
import { type OfferList, offerViews } from './list/use-offer-list.ts'

/** The open dialogs of the offers page: offers or costs from a table, results of a bulk change. */
export function useOfferDialogs() {
  const { id: accountId } = useAccount()
  const [results, setResults] = useState<string | null>(null)
  const [creates, setCreates] = useState(false)
  const [costs, setCosts] = useState(false)
  return {
    /** The bulk change whose results are shown. */
    results,
    showResults: setResults,
    hideResults: (): void => setResults(null),
    creates,
    create: (): void => setCreates(true),
    endCreate: (): void => setCreates(false),
    costs,
    enterCosts: (): void => setCosts(true),
    endCosts: (): void => setCosts(false),
    /** Reports a started bulk change, with a button that shows its results. */
    reportStarted: (started: Bulk): void =>
      toastBulkStarted(accountId, started, {
        label: 'View',
        run: () => setResults(started.bulkId),
      }),
  }
}
export type OfferDialogs = ReturnType<typeof useOfferDialogs>

/** Shows the view and the results that a link requests, and removes them from the address. */
export function useLinkedView(look: OfferList['look'], showResults: (bulkId: string) => void) {
  const [search, setSearch] = useSearchParams()
  const view = offerViews.find((each) => each === search.get('view'))
  const bulkId = search.get('changes')
  useEffect(() => {
    if (view !== undefined) look({ view })
    if (bulkId !== null) showResults(bulkId)
    if (view !== undefined || bulkId !== null) setSearch({}, { replace: true })
  }, [view, bulkId, setSearch, look, showResults])
}
