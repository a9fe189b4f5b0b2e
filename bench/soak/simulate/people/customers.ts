import type { Book } from '../book.ts'
import type { World } from '../world.ts'

/** Rival sellers and customers of the marketplace, and the service's editors. */
export function createCustomers(
  world: World,
  below: (limit: number) => number,
  { floors }: Pick<Book, 'floors'>,
  sellerId: string,
) {
  const rivalKeys = new Map<string, string>()
  let orders = 0
  const among = <T>(all: readonly T[]): T | undefined => all[below(Math.max(1, all.length))]

  async function keyOf(rival: string): Promise<string> {
    const known = rivalKeys.get(rival)
    if (known !== undefined) return known
    const { key } = (await world.dashboard('POST', `/sellers/${rival}/keys`, {})) as { key: string }
    rivalKeys.set(rival, key)
    return key
  }
  /** A rival sets a price just below that of one of the shop's offers, often of one with a floor. */
  async function undercut(): Promise<void> {
    const pairs = world.rows<{ rival: string; offerId: string; price: number; mine: string }>(
      `SELECT other.seller_id AS rival, other.id AS offerId, mine.price, mine.id AS mine FROM offers mine
         JOIN offers other ON other.product_id = mine.product_id AND other.seller_id <> mine.seller_id
         WHERE mine.seller_id = ? AND mine.deleted_at IS NULL AND other.deleted_at IS NULL
         ORDER BY mine.no, other.no`,
      sellerId,
    )
    const limited = pairs.filter(({ mine }) => floors.has(mine))
    const pair = among(limited.length > 0 && below(2) === 0 ? limited : pairs)
    if (pair !== undefined)
      await world.seller(await keyOf(pair.rival), 'PATCH', `/offers/${pair.offerId}`, {
        price: Math.max(1, pair.price - 1 - below(5)) / 100,
      })
  }
  /** Another program of the partner buys a product that the shop may sell. */
  async function buy(): Promise<void> {
    const product = among(
      world.rows<{ productId: string }>(
        `SELECT product_id AS productId FROM offers
         WHERE seller_id = ? AND sellable = 1 AND stock > 1 ORDER BY no`,
        sellerId,
      ),
    )
    if (product !== undefined)
      await world.partner('POST', '/orders', {
        externalId: `elsewhere-${(orders += 1)}`,
        items: [{ productId: product.productId, qty: 1, maxUnitPrice: 1000 }],
      })
  }
  async function complain(): Promise<void> {
    const unit = among(
      world.rows<{ orderId: string; keyId: string }>(
        `SELECT orders.id AS orderId, order_units.id AS keyId FROM order_units
         JOIN orders ON orders.no = order_units.order_no
         JOIN offers ON offers.no = order_units.offer_no
         WHERE offers.seller_id = ? AND order_units.state = 'delivered' AND orders.mode = 'live'
           AND order_units.no NOT IN (SELECT order_unit_no FROM disputes)
         ORDER BY order_units.no DESC LIMIT 20`,
        sellerId,
      ),
    )
    if (unit !== undefined)
      await world.dashboard('POST', '/claims', { ...unit, message: 'It says: already used.' })
  }
  async function write(): Promise<void> {
    const dispute = among(
      world.rows<{ id: string }>(
        `SELECT id FROM disputes WHERE seller_id = ? AND status = 'open' ORDER BY no`,
        sellerId,
      ),
    )
    if (dispute !== undefined)
      await world.dashboard('POST', `/disputes/${dispute.id}/messages`, {
        author: 'customer',
        body: `Still waiting, ${below(1e6)}`,
      })
  }
  async function edit(): Promise<void> {
    // People of the shop pick their offers by their place in the list, which names decide.
    const product = among(
      world.rows<{ id: string }>(
        'SELECT id FROM products WHERE id NOT IN (SELECT product_id FROM offers WHERE seller_id = ?) ORDER BY no',
        sellerId,
      ),
    )
    if (product !== undefined)
      await world.dashboard('PATCH', `/products/${product.id}`, {
        name: `Renamed ${below(1e6)}`,
      })
  }
  const deeds = [undercut, undercut, undercut, buy, buy, complain, write, edit]
  return {
    /** A random action. Some are rejected, such as a claim after its window. */
    act: async (): Promise<void> => (among(deeds) ?? buy)().catch(() => {}),
  }
}
