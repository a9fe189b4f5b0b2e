import { create } from 'zustand'
import { type CatalogueFilter, catalogueFilterSchema } from '../../../contract/catalogue.ts'
import { accountOfLook, lookId, useLookStore } from '../../ui/table/look-store.ts'

/** A catalogue that is not filtered. */
export const openFilter: CatalogueFilter = {
  query: '',
  platforms: [],
  regions: [],
  productTypes: [],
  deliveryTypes: [],
  inStockOnly: false,
  notSoldByMe: false,
  country: null,
  activates: ['yes', 'unknown'],
  minCents: null,
  maxCents: null,
}

type FilterState = {
  byAccount: Record<string, CatalogueFilter>
  change: (accountId: string, change: Partial<CatalogueFilter>) => void
  clear: (accountId: string) => void
}

const TABLE = 'catalogue'

/**
 * What of a filter is remembered over restarts: all but the words, for somebody may have pasted a
 * key.
 */
function remember(accountId: string, { query: _query, ...narrowing }: CatalogueFilter): void {
  useLookStore.setState(({ looks }) => ({
    looks: { ...looks, [lookId(TABLE, accountId)]: { narrowing } },
  }))
}

/**
 * The filters as they were remembered, with the words of now; what doesn't fit any more filters
 * nothing.
 */
function remembered(
  looks: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  now: Readonly<Record<string, CatalogueFilter>>,
): Record<string, CatalogueFilter> {
  return Object.fromEntries(
    Object.entries(looks).flatMap(([id, { narrowing }]) => {
      const accountId = accountOfLook(TABLE, id)
      const found = catalogueFilterSchema.omit({ query: true }).safeParse(narrowing)
      return accountId === null || !found.success
        ? []
        : [[accountId, { ...found.data, query: now[accountId]?.query ?? '' }]]
    }),
  )
}

/**
 * The catalogue's filter of each account: its words stay while Keydesk is open, the rest for
 * longer.
 */
export const useFilterState = create<FilterState>((set, get) => ({
  byAccount: remembered(useLookStore.getState().looks, {}),
  change(accountId, change) {
    const filter = { ...(get().byAccount[accountId] ?? openFilter), ...change }
    set((state) => ({ byAccount: { ...state.byAccount, [accountId]: filter } }))
    if (Object.keys(change).some((name) => name !== 'query')) remember(accountId, filter)
  },
  clear(accountId) {
    get().change(accountId, { ...openFilter, query: get().byAccount[accountId]?.query ?? '' })
  },
}))

// What was kept arrives once the core has told it.
useLookStore.subscribe(({ looks }, before) => {
  const news = Object.fromEntries(
    Object.entries(looks).filter(
      ([id, look]) =>
        before.looks[id] === undefined && accountOfLook(TABLE, id) !== null && look !== undefined,
    ),
  )
  const { byAccount } = useFilterState.getState()
  const come = Object.entries(remembered(news, byAccount)).filter(
    ([accountId]) => byAccount[accountId] === undefined || !isNarrowed(byAccount[accountId]),
  )
  if (come.length > 0)
    useFilterState.setState({ byAccount: { ...byAccount, ...Object.fromEntries(come) } })
})

/** Whether anything but the words of the search narrows the list. */
export function isNarrowed(filter: CatalogueFilter): boolean {
  return JSON.stringify({ ...filter, query: '' }) !== JSON.stringify(openFilter)
}

/**
 * Whether two filters choose alike but for the words: what shows the choices needs not be drawn
 * again for a letter.
 */
export function choosesAlike(one: CatalogueFilter, other: CatalogueFilter): boolean {
  return (Object.keys(openFilter) as (keyof CatalogueFilter)[]).every(
    (name) => name === 'query' || one[name] === other[name],
  )
}
