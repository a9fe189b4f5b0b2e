import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { orderOfChecks } from '../api/errors.ts'
import { cents } from '../api/money.ts'
import type { Scope } from '../api/schemas/enums.ts'
import {
  type Check,
  type Checks,
  exhaust,
  hasCode,
  limitedBy,
  noRoute,
  nothingThere,
  testPrecedence,
  useUp,
} from './testing/precedence.ts'
import { type HarnessResponse, type Seller, startHarness, type Harness } from './testing/harness.ts'

let world: Harness
let seller: Seller
/** In stock but not released, so that an order of it waits. */
let coming = ''
const waiting = new Set<AbortController>()

beforeAll(async () => {
  world = await startHarness({ limits: true, inMemory: true })
  seller = await world.seller()
  coming = await world.product({ releaseDate: '2999-01-01' })
  await world.offer(seller, coming, 1000, 9)
})
afterEach(async () => {
  for (const each of waiting) each.abort()
  waiting.clear()
  await world.dashboard.clearFaults({})
})
afterAll(() => world.close())

/** One request that will be refused, and the account that sends it. */
interface Scene {
  id: string
  key: string
  keyId: string
  /** Gives the same account every permission, for the requests sent before the tested one. */
  helper: string
  method: string
  path: string
  body: { externalId: string; items: { productId: string; qty: number; maxUnitPrice: number }[] }
  idempotencyKey: string
}

type PartnerCheck = Check<Scene>

async function scene(): Promise<Scene> {
  // After every rate window that the previous scene filled.
  world.clock.move(60_000)
  const { id, key: helper } = await world.partner({}, { mode: 'test' })
  const { id: keyId, key } = await world.keyOf(id, 'test')
  const body = {
    externalId: world.fresh('ext'),
    items: [{ productId: coming, qty: 1, maxUnitPrice: 1000 }],
  }
  return {
    id,
    key,
    keyId,
    helper,
    method: 'POST',
    path: '/v1/orders',
    body,
    idempotencyKey: world.fresh('idempotency'),
  }
}

const sent = ({ key, method, path, body, idempotencyKey }: Scene): Promise<HarnessResponse> =>
  world.as(key, path, {
    method,
    ...(method === 'GET' ? {} : { body }),
    headers: { 'idempotency-key': idempotencyKey },
  })

const byDashboard = (
  phase: 'account' | 'world',
  code: string,
  make: (scene: Scene) => unknown,
): PartnerCheck => ({ is: hasCode(code), steps: { [phase]: make } })
const params = ({ id }: Scene) => ({ id })
const issue = (partnerId: string) => async () => (await world.keyOf(partnerId, 'test')).key
const admission = (needed: Scope): Checks<Scene> => ({
  UNAUTHORIZED: byDashboard('account', 'UNAUTHORIZED', (at) =>
    world.dashboard.revokePartnerKey({ params: { id: at.id, keyId: at.keyId } }),
  ),
  ACCOUNT_NOT_ACTIVE: byDashboard('account', 'ACCOUNT_NOT_ACTIVE', (at) =>
    world.dashboard.changePartner({ params: params(at), body: { status: 'suspended' } }),
  ),
  IP_NOT_ALLOWED: byDashboard('account', 'IP_NOT_ALLOWED', (at) =>
    world.dashboard.changePartner({ params: params(at), body: { ipAllowlist: ['10.0.0.0/8'] } }),
  ),
  KEY_RATE: {
    is: limitedBy('key-second'),
    steps: { rates: ({ key }) => exhaust(world, key, '/v1/nothing') },
  },
  UNKNOWN_ROUTE: { is: noRoute, steps: { account: (at) => void (at.method = 'PUT') } },
  INSUFFICIENT_SCOPE: {
    is: hasCode('INSUFFICIENT_SCOPE'),
    steps: {
      async prepare(at) {
        const { id, key } = await world.keyOf(at.id, 'test', {
          scopes: (['catalog:read', 'orders:write', 'orders:read', 'balance:read'] as const).filter(
            (scope) => scope !== needed,
          ),
        })
        Object.assign(at, { keyId: id, key })
      },
    },
  },
})

/**
 * Adds an order line in front, for a product that is fine until `spoil`, so that a later check's
 * line comes before an earlier one's.
 */
const ofLine = (
  code: string,
  spoil: (productId: string, offerId: string) => Promise<unknown>,
): PartnerCheck => {
  let spoiled = { productId: '', offerId: '' }
  return {
    is: hasCode(code),
    steps: {
      async prepare({ body }) {
        const productId = await world.product()
        spoiled = { productId, offerId: await world.offer(seller, productId, 100, 1) }
        body.items.unshift({ productId, qty: 1, maxUnitPrice: 2 })
      },
      world: () => spoil(spoiled.productId, spoiled.offerId),
    },
  }
}

const accepted = async (answer: Promise<HarnessResponse>) => expect((await answer).status).toBe(201)
const simple = ({ body }: Scene, externalId: string) => ({
  externalId,
  items: body.items.slice(-1),
})

/** In the order of Decision 7. */
const ofOrders: Checks<Scene> = {
  ...admission('orders:write'),
  ORDER_RATE: {
    is: limitedBy('orders'),
    steps: { rates: ({ id }) => useUp(world, 'orders', issue(id), '/v1/orders', 'POST') },
  },
  VALIDATION_ERROR: {
    is: hasCode('VALIDATION_ERROR'),
    steps: { account: (at) => void (at.path += '?wait=26') },
  },
  IDEMPOTENCY_CONFLICT: {
    is: hasCode('IDEMPOTENCY_CONFLICT'),
    steps: {
      before: (at) =>
        accepted(
          world.order(at.helper, simple(at, world.fresh('other')), {
            idempotencyKey: at.idempotencyKey,
          }),
        ),
    },
  },
  IDEMPOTENCY_IN_PROGRESS: {
    is: hasCode('IDEMPOTENCY_IN_PROGRESS'),
    steps: {
      async before(at) {
        const open = new AbortController()
        waiting.add(open)
        world
          .order(at.helper, at.body, {
            query: '?wait=25',
            idempotencyKey: at.idempotencyKey,
            signal: open.signal,
          })
          .catch(() => undefined)
        await expect
          .poll(() => world.store.orders.idByExternalId(at.id, at.body.externalId), {
            timeout: 10_000,
          })
          .toBeTruthy()
      },
    },
  },
  DUPLICATE_EXTERNAL_ID: {
    is: hasCode('DUPLICATE_EXTERNAL_ID'),
    // An order in progress already uses its externalId.
    steps: {
      before: async (at) =>
        world.store.orders.idByExternalId(at.id, at.body.externalId) ??
        accepted(world.order(at.helper, simple(at, at.body.externalId))),
    },
  },
  SERVICE_UNAVAILABLE: byDashboard('world', 'SERVICE_UNAVAILABLE', () =>
    world.dashboard.putFaults({ body: [{ supplierDown: true }] }),
  ),
  PRODUCT_UNAVAILABLE: ofLine('PRODUCT_UNAVAILABLE', (id) =>
    world.dashboard.changeProduct({ params: { id }, body: { removed: true } }),
  ),
  OUT_OF_STOCK: ofLine('OUT_OF_STOCK', (_, id) =>
    seller.client.changeOffer({ params: { id }, body: { status: 'paused' } }),
  ),
  PRICE_CHANGED: ofLine('PRICE_CHANGED', (_, id) =>
    seller.client.changeOffer({ params: { id }, body: { price: cents(500) } }),
  ),
  ORDER_LIMIT_EXCEEDED: byDashboard('world', 'ORDER_LIMIT_EXCEEDED', (at) =>
    world.dashboard.changePartner({ params: params(at), body: { perOrderLimit: cents(1) } }),
  ),
  DAILY_LIMIT_EXCEEDED: byDashboard('world', 'DAILY_LIMIT_EXCEEDED', (at) =>
    world.dashboard.changePartner({ params: params(at), body: { dailyLimit: cents(1) } }),
  ),
  INSUFFICIENT_BALANCE: byDashboard('world', 'INSUFFICIENT_BALANCE', (at) =>
    world.dashboard.resetTestBalance({ params: params(at), body: { amount: cents(0) } }),
  ),
}

const ofDownloads: Checks<Scene> = {
  ...admission('orders:read'),
  DOWNLOAD_RATE: {
    is: limitedBy('downloads'),
    steps: { rates: ({ id }) => useUp(world, 'downloads', issue(id), '/v1/orders/none/keys') },
  },
  UNKNOWN_ORDER: {
    is: nothingThere,
    steps: { account: (at) => void (at.path = '/v1/orders/none/keys') },
  },
}

const sameRefusal = 'both have the same code; the limits tests check which wait is reported'

testPrecedence('POST /orders', {
  checks: ofOrders,
  pairs: 151,
  begin: scene,
  send: sent,
  excluded: {
    'IDEMPOTENCY_CONFLICT + IDEMPOTENCY_IN_PROGRESS':
      'one check with two results: the body is either the first one or not',
    'KEY_RATE + ORDER_RATE': sameRefusal,
  },
})

testPrecedence('GET /orders/{id}/keys', {
  checks: ofDownloads,
  pairs: 27,
  excluded: { 'KEY_RATE + DOWNLOAD_RATE': sameRefusal },
  send: sent,
  async begin() {
    const at = await scene()
    await accepted(world.order(at.helper, at.body))
    return {
      ...at,
      method: 'GET',
      path: `/v1/orders/${world.store.orders.idByExternalId(at.id, at.body.externalId)}/keys`,
    }
  },
})

it('the table of POST /orders has the order of checks of Decision 7', () => {
  const names = Object.keys(ofOrders).map((name) =>
    name.startsWith('IDEMPOTENCY') ? 'IDEMPOTENCY' : name === 'ORDER_RATE' ? 'ENDPOINT_RATE' : name,
  )
  expect([...new Set(names)]).toEqual([...orderOfChecks])
})
