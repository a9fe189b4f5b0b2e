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
import type { Account } from '../../../contract/accounts.ts'
import { claimWord } from '../../lib/claim-words.ts'
import { api } from '../../lib/rpc.ts'
import { formatCents, formatCount, formatEur, formatMoment } from '../../ui/format.ts'
import { fits, type PaletteItem } from './items.ts'
import type { RowActions } from './use-row-actions.ts'

const shown = 4

export interface Found {
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

/**
 * The matching records of the current account from its local mirror, each with its actions. An
 * empty query has no matches.
 */
export function useFound(
  account: Account,
  query: string,
  { ofProduct, ofOffer, ofOrder }: RowActions,
): Found {
  const [, go] = useLocation()
  const accountId = account.id
  const asks = query !== ''
  const text = query.slice(0, 200)
  const window = { offset: 0, limit: shown }
  const [sells, buys] = [account.role === 'seller', account.role === 'partner']
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
  if (!asks) return { items: [], guessed: null, elapsedMs: null, settled: true }
  const asked = [
    productsAsked,
    ...(sells ? [offersAsked, salesAsked, disputesAsked] : []),
    ...(buys ? [ordersAsked, keysAsked, claimsAsked] : []),
  ]
  const [products, offers, sales, disputes, orders, keys, claims] = [
    productsAsked.data,
    offersAsked.data,
    salesAsked.data,
    disputesAsked.data,
    ordersAsked.data,
    keysAsked.data,
    claimsAsked.data,
  ]
  const to = (path: string, id: string) => (): void => go(`${path}/${encodeURIComponent(id)}`)
  const now = Date.now()
  const items: PaletteItem[] = [
    ...(products?.rows ?? []).map((row) => ({
      id: `product-${row.productId}`,
      group: 'Products' as const,
      icon: IconBooks,
      name: row.name,
      detail: `${row.platform} · ${row.region}`,
      actions: ofProduct(row),
      ...(row.priceCents === null
        ? {}
        : { end: sells ? `from ${formatEur(row.priceCents)}` : formatEur(row.priceCents) }),
      run: to('/catalogue', row.productId),
    })),
    ...(sells ? (offers?.rows ?? []) : []).map((row) => ({
      id: `offer-${row.offerId}`,
      group: 'Your offers' as const,
      icon: IconTag,
      name: row.name,
      detail: `${formatCents(row.priceCents)}, ${formatCount(row.stock)} in stock`,
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
    ...(sells ? (sales?.rows ?? []) : []).map((row) => ({
      id: `sale-${row.saleId}`,
      group: 'Sales' as const,
      icon: IconReceipt,
      name: row.name,
      detail: row.saleId,
      end: [
        row.priceCents === null ? null : formatEur(row.priceCents),
        row.held ? 'held' : row.status,
        row.soldAt === null ? null : formatMoment(row.soldAt, now),
      ]
        .filter((part) => part !== null)
        .join(', '),
      run: to('/sales', row.saleId),
    })),
    ...(buys ? (orders?.rows ?? []) : []).map((row) => ({
      id: `order-${row.orderId}`,
      group: 'Orders' as const,
      icon: IconShoppingBag,
      name: row.externalId,
      detail: row.title,
      end: `${formatEur(row.totalCents)}, ${row.status.replace(/_/g, ' ')}`,
      actions: ofOrder(row),
      run: to('/orders', row.orderId),
    })),
    ...(buys ? (keys?.rows ?? []) : []).map((row) => ({
      id: `key-${row.orderId}-${row.keyId}`,
      group: 'Keys' as const,
      icon: IconKey,
      name: row.name,
      detail: row.masked,
      end: row.externalId,
      run: to('/orders', row.orderId),
    })),
    ...(buys ? (claims?.rows ?? []) : [])
      .filter((row) => fits(`${row.name} ${row.externalId}`, query))
      .slice(0, shown)
      .map((row) => ({
        id: `claim-${row.claimId}`,
        group: 'Claims' as const,
        icon: IconFlag,
        name: row.name,
        detail: row.externalId,
        end: claimWord(row).word,
        run: to('/claims', row.claimId),
      })),
    ...(sells ? (disputes?.rows ?? []) : []).map((row) => ({
      id: `dispute-${row.disputeId}`,
      group: 'Disputes' as const,
      icon: IconMessageReport,
      name: row.name,
      detail: row.disputeId,
      end: row.needsAnswer ? 'needs a reply' : row.status,
      run: to('/disputes', row.disputeId),
    })),
  ]
  return {
    items,
    guessed: products?.guessed ?? null,
    elapsedMs: products?.elapsedMs ?? null,
    settled: asked.every(({ isPending, isPlaceholderData }) => !isPending && !isPlaceholderData),
  }
}
