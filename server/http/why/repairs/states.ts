/** Repairs of refusals for the state of an offer, a dispute, a claim or an earlier request. */
import { type Attempt, withParam, withStep } from '../attempt.ts'
import { dashboard, fieldAt, numberIn, type Repair, textOf, withField } from './repair.ts'
import { freshKey } from './values.ts'

const change = (attempt: Attempt, path: string, value: unknown): Attempt => ({
  ...attempt,
  body: withField(attempt.body, path, value),
})

/** The search gives every changed attempt a new key. */
const again: Repair = ({ attempt }) => [{ ...attempt, waitMs: Math.max(attempt.waitMs, 1000) }]

const newKey: Repair = ({ attempt }) => [
  { ...attempt, tries: { ...attempt.tries, key: 1 }, idempotencyKey: 'example-key-1' },
]

const withdrawFirst: Repair = ({ attempt }) => [
  withStep(attempt, {
    sender: attempt.sender,
    method: 'POST',
    path: `${attempt.path}/withdraw`,
    body: {},
  }),
]

/** All that there is, or one unit that is uploaded before. */
const lessStock: Repair = ({ attempt, at, refusal }) => {
  if (at?.operation === 'replaceKey') return [{ ...attempt, body: { key: freshKey(attempt.body) } }]
  const stock = numberIn(refusal, 'stock')
  if (stock > 0) return [change(attempt, 'count', stock)]
  return [
    withStep(change(attempt, 'count', 1), {
      sender: attempt.sender,
      method: 'POST',
      path: attempt.path.replace(/withdraw$/, 'keys'),
      body: { keys: [freshKey(attempt.body)] },
    }),
  ]
}

/** Disputes that aren't resolved. */
export const openDispute: Repair = async ({ trial, attempt }) => {
  const { sender } = attempt
  const rows =
    sender.api === 'seller'
      ? await trial.list(sender, '/v1/seller/disputes?limit=100')
      : await trial.list(dashboard, '/dashboard/disputes?limit=100')
  return rows
    .filter(
      ({ status }) => status === 'open' || (status === 'escalated' && sender.api === 'seller'),
    )
    .slice(0, 3)
    .map((row) => withParam(attempt, 'id', textOf(row, 'id')))
}

const MAX_CLAIM_ORDERS = 12

/** Delivered live units without a claim, the latest first. */
export const claimableUnit: Repair = async ({ trial, attempt }) => {
  const claimed = new Set(
    (await trial.list(dashboard, '/dashboard/disputes?limit=100')).map((row) =>
      textOf(row, 'keyId'),
    ),
  )
  const found: Attempt[] = []
  for (const partner of (
    await trial.list(dashboard, '/dashboard/partners?limit=10')
  ).toReversed()) {
    const sender = {
      api: 'partner',
      id: textOf(partner, 'id'),
      mode: 'live',
      scopes: ['orders:read'],
    } as const
    const orders = await trial.list(sender, '/v1/orders?status=completed&limit=100')
    for (const order of orders.slice(0, MAX_CLAIM_ORDERS)) {
      const orderId = textOf(order, 'id')
      const keys = (await trial.read(sender, `/v1/orders/${orderId}/keys`))?.['keys']
      const free = (Array.isArray(keys) ? keys : [])
        .map((key: unknown) => String(fieldAt(key, 'id')))
        .find((id) => !claimed.has(id))
      if (free !== undefined) found.push(change(change(attempt, 'orderId', orderId), 'keyId', free))
      if (found.length >= 3) return found
    }
  }
  return found
}

export const stateRepairs: Readonly<Record<string, Repair>> = {
  IDEMPOTENCY_CONFLICT: newKey,
  IDEMPOTENCY_IN_PROGRESS: again,
  RATE_LIMITED: again,
  SERVICE_UNAVAILABLE: again,
  OFFER_HAS_STOCK: withdrawFirst,
  INSUFFICIENT_STOCK: lessStock,
  DUPLICATE_KEY: ({ attempt }) => [change(attempt, 'key', freshKey(attempt.body))],
  DISPUTE_RESOLVED: openDispute,
  REFERENCE_USED: ({ attempt }) => [change(attempt, 'reference', undefined)],
  CLAIM_EXISTS: claimableUnit,
  CLAIM_WINDOW_CLOSED: claimableUnit,
}
