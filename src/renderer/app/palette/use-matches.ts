import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  IconBooks,
  IconFlag,
  IconKey,
  IconMessageReport,
  IconReceipt,
  IconShoppingBag,
  IconTag,
} from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { claimLabel } from '../../lib/labels/claim-labels.ts'
import { api } from '../../lib/core/rpc.ts'
import { formatCents, formatCount, formatEur, formatMoment } from '../../ui/format.ts'
import { matches, type PaletteItem } from './items.ts'
import type { RowActions } from './use-row-actions.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'
import { variantLabel } from '../../lib/labels/product-labels.ts'

const shown = 4

export interface Matches {
  items: PaletteItem[]
  /** The corrected query when the search forgave a typo; null when it matched as typed. */
  guessed: string | null
  elapsedMs: number | null
  /**
   * Whether all results belong to the current query. If not, some searches still run and earlier
   * results can be shown.
   */
  settled: boolean
}

/** The searches of the account's records; an empty query searches nothing. */
function useSearches({ id: accountId, role }: Account, query: string) {
  const asks = query !== ''
  const text = query.slice(0, 200)
  const window = { offset: 0, limit: shown }
  const [sells, buys] = [role === 'seller', role === 'partner']
  const productsAsked = useQuery({
    ...api.catalogue.search.queryOptions({
      input: { accountId, filter: { query: text }, window: { offset: 0, limit: 5 } },
    }),
    enabled: asks,
    placeholderData: keepPreviousData,
  })
  const offersAsked = useQuery({
    ...api.offers.list.queryOptions({ input: { accountId, query: text, window } }),
    enabled: asks && sells,
    placeholderData: keepPreviousData,
  })
  const salesAsked = useQuery({
    ...api.sales.list.queryOptions({ input: { accountId, query: text, window } }),
    enabled: asks && sells,
    placeholderData: keepPreviousData,
  })
  const disputesAsked = useQuery({
    ...api.disputes.list.queryOptions({ input: { accountId, view: 'all', query: text, window } }),
    enabled: asks && sells,
    placeholderData: keepPreviousData,
  })
  const ordersAsked = useQuery({
    ...api.orders.list.queryOptions({ input: { accountId, query: text, window } }),
    enabled: asks && buys,
    placeholderData: keepPreviousData,
  })
  const keysAsked = useQuery({
    ...api.orders.keys.queryOptions({ input: { accountId, query: text, window } }),
    enabled: asks && buys,
    placeholderData: keepPreviousData,
  })
  const claimsAsked = useQuery({
    ...api.claims.list.queryOptions({ input: { accountId, view: 'all' } }),
    enabled: asks && buys,
  })
  const searches = [
    productsAsked,
    ...(sells ? [offersAsked, salesAsked, disputesAsked] : []),
    ...(buys ? [ordersAsked, keysAsked, claimsAsked] : []),
  ]
  return {
    products: productsAsked.data,
    offers: sells ? offersAsked.data : undefined,
    sales: sells ? salesAsked.data : undefined,
    disputes: sells ? disputesAsked.data : undefined,
    orders: buys ? ordersAsked.data : undefined,
    keys: buys ? keysAsked.data : undefined,
    claims: buys ? claimsAsked.data : undefined,
    settled: searches.every(({ isPending, isPlaceholderData }) => !isPending && !isPlaceholderData),
  }
}

type Searches = ReturnType<typeof useSearches>
type OpenRow = (path: string, id: string) => () => void

/** The known parts of a detail: an edition is empty while the local catalogue lacks the product. */
const detailOf = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(', ')

const productItems = (
  { products }: Searches,
  to: OpenRow,
  role: Account['role'],
  { ofProduct }: RowActions,
): PaletteItem[] =>
  (products?.rows ?? []).map((row) => ({
    id: `product-${row.productId}`,
    group: 'Products' as const,
    icon: IconBooks,
    name: row.name,
    detail: variantLabel(row),
    actions: ofProduct(row),
    ...(row.priceCents === null
      ? {}
      : {
          end: role === 'seller' ? `from ${formatEur(row.priceCents)}` : formatEur(row.priceCents),
        }),
    run: to('/catalogue', row.productId),
  }))

const sellerItems = (
  { offers, sales, disputes }: Searches,
  to: OpenRow,
  now: number,
  { ofOffer }: RowActions,
): PaletteItem[] => [
  ...(offers?.rows ?? []).map((row) => ({
    id: `offer-${row.offerId}`,
    group: 'Your offers' as const,
    icon: IconTag,
    name: row.name,
    detail: `${variantLabel(row)}, ${formatCents(row.priceCents)}, ${formatCount(row.stock)} in stock`,
    actions: ofOffer(row),
    end:
      row.status === 'active'
        ? row.isCheapest === null
          ? ''
          : row.isCheapest
            ? 'leads'
            : 'behind'
        : row.status,
    run: to('/offers', row.offerId),
  })),
  ...(sales?.rows ?? []).map((row) => ({
    id: `sale-${row.saleId}`,
    group: 'Sales' as const,
    icon: IconReceipt,
    name: row.name,
    detail: `${variantLabel(row)}, ${row.saleId}`,
    end: [
      row.priceCents === null ? null : formatEur(row.priceCents),
      row.held ? 'held' : row.status,
      row.soldAt === null ? null : formatMoment(row.soldAt, now),
    ]
      .filter((part) => part !== null)
      .join(', '),
    run: to('/sales', row.saleId),
  })),
  ...(disputes?.rows ?? []).map((row) => ({
    id: `dispute-${row.disputeId}`,
    group: 'Disputes' as const,
    icon: IconMessageReport,
    name: row.name,
    detail: detailOf(variantLabel(row), row.disputeId),
    end: row.needsAnswer ? 'needs a reply' : row.status,
    run: to('/disputes', row.disputeId),
  })),
]

const partnerItems = (
  { orders, keys, claims }: Searches,
  to: OpenRow,
  query: string,
  { ofOrder }: RowActions,
): PaletteItem[] => [
  ...(orders?.rows ?? []).map((row) => ({
    id: `order-${row.orderId}`,
    group: 'Orders' as const,
    icon: IconShoppingBag,
    name: row.externalId,
    detail: detailOf(row.title, variantLabel(row)),
    end: `${formatEur(row.totalCents)}, ${row.status.replace(/_/g, ' ')}`,
    actions: ofOrder(row),
    run: to('/orders', row.orderId),
  })),
  ...(keys?.rows ?? []).map((row) => ({
    id: `key-${row.orderId}-${row.keyId}`,
    group: 'Keys' as const,
    icon: IconKey,
    name: row.name,
    detail: detailOf(variantLabel(row), row.masked),
    end: row.externalId,
    run: to('/orders', row.orderId),
  })),
  ...(claims?.rows ?? [])
    .filter((row) => matches(`${row.name} ${row.externalId}`, query))
    .slice(0, shown)
    .map((row) => ({
      id: `claim-${row.claimId}`,
      group: 'Claims' as const,
      icon: IconFlag,
      name: row.name,
      detail: detailOf(variantLabel(row), row.externalId),
      end: claimLabel(row).word,
      run: to('/claims', row.claimId),
    })),
]

/**
 * The matching records of the current account from its local mirror, each with its actions. An
 * empty query has no matches.
 */
export function useMatches(account: Account, query: string, rowActions: RowActions): Matches {
  const [, go] = useLocation()
  const searches = useSearches(account, query)
  const now = useAccountNow()
  if (query === '') return { items: [], guessed: null, elapsedMs: null, settled: true }
  const to: OpenRow = (path, id) => () => go(`${path}/${encodeURIComponent(id)}`)
  return {
    items: [
      ...productItems(searches, to, account.role, rowActions),
      ...sellerItems(searches, to, now, rowActions),
      ...partnerItems(searches, to, query, rowActions),
    ],
    guessed: searches.products?.guessed ?? null,
    elapsedMs: searches.products?.elapsedMs ?? null,
    settled: searches.settled,
  }
}
