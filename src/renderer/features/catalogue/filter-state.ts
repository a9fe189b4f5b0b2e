import { create } from 'zustand'
import { type CatalogueFilter, catalogueFilterSchema } from '../../../contract/catalogue.ts'
import {
  accountOfListSettings,
  listSettingsId,
  useListSettingsStore,
} from '../../ui/table/saved/list-settings.ts'

/** No filters. */
export const emptyFilter: CatalogueFilter = {
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

/** Stores a filter across restarts without its text, because the user could have pasted a key. */
function remember(accountId: string, { query: _query, ...narrowing }: CatalogueFilter): void {
  useListSettingsStore.setState(({ looks }) => ({
    looks: { ...looks, [listSettingsId(TABLE, accountId)]: { narrowing } },
  }))
}

/** The stored filters with the current text. A stored filter that is no longer valid is dropped. */
function remembered(
  looks: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  now: Readonly<Record<string, CatalogueFilter>>,
): Record<string, CatalogueFilter> {
  return Object.fromEntries(
    Object.entries(looks).flatMap(([id, { narrowing }]) => {
      const accountId = accountOfListSettings(TABLE, id)
      const found = catalogueFilterSchema.omit({ query: true }).safeParse(narrowing)
      return accountId === null || !found.success
        ? []
        : // In the order of the empty filter, because the same filter identifies the same list.
          [[accountId, { ...emptyFilter, ...found.data, query: now[accountId]?.query ?? '' }]]
    }),
  )
}

/**
 * The catalogue filter of each account. Its text stays while Keydesk is open; the other fields are
 * stored.
 */
export const useFilterState = create<FilterState>((set, get) => ({
  byAccount: remembered(useListSettingsStore.getState().looks, {}),
  change(accountId, change) {
    const filter = { ...(get().byAccount[accountId] ?? emptyFilter), ...change }
    set((state) => ({ byAccount: { ...state.byAccount, [accountId]: filter } }))
    if (Object.keys(change).some((name) => name !== 'query')) remember(accountId, filter)
  },
  clear(accountId) {
    get().change(accountId, { ...emptyFilter, query: get().byAccount[accountId]?.query ?? '' })
  },
}))

// Stored filters arrive once the core has sent them.
useListSettingsStore.subscribe(({ looks }, before) => {
  const news = Object.fromEntries(
    Object.entries(looks).filter(
      ([id, look]) =>
        before.looks[id] === undefined &&
        accountOfListSettings(TABLE, id) !== null &&
        look !== undefined,
    ),
  )
  const { byAccount } = useFilterState.getState()
  const come = Object.entries(remembered(news, byAccount)).filter(
    ([accountId]) => byAccount[accountId] === undefined || !isNarrowed(byAccount[accountId]),
  )
  if (come.length > 0)
    useFilterState.setState({ byAccount: { ...byAccount, ...Object.fromEntries(come) } })
})

/** Whether anything but the search text narrows the list. */
export function isNarrowed(filter: CatalogueFilter): boolean {
  return JSON.stringify({ ...filter, query: '' }) !== JSON.stringify(emptyFilter)
}

/**
 * Whether two filters are equal except for their text. If so, the choices needn't render again for
 * a typed letter.
 */
export function haveSameChoices(one: CatalogueFilter, other: CatalogueFilter): boolean {
  return (Object.keys(emptyFilter) as (keyof CatalogueFilter)[]).every(
    (name) => name === 'query' || one[name] === other[name],
  )
}
