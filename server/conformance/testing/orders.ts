import { order as orderShape } from '../../api/schemas/order.ts'
import { type HarnessResponse, startHarness } from './harness.ts'

/** The order in a response, checked with the strict schema. */
const orderOf = ({ json }: HarnessResponse) => orderShape.strict.parse(json)

/**
 * A service with a partner without limits, and a seller with a hundred keys of one product at
 * 10.00: the start of most order tests.
 */
export async function startOrders(options: Parameters<typeof startHarness>[0] = {}) {
  const world = await startHarness(options)
  const partner = await world.partner({ perOrderLimit: null, dailyLimit: null })
  const seller = await world.seller()
  const product = await world.product()
  await world.offer(seller, product, 1000, 100)
  return {
    world,
    partner,
    seller,
    product,
    get: async (id: string, key = partner.key) => orderOf(await world.as(key, `/v1/orders/${id}`)),
    balance: async (key = partner.key) => (await world.as(key, '/v1/balance')).json,
    place: async (body: object, query = '?wait=10', key = partner.key) =>
      orderOf(await world.order(key, body, { query })),
  }
}
