import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconBooks, IconMessageReport, IconShoppingBag, IconTag } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/accounts.ts'
import { api } from '../../lib/rpc.ts'
import { formatCents, formatCount, formatEur } from '../../ui/format.ts'
import { fits, type PaletteItem } from './items.ts'
import { useActions } from './use-actions.ts'

export interface Results {
  items: PaletteItem[]
  /** The words actually matched, when a typing mistake was forgiven. */
  guessed: string | null
  elapsedMs: number | null
}

/** What the palette finds: products and own offers or orders from the mirror, then actions and pages. `>` asks for actions only. */
export function useResults(account: Account, accounts: readonly Account[], typed: string, opened: boolean): Results {
  const [, go] = useLocation()
  const onlyActions = typed.startsWith('>')
  const query = (onlyActions ? typed.slice(1) : typed).trim()
  const asks = opened && !onlyActions && query !== ''
  const accountId = account.id
  const found = useQuery({
    ...api.catalogue.search.queryOptions({ input: { accountId, filter: { query: query.slice(0, 200) }, window: { offset: 0, limit: 5 } } }),
    enabled: asks, placeholderData: keepPreviousData,
  }).data
  const offers = useQuery({
    ...api.offers.list.queryOptions({ input: { accountId, query: query.slice(0, 200), window: { offset: 0, limit: 4 } } }),
    enabled: asks && account.role === 'seller', placeholderData: keepPreviousData,
  }).data
  const orders = useQuery({
    ...api.orders.list.queryOptions({ input: { accountId, query: query.slice(0, 200), window: { offset: 0, limit: 4 } } }),
    enabled: asks && account.role === 'partner', placeholderData: keepPreviousData,
  }).data
  const disputes = useQuery({
    ...api.disputes.list.queryOptions({ input: { accountId, view: 'all', query: query.slice(0, 200), window: { offset: 0, limit: 4 } } }),
    enabled: asks && account.role === 'seller', placeholderData: keepPreviousData,
  }).data
  const actions = useActions(account, accounts)

  const products: PaletteItem[] = asks ? (found?.rows ?? []).map((row) => ({
    id: `product-${row.productId}`, group: 'Products', icon: IconBooks, name: row.name, detail: `${row.platform} · ${row.region}`,
    ...(row.priceCents === null ? {} : { end: account.role === 'seller' ? `from ${formatEur(row.priceCents)}` : formatEur(row.priceCents) }),
    run: () => go(`/catalogue/${encodeURIComponent(row.productId)}`),
  })) : []
  const own: PaletteItem[] = asks && account.role === 'seller' ? (offers?.rows ?? []).map((row) => ({
    id: `offer-${row.offerId}`, group: 'Your offers', icon: IconTag, name: row.name, detail: `${formatCents(row.priceCents)}, ${formatCount(row.stock)} in stock`,
    end: row.status === 'active' ? row.isCheapest === null ? '' : row.isCheapest ? 'leads' : 'behind' : row.status,
    run: () => go(`/offers/${encodeURIComponent(row.offerId)}`),
  })) : []
  const placed: PaletteItem[] = asks && account.role === 'partner' ? (orders?.rows ?? []).map((row) => ({
    id: `order-${row.orderId}`, group: 'Orders', icon: IconShoppingBag, name: row.externalId, detail: row.title, end: `${formatEur(row.totalCents)}, ${row.status.replace(/_/g, ' ')}`,
    run: () => go(`/orders/${encodeURIComponent(row.orderId)}`),
  })) : []
  const claimed: PaletteItem[] = asks && account.role === 'seller' ? (disputes?.rows ?? []).map((row) => ({
    id: `dispute-${row.disputeId}`, group: 'Disputes', icon: IconMessageReport, name: row.name, detail: row.disputeId, end: row.needsAnswer ? 'needs an answer' : row.status,
    run: () => go(`/disputes/${encodeURIComponent(row.disputeId)}`),
  })) : []
  return {
    items: [...products, ...own, ...placed, ...claimed, ...actions.filter((item) => fits(item.name, query))],
    guessed: asks ? found?.guessed ?? null : null,
    elapsedMs: asks ? found?.elapsedMs ?? null : null,
  }
}
