import { create } from 'zustand'
import type { CatalogueFilter } from '../../../contract/catalogue.ts'

/** A catalogue that is not filtered. */
export const openFilter: CatalogueFilter = {
  query: '', platforms: [], regions: [], productTypes: [], deliveryTypes: [], inStockOnly: false, notSoldByMe: false, country: null, activates: ['yes', 'unknown'], minCents: null, maxCents: null,
}

type FilterState = {
  byAccount: Record<string, CatalogueFilter>
  change: (accountId: string, change: Partial<CatalogueFilter>) => void
  clear: (accountId: string) => void
}

/** The catalogue's filter of each account; it stays while Keydesk is open. */
export const useFilterState = create<FilterState>((set) => ({
  byAccount: {},
  change: (accountId, change) => set((state) => ({ byAccount: { ...state.byAccount, [accountId]: { ...(state.byAccount[accountId] ?? openFilter), ...change } } })),
  clear: (accountId) => set((state) => ({ byAccount: { ...state.byAccount, [accountId]: { ...openFilter, query: state.byAccount[accountId]?.query ?? '' } } })),
}))

/** Whether anything but the words of the search narrows the list. */
export function isNarrowed(filter: CatalogueFilter): boolean {
  return JSON.stringify({ ...filter, query: '' }) !== JSON.stringify(openFilter)
}
