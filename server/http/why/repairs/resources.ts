/** Repairs of NOT_FOUND: a resource that exists, the one with the most similar id first. */
import { type Attempt, type Step, withParam, withStep } from '../attempt.ts'
import { productsInStock } from './orders.ts'
import { dashboard, fieldAt, nearest, type Repair, textOf, withField } from './repair.ts'
import { claimableUnit, openDispute } from './states.ts'

/** The step that sets a webhook endpoint. */
export const putWebhook = (partnerId: string): Step => ({
  sender: dashboard,
  method: 'PUT',
  path: `/dashboard/partners/${partnerId}/webhook`,
  body: { url: 'https://example.com/webhook' },
})

/** Replaces a parameter by each of the most similar existing values. */
function withEach(
  attempt: Attempt,
  name: string,
  ids: readonly string[],
  given: string,
): Attempt[] {
  return nearest(ids, given)
    .slice(0, 3)
    .map((id) => withParam(attempt, name, id))
}

const listed =
  (path: string, field = 'id'): Repair =>
  async ({ trial, attempt, at }) => {
    const rows = await trial.list(dashboard, path)
    return withEach(
      attempt,
      'id',
      rows.map((row) => textOf(row, field)),
      at?.params['id'] ?? '',
    )
  }

const ownOrder: Repair = async (refused) => {
  const { trial, attempt, at } = refused
  const { sender } = attempt
  if (sender.api === 'dashboard') return claimableUnit(refused)
  if (sender.api !== 'partner') return []
  const reader = { ...sender, scopes: ['orders:read'] as const }
  const rows = await trial.list(reader, '/v1/orders?limit=100')
  const ids = rows.map((row) => textOf(row, 'id'))
  if (ids.length > 0) return withEach(attempt, 'id', ids, at?.params['id'] ?? '')
  const buyer = { ...sender, scopes: ['orders:write'] as const }
  const topUp: Step = {
    sender: dashboard,
    method: 'POST',
    path: `/dashboard/partners/${sender.id}/top-ups`,
    body: { mode: sender.mode, amount: 1000 },
  }
  return (await productsInStock(refused)).slice(0, 2).map((productId) =>
    withStep(withParam(attempt, 'id', '{{id}}'), topUp, {
      sender: buyer,
      method: 'POST',
      path: '/v1/orders',
      body: { externalId: 'example-1', items: [{ productId, qty: 1, maxUnitPrice: 100_000 }] },
    }),
  )
}

const product: Repair = async ({ trial, attempt, at }) => {
  const given = at?.params['id'] ?? ''
  if (attempt.sender.api === 'partner') {
    const reader = { ...attempt.sender, scopes: ['catalog:read'] as const }
    const rows = await trial.list(reader, '/v1/products?limit=100')
    return withEach(
      attempt,
      'id',
      rows.map((row) => textOf(row, 'id')),
      given,
    )
  }
  const [seller] = await trial.list(dashboard, '/dashboard/sellers?limit=1')
  if (seller === undefined) return []
  const sender = { api: 'seller', id: textOf(seller, 'id') } as const
  const rows = await trial.list(sender, '/v1/seller/products?limit=100')
  return withEach(
    attempt,
    'id',
    rows.map((row) => textOf(row, 'productId')),
    given,
  )
}

const offer: Repair = async (refused) => {
  const { trial, attempt, at } = refused
  const rows = await trial.list(attempt.sender, '/v1/seller/offers?limit=100')
  if (rows.length > 0)
    return withEach(
      attempt,
      'id',
      rows.map((row) => textOf(row, 'id')),
      at?.params['id'] ?? '',
    )
  return (await productsInStock(refused)).slice(0, 1).map((productId) =>
    withStep(withParam(attempt, 'id', '{{offer.id}}'), {
      sender: attempt.sender,
      method: 'POST',
      path: '/v1/seller/offers',
      body: { productId, price: 10 },
    }),
  )
}

const key: Repair = async ({ trial, attempt, at }) => {
  const owner = attempt.path.split('/').slice(0, 4).join('/')
  const ids = (await trial.list(dashboard, `${owner}/keys`)).map((row) => textOf(row, 'id'))
  const issue: Step = {
    sender: dashboard,
    method: 'POST',
    path: `${owner}/keys`,
    body: owner.includes('/partners/') ? { mode: 'test' } : {},
  }
  return [
    ...withEach(attempt, 'keyId', ids, at?.params['keyId'] ?? ''),
    withStep(withParam(attempt, 'keyId', '{{id}}'), issue),
  ]
}

const delivery: Repair = async ({ trial, attempt, at }) => {
  const partnerId = at?.params['id'] ?? ''
  const webhook = `/dashboard/partners/${partnerId}/webhook`
  const rows = await trial.list(dashboard, `${webhook}/deliveries`)
  const sendTest: Step = {
    sender: dashboard,
    method: 'POST',
    path: `${webhook}/test`,
    body: { mode: 'test' },
  }
  return [
    ...withEach(
      attempt,
      'deliveryId',
      rows.map((row) => textOf(row, 'id')),
      at?.params['deliveryId'] ?? '',
    ),
    withStep(withParam(attempt, 'deliveryId', '{{deliveryId}}'), putWebhook(partnerId), sendTest),
  ]
}

const webhook: Repair = ({ attempt, at }) => [
  withStep(
    attempt,
    putWebhook(at?.params['id'] ?? (attempt.sender.api === 'partner' ? attempt.sender.id : '')),
  ),
]

const snapshot: Repair = ({ attempt, at }) => {
  const given = at?.params['name'] ?? ''
  const name = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(given) ? given : 'example'
  return [
    withStep(withParam(attempt, 'name', name), {
      sender: dashboard,
      method: 'POST',
      path: '/dashboard/snapshots',
      body: { name },
    }),
  ]
}

const dispute: Repair = async (refused) => {
  const { trial, attempt, at } = refused
  if (attempt.method !== 'GET') return openDispute(refused)
  const rows = await trial.list(attempt.sender, '/v1/seller/disputes?limit=100')
  return withEach(
    attempt,
    'id',
    rows.map((row) => textOf(row, 'id')),
    at?.params['id'] ?? '',
  )
}

/** A partner or seller named in a body isn't a path parameter. */
const account =
  (path: string): Repair =>
  async (refused) => {
    const { attempt } = refused
    const field = ['partnerId', 'sellerId'].find(
      (name) => fieldAt(attempt.body, name) !== undefined,
    )
    if (field === undefined) return listed(path)(refused)
    const rows = await refused.trial.list(dashboard, path)
    return rows
      .slice(0, 3)
      .map((row) => ({ ...attempt, body: withField(attempt.body, field, textOf(row, 'id')) }))
  }

/** By the refusal's message, which names the resource. */
export const resourceRepairs: Readonly<Record<string, Repair>> = {
  'Order not found.': ownOrder,
  'Product not found.': product,
  'Offer not found.': offer,
  'Dispute not found.': dispute,
  'Partner not found.': account('/dashboard/partners?limit=100'),
  'Seller not found.': account('/dashboard/sellers?limit=100'),
  'Key not found.': key,
  'This order has no such key.': claimableUnit,
  'Delivery not found.': delivery,
  'No webhook endpoint is set.': webhook,
  'Snapshot not found.': snapshot,
}
