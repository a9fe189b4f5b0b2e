/**
 * Many events of all kinds to receivers that fail in all ways, while the service is killed in the
 * middle of attempts.
 */
import { hash } from 'node:crypto'
import { cents } from '../../../server/api/money.ts'
import { until } from './dashboard.ts'
import type { Delivery, DashboardClient } from './dashboard.ts'
import { plain } from './receivers.ts'
import type { Answer, Received, Receiver, Receivers } from './receivers.ts'

export type Storm = {
  lost: number
  twice: number
  problems: string[]
  events: number
  attempts: number
  kills: number
  cut: number
}

const RECEIVERS = 4
/** Longer than all attempts of a delivery together. */
const ALL_ATTEMPTS_MS = 200_000_000

type Shop = { partnerId: string; key: string; receiver: Receiver }
/**
 * An acknowledged event: the test event's delivery, the top-up's reference or the order's id, and
 * its account.
 */
type Acknowledged = { shop: Shop; kind: 'test' | 'top-up' | 'order'; id: string }

/** A random number that is the same for the same arrival of a delivery. */
const chance = (received: Received, seed: number): number =>
  Number.parseInt(
    hash('sha256', `${seed} ${received.delivery} ${received.arrival}`).slice(0, 8),
    16,
  ) % 100

/**
 * Accepts most attempts, fails some in every possible way; one that hangs does so until the service
 * dies.
 */
function fickle(seed: number, hangs: () => boolean, tookIt: (delivery: string) => void): Answer {
  return (response, received, socket) => {
    const roll = chance(received, seed)
    if (roll < 15) plain(500)(response, received, socket)
    else if (roll < 23) socket.resetAndDestroy()
    else if (roll < 28) response.writeHead(302, { location: '/' }).end()
    else if (roll < 33) socket.end('HTTP/1.1 200 O')
    else if (roll < 60 && hangs()) return
    else {
      tookIt(received.delivery)
      plain(roll % 2 === 0 ? 200 : 204)(response, received, socket)
    }
  }
}

async function stockedProduct(desk: DashboardClient, keys: number, round: number): Promise<string> {
  const dashboard = desk.dashboard()
  const { body: product } = await dashboard.createProduct({
    body: {
      name: `Game ${round}`,
      platform: 'Steam',
      region: 'Global',
      productType: 'game',
      deliveryType: 'key',
    },
  })
  const {
    body: { id },
  } = await dashboard.createSeller({ body: { name: 'Stock' } })
  const {
    body: { key },
  } = await dashboard.createSellerKey({ params: { id }, body: {} })
  const seller = desk.client(key)
  const {
    body: { offer },
  } = await seller.saveOffer({ body: { productId: product.id, price: cents(100) } })
  await seller.uploadKeys({
    params: { id: offer.id },
    body: { keys: Array.from({ length: keys }, (_, index) => `STORM-${round}-${index}`) },
  })
  return product.id
}

async function cause(
  desk: DashboardClient,
  shop: Shop,
  kind: Acknowledged['kind'],
  productId: string,
  externalId: string,
): Promise<Acknowledged> {
  const params = { id: shop.partnerId }
  if (kind === 'test') return { shop, kind, id: (await desk.fire(shop.partnerId)).deliveryId }
  if (kind === 'top-up') {
    const { body } = await desk
      .dashboard()
      .createTopUp({ params, body: { mode: 'live', amount: cents(500), reference: externalId } })
    return { shop, kind, id: body.reference }
  }
  const { body } = await desk.client(shop.key).createOrder({
    body: { externalId, items: [{ productId, qty: 1, maxUnitPrice: cents(1000) }] },
  })
  return { shop, kind, id: body.id }
}

const dataOf = (received: Received): Record<string, unknown> =>
  received.data as Record<string, unknown>

function isOf({ kind, id }: Acknowledged, received: Received): boolean {
  if (kind === 'test') return received.delivery === id
  return kind === 'order'
    ? received.event.startsWith('order.') && dataOf(received)['id'] === id
    : received.event === 'balance.credited' && dataOf(received)['reference'] === id
}

/**
 * Compares an account's deliveries with its receiver's record. `cut`: attempts that a kill may have
 * interrupted.
 */
function settle(
  { receiver }: Shop,
  deliveries: readonly Delivery[],
  took: ReadonlyMap<string, number>,
  storm: Storm,
): void {
  for (const { id, eventId, status, attempts = [] } of deliveries) {
    const own = receiver.received.filter(({ delivery }) => delivery === id)
    const unnoted = own.length - attempts.length
    storm.attempts += own.length
    storm.cut += unnoted
    if (unnoted < 0 || unnoted > storm.kills)
      storm.problems.push(`${id}: ${own.length} arrived, ${attempts.length} are recorded`)
    if (own.some((one) => one.eventId !== eventId))
      storm.problems.push(`${id} is listed with another event`)
    const times = took.get(id) ?? 0
    if (status === 'delivered' && times === 0)
      storm.problems.push(`${id} counts as delivered, but no receiver accepted it`)
    if (times > 1 + Math.max(unnoted, 0)) storm.twice += 1
    if (status !== 'delivered' && !(status === 'failed' && attempts.length === 12))
      storm.problems.push(`${id} finished as ${status} after ${attempts.length} attempts`)
  }
}

/**
 * One round: events, a SIGKILL during at least one attempt, a restart, more events, and the clock
 * moved until nothing waits.
 */
export async function runStormRound(
  desk: DashboardClient,
  receivers: Receivers,
  {
    round,
    seed,
    events,
    below,
  }: { round: number; seed: number; events: number; below: (limit: number) => number },
): Promise<Storm> {
  const storm: Storm = { lost: 0, twice: 0, problems: [], events: 0, attempts: 0, kills: 0, cut: 0 }
  const took = new Map<string, number>()
  let alive = true
  const answer = fickle(
    seed + round,
    () => alive,
    (delivery) => took.set(delivery, (took.get(delivery) ?? 0) + 1),
  )
  const productId = await stockedProduct(desk, events, round)
  const shops = await Promise.all(
    Array.from({ length: RECEIVERS }, async (_, index): Promise<Shop> => {
      const receiver = receivers.add(`storm-${round}-${index}`, answer)
      const partnerId = await desk.partner(receiver)
      await desk.dashboard().createTopUp({
        params: { id: partnerId },
        body: { mode: 'live', amount: cents(1_000_000) },
      })
      const {
        body: { key },
      } = await desk
        .dashboard()
        .createPartnerKey({ params: { id: partnerId }, body: { mode: 'live' } })
      return { partnerId, key, receiver }
    }),
  )
  const acknowledged: Acknowledged[] = []

  async function fire(from: number, to: number): Promise<void> {
    for (let event = from; event < to; event += 1) {
      const shop = shops[below(shops.length)] ?? shops[0]
      const kind = (['test', 'top-up', 'order'] as const)[below(3)] ?? 'test'
      if (shop === undefined) throw new Error('there is no shop')
      try {
        acknowledged.push(await cause(desk, shop, kind, productId, `storm-${round}-${event}`))
      } catch (error) {
        // Not acknowledged because the service was killed: it may or may not have happened.
        if (alive) throw error
      }
    }
  }

  const killAt = 1 + below(events - 1)
  await fire(0, killAt)
  const firing = fire(killAt, events)
  await until(
    'a running attempt',
    () => shops.some(({ receiver }) => receiver.open.now > 0) || acknowledged.length === events,
  )
  alive = false
  storm.kills += 1
  await Promise.all([desk.backend.kill(), firing])
  await desk.backend.start()
  alive = true
  await fire(events, events + Math.ceil(events / 4))
  alive = false
  await until('no hanging attempt', async () => {
    await desk.advance(1000)
    return shops.every(({ receiver }) => receiver.open.now === 0)
  })
  await desk.advance(ALL_ATTEMPTS_MS)

  for (const shop of shops) settle(shop, await desk.deliveries(shop.partnerId), took, storm)
  for (const event of acknowledged) {
    const told = new Set(
      event.shop.receiver.received
        .filter((received) => isOf(event, received))
        .map(({ eventId }) => eventId),
    )
    if (told.size === 0) storm.lost += 1
    if (told.size > 1) storm.twice += 1
  }
  storm.events = acknowledged.length
  return storm
}
