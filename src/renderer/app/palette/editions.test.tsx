import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Router } from 'wouter'
import type { Account, Role } from '../../../contract/app/accounts.ts'
import type { ListedOffer } from '../../../contract/offers/offers.ts'
import { CurrentAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import type { PaletteItem } from './items.ts'
import { useMatches } from './use-matches.ts'
import { type RowActions, useRowActions } from './use-row-actions.ts'

const accountId = 'a1'
const query = 'hollow'
const window = { offset: 0, limit: 4 }
const product = {
  productId: 'p1',
  name: 'Hollow Tide 2',
  platform: 'Steam',
  region: 'Europe',
  deliveryType: 'gift',
}
const edition = 'Steam · Europe · gift link'

/** A client that has searched the records of both roles. */
function searched(): QueryClient {
  const client = new QueryClient()
  const found = (queryKey: readonly unknown[], rows: readonly object[]): void => {
    client.setQueryData(queryKey, { rows: rows.map((row) => ({ ...product, ...row })) })
  }
  const input = { accountId, query, window }
  found(
    api.catalogue.search.queryKey({
      input: { accountId, filter: { query }, window: { offset: 0, limit: 5 } },
    }),
    [{ priceCents: null }],
  )
  found(api.offers.list.queryKey({ input }), [{ offerId: 'o1', status: 'active', stock: 1 }])
  found(api.sales.list.queryKey({ input }), [{ saleId: 's1', priceCents: null, soldAt: null }])
  found(api.disputes.list.queryKey({ input: { ...input, view: 'all' } }), [{ disputeId: 'd1' }])
  found(api.orders.list.queryKey({ input }), [
    { orderId: 'r1', externalId: 'KD-1', title: product.name, totalCents: 100, status: 'failed' },
  ])
  found(api.orders.keys.queryKey({ input }), [{ orderId: 'r1', keyId: 'k1', masked: 'AAAA-•••' }])
  found(api.claims.list.queryKey({ input: { accountId, view: 'all' } }), [
    { claimId: 'c1', externalId: 'KD-1', state: 'draft', outcome: null },
  ])
  return client
}

/** The hits of a search by an account with this role, and the actions on them. */
function paletteOf(role: Role): { items: PaletteItem[]; actions: RowActions } {
  const account = { id: accountId, name: 'Kestrel', role, mode: 'sandbox' } as Account
  let shown: { items: PaletteItem[]; actions: RowActions } | undefined
  function Probe() {
    const actions = useRowActions(account)
    shown = { actions, items: useMatches(account, query, actions).items }
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={searched()}>
      <CurrentAccount value={account}>
        <Router hook={() => ['/', () => {}]}>
          <Probe />
        </Router>
      </CurrentAccount>
    </QueryClientProvider>,
  )
  if (shown === undefined) throw new Error('not rendered')
  return shown
}

test.each<Role>(['seller', 'partner'])('every hit of a %s names its edition', (role) => {
  const { items } = paletteOf(role)
  expect(items).toHaveLength(4)
  for (const { id, detail } of items) expect(`${id}: ${detail}`).toContain(edition)
})

test.each<Role>(['seller', 'partner'])('every action of a %s names its edition', (role) => {
  const { ofProduct, ofOffer } = paletteOf(role).actions
  const offer = { ...product, offerId: 'o1', status: 'active' } as ListedOffer
  for (const { name, detail } of [...ofProduct(product), ...ofOffer(offer)]) {
    expect(name).toContain(product.name)
    expect(detail).toBe(edition)
  }
})
