/**
 * Requests in bursts, in steady flows around the rates, and after pauses, so that each window fills
 * and drains.
 */
import { scopes } from '../../../server/api/schemas/enums.ts'
import type { Scope } from '../../../server/api/schemas/enums.ts'
import type { Demand } from './brute-force.ts'

export type Key = {
  key: string
  api: 'partner' | 'seller'
  account: string
  scopes: readonly Scope[]
}
/** `answer`: the status of a request that no rate rejects. */
export type Arrival = {
  key: Key
  method: 'GET' | 'POST'
  path: string
  body: unknown
  demand: Demand
  answer: number
}

const partnerKey = (
  account: string,
  name: string,
  mode: string,
  allowed: readonly Scope[] = scopes,
): Key => ({ key: `svc_${mode}_${account}${name}`, api: 'partner', account, scopes: allowed })

/**
 * Two accounts of each kind that share their accounts' rates among keys of both modes, one key
 * without the scope to order, and many that send requests rarely.
 */
export const keys: readonly Key[] = [
  ...['one', 'two'].flatMap((account) => [
    partnerKey(account, '0000000live', 'live'),
    partnerKey(account, '0000000test', 'test'),
    partnerKey(account, '0000000read', 'live', ['catalog:read']),
  ]),
  ...['three', 'four'].flatMap((account): Key[] =>
    ['a', 'b'].map((name) => ({
      key: `svcs_${account}000000000000${name}`,
      api: 'seller',
      account,
      scopes: [],
    })),
  ),
  ...Array.from({ length: 1500 }, (_, index) => partnerKey(`seldom${index}`, '00000000', 'live')),
]
const busy = 10

type Kind = Pick<Arrival, 'method' | 'path' | 'body' | 'answer'> & {
  own: Demand['own']
  scope: Scope | null
}
const order = { externalId: 'a', items: [{ productId: 'p', qty: 1, maxUnitPrice: 1 }] }
const partnerKinds: readonly Kind[] = [
  { method: 'GET', path: '/v1/ping', body: null, own: null, scope: 'catalog:read', answer: 200 },
  { method: 'GET', path: '/v1/nothing/here', body: null, own: null, scope: null, answer: 404 },
  {
    method: 'POST',
    path: '/v1/orders',
    body: order,
    own: 'orders',
    scope: 'orders:write',
    answer: 201,
  },
  {
    method: 'POST',
    path: '/v1/orders',
    body: { items: 'none' },
    own: 'orders',
    scope: 'orders:write',
    answer: 400,
  },
  {
    method: 'GET',
    path: '/v1/orders/ord_1/keys',
    body: null,
    own: 'downloads',
    scope: 'orders:read',
    answer: 200,
  },
]
const sellerKinds: readonly Kind[] = [
  { method: 'GET', path: '/v1/seller/me', body: null, own: null, scope: null, answer: 200 },
  {
    method: 'POST',
    path: '/v1/seller/offers/off_1/keys',
    body: { keys: ['K'] },
    own: 'uploads',
    scope: null,
    answer: 200,
  },
  {
    method: 'POST',
    path: '/v1/seller/offers/off_1/keys',
    body: { keys: [] },
    own: 'uploads',
    scope: null,
    answer: 400,
  },
]

/**
 * Mean gaps of a phase, in milliseconds: bursts, slightly more and less than 20 and 10 per second,
 * and flows that fill only the rate of an account.
 */
const paces = [0, 2, 20, 48, 58, 75, 95, 105, 190, 350, 480, 2000]

function arrivalOf(key: Key, { own, scope, answer, ...request }: Kind): Arrival {
  const permitted = key.api === 'seller' || scope === null || key.scopes.includes(scope)
  return {
    key,
    ...request,
    demand: { key: key.key, account: key.account, own: permitted ? own : null },
    answer: permitted ? answer : 403,
  }
}

export type Step = { gapMs: number; arrival: Arrival }

/** An endless stream; `below(n)`: an integer from 0 to below n. */
export function arrivals(below: (limit: number) => number): () => Step {
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[below(from.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
  const kindsOf = (key: Key): readonly Kind[] =>
    key.api === 'partner' ? partnerKinds : sellerKinds
  let left = 0
  let focus: Key[] = []
  let kind: Kind | null = null
  let pace = 0

  function beginPhase(): void {
    const key = pick(keys.slice(0, busy))
    // One key alone fills its own rates; all keys of an account together fill the account's.
    focus =
      below(2) === 0
        ? [key]
        : keys
            .slice(0, busy)
            .filter(({ api, account }) => api === key.api && account === key.account)
    kind = below(5) === 0 ? null : pick(kindsOf(key))
    pace = pick(paces)
    left = 40 + below(pace < 48 ? 300 : 1500)
  }

  function gap(): number {
    const roll = below(100_000)
    if (roll < 100) return 1000 + below(90_000)
    if (roll < 105) return 86_400_000 * (1 + below(30))
    if (roll < 160) return -below(5000)
    if (roll < 165) return -(60_001 + below(10_000_000))
    return pace === 0 ? Number(below(10) === 0) : below(2 * pace + 1)
  }

  return () => {
    if (left === 0) beginPhase()
    left -= 1
    const key = below(12) === 0 ? pick(keys) : pick(focus)
    const chosen =
      kind !== null && kindsOf(key).includes(kind) && below(20) > 0 ? kind : pick(kindsOf(key))
    return { gapMs: gap(), arrival: arrivalOf(key, chosen) }
  }
}
