import { afterAll } from 'vitest'
import {
  type Checks,
  exhaust,
  hasCode,
  limitedBy,
  noRoute,
  nothingThere,
  testPrecedence,
  useUp,
} from '../testing/precedence.ts'
import { type HarnessResponse, type Seller, startHarness } from '../testing/harness.ts'

const world = await startHarness({ limits: true, inMemory: true })
const buyer = await world.partner(
  { perOrderLimit: null, dailyLimit: null },
  { balance: 100_000_000 },
)
afterAll(() => world.close())

/** One request that will be refused, and the seller that sends it. */
interface Scene {
  id: string
  key: string
  keyId: string
  /** The same account with another key, for the requests sent before the tested one. */
  helper: Seller
  method: string
  path: string
  body: Record<string, unknown>
  idempotencyKey: string
  productId: string
  offerId: string
}

async function scene(path: (offerId: string) => string, body: Scene['body']): Promise<Scene> {
  // After every rate window that the previous scene filled.
  world.clock.move(60_000)
  const helper = await world.seller()
  const { id: keyId, key } = (await world.dashboard.createSellerKey({ params: { id: helper.id } }))
    .body
  const productId = await world.product()
  const offerId = await world.offer(helper, productId, 1000, 3)
  return {
    id: helper.id,
    key,
    keyId,
    helper,
    method: 'POST',
    path: path(offerId),
    body,
    idempotencyKey: world.fresh('idempotency'),
    productId,
    offerId,
  }
}

const send = (
  { key, method, path, body, idempotencyKey }: Scene,
  more: Partial<Scene> = {},
): Promise<HarnessResponse> =>
  world.as(more.key ?? key, path, {
    method,
    body: more.body ?? body,
    headers: { 'idempotency-key': idempotencyKey },
  })

const admission: Checks<Scene> = {
  UNAUTHORIZED: {
    is: hasCode('UNAUTHORIZED'),
    steps: {
      account: (at) => world.dashboard.revokeSellerKey({ params: { id: at.id, keyId: at.keyId } }),
    },
  },
  ACCOUNT_NOT_ACTIVE: {
    is: hasCode('ACCOUNT_NOT_ACTIVE'),
    steps: {
      account: (at) =>
        world.dashboard.changeSeller({ params: { id: at.id }, body: { status: 'suspended' } }),
    },
  },
  KEY_RATE: {
    is: limitedBy('key-second'),
    steps: { rates: ({ key }) => exhaust(world, key, '/v1/seller/nothing') },
  },
  UNKNOWN_ROUTE: { is: noRoute, steps: { account: (at) => void (at.method = 'PUT') } },
}

/** An earlier request with the same Idempotency-Key that was executed. */
const conflict = (body: Scene['body']): Checks<Scene> => ({
  IDEMPOTENCY_CONFLICT: {
    is: hasCode('IDEMPOTENCY_CONFLICT'),
    steps: {
      async before(at) {
        const { status } = await send(at, { key: at.helper.key, body })
        if (status !== 200) throw new Error(`the earlier request returned ${status}`)
      },
    },
  },
})

/** The offer existed and was deleted. */
const gone: Checks<Scene> = {
  NOT_FOUND: {
    is: nothingThere,
    steps: {
      async world({ helper, offerId }) {
        await helper.client.withdrawKeys({ params: { id: offerId }, body: {} })
        await helper.client.deleteOffer({ params: { id: offerId } })
      },
    },
  },
}

testPrecedence('POST /offers/{id}/keys', {
  pairs: 27,
  send,
  begin: () => scene((id) => `/v1/seller/offers/${id}/keys`, { keys: [world.fresh('NEW')] }),
  excluded: {
    'KEY_RATE + UPLOAD_RATE':
      'both have the same code; the limits tests check which wait is reported',
  },
  checks: {
    ...admission,
    UPLOAD_RATE: {
      is: limitedBy('uploads'),
      steps: {
        rates: ({ id }) =>
          useUp(
            world,
            'uploads',
            async () => (await world.dashboard.createSellerKey({ params: { id } })).body.key,
            '/v1/seller/offers/none/keys',
            'POST',
          ),
      },
    },
    VALIDATION_ERROR: {
      is: hasCode('VALIDATION_ERROR'),
      steps: { account: (at) => void (at.body = { keys: ['BAD\u0000'] }) },
    },
    ...conflict({ keys: ['EARLIER'] }),
    ...gone,
  },
})

testPrecedence('POST /offers/{id}/withdraw', {
  pairs: 27,
  send,
  begin: () => scene((id) => `/v1/seller/offers/${id}/withdraw`, { count: 2 }),
  excluded: {
    'NOT_FOUND + INSUFFICIENT_STOCK': "an offer that doesn't exist can't lack stock",
  },
  checks: {
    ...admission,
    VALIDATION_ERROR: {
      is: hasCode('VALIDATION_ERROR'),
      steps: { account: (at) => void (at.body = { count: Number(at.body['count']) + 0.5 }) },
    },
    ...conflict({ count: 1 }),
    ...gone,
    INSUFFICIENT_STOCK: {
      is: hasCode('INSUFFICIENT_STOCK'),
      steps: { rates: (at) => void (at.body = { count: 99 }) },
    },
  },
})

testPrecedence('POST /disputes/{id}/replace', {
  pairs: 35,
  send,
  async begin() {
    const at = await scene(() => '', { key: world.fresh('NEW') })
    const { json } = await world.order(buyer.key, world.request(at.productId), {
      query: '?wait=10',
    })
    const orderId = String(Object(json).id)
    const { keys } = (await buyer.client.getOrderKeys({ params: { id: orderId } })).body
    const { disputeId } = (
      await world.dashboard.createClaim({
        body: { orderId, keyId: keys[0]?.id ?? '', message: 'Used.' },
      })
    ).body
    return { ...at, path: `/v1/seller/disputes/${disputeId}/replace` }
  },
  excluded: {
    'IDEMPOTENCY_CONFLICT + NOT_FOUND':
      'disputes are never deleted, and another seller’s request under this key was never executed',
  },
  checks: {
    ...admission,
    VALIDATION_ERROR: {
      is: hasCode('VALIDATION_ERROR'),
      steps: { account: (at) => void (at.body = { ...at.body, fromStock: true }) },
    },
    ...conflict({ fromStock: true }),
    NOT_FOUND: {
      is: nothingThere,
      steps: {
        async prepare(at) {
          const other = await world.seller()
          const { id: keyId, key } = (
            await world.dashboard.createSellerKey({ params: { id: other.id } })
          ).body
          Object.assign(at, { id: other.id, keyId, key })
        },
      },
    },
    DISPUTE_RESOLVED: {
      is: hasCode('DISPUTE_RESOLVED'),
      steps: {
        async world({ path }) {
          const id = path.split('/').at(-2) ?? ''
          const known = (await world.dashboard.listAllDisputes({})).body.results?.find(
            (each) => each.id === id,
          )
          // The earlier request of a conflict has already resolved it.
          if (known?.status !== 'resolved') await world.dashboard.rejectDispute({ params: { id } })
        },
      },
    },
    DUPLICATE_KEY: {
      is: hasCode('DUPLICATE_KEY'),
      steps: {
        async rates(at) {
          const key = world.fresh('SEEN')
          await at.helper.client.uploadKeys({ params: { id: at.offerId }, body: { keys: [key] } })
          at.body = { key }
        },
      },
    },
  },
})
