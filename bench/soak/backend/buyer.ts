/**
 * The actions of partners: order with and without waiting, repeat under the same key, be rejected,
 * download keys.
 */
import { cents } from '../../../server/api/money.ts'
import { requireKnown, type OrderBody } from './book.ts'
import { type Below, type MakeOperation, pick, repeatable } from './operation.ts'
import { unlessRefused } from './service.ts'
import { PARTNERS, undeliverable, type World } from './world.ts'

const HIGHEST = cents(10_000_000)
/** How many answered orders are stored to be repeated. */
const KEPT = 6

function bodyOf(world: World, below: Below, maxUnitPrice = HIGHEST): OrderBody {
  const { products } = world.book.accounts
  const failing = undeliverable(world.book.accounts)
  const chosen = new Set([pick(products.slice(0, -1), below) ?? failing])
  if (below(3) === 0) chosen.add(pick(products, below) ?? failing)
  if (below(8) === 0) chosen.add(failing)
  return {
    externalId: `soak-${world.serial()}`,
    items: [...chosen].map((productId) => ({ productId, qty: 1 + below(3), maxUnitPrice })),
  }
}

export const placeOrder: MakeOperation = (world, below) => {
  const { book } = world
  const partner = below(PARTNERS)
  const mode = below(6) === 0 ? ('test' as const) : ('live' as const)
  const wait = below(2) === 0 ? 5 : 0
  const body = bodyOf(world, below)
  const key = `order-${body.externalId}`
  return repeatable(`order ${body.externalId}`, async () => {
    const answer = await unlessRefused(
      world.service
        .partner(partner, mode)
        .createOrder({ query: { wait }, body }, { idempotencyKey: key }),
      ['OUT_OF_STOCK'],
    )
    if (answer === null) return
    const { id, total, externalId } = answer.body
    book.orders.set(externalId, { id, partner, mode, total })
    book.repeatable = [
      ...book.repeatable.slice(1 - KEPT),
      { partner, mode, key, body, answer: JSON.stringify(answer.body) },
    ]
  })
}

/** A stored rejection, returned for every repeat. */
export const placeTooDear: MakeOperation = (world, below) => {
  const partner = below(PARTNERS)
  const body = bodyOf(world, below, cents(1))
  return repeatable(`order ${body.externalId} at too low a price`, async () => {
    const answer = await unlessRefused(
      world.service
        .partner(partner, 'live')
        .createOrder({ body }, { idempotencyKey: `order-${body.externalId}` }),
      ['PRICE_CHANGED', 'OUT_OF_STOCK'],
    )
    if (answer !== null)
      world.findings.wrong(`order ${body.externalId} was accepted above its highest price`)
  })
}

/** Repeats an answered order: the same response, byte for byte. */
export const askAgain: MakeOperation = (world, below) => {
  const before = pick(world.book.repeatable, below)
  if (before === undefined) return null
  const { partner, mode, key, body, answer } = before
  return repeatable(`order ${body.externalId} again`, async () => {
    const again = JSON.stringify(
      (await world.service.partner(partner, mode).createOrder({ body }, { idempotencyKey: key }))
        .body,
    )
    if (again !== answer)
      world.findings.wrong(`order ${body.externalId} returned ${answer} and then ${again}`)
  })
}

/** Downloads an order's keys: downloaded keys must not change, a replacement may be added. */
export async function download(
  world: World,
  partner: number,
  mode: 'live' | 'test',
  orderId: string,
): Promise<void> {
  const { keys } = (
    await world.service.partner(partner, mode).getOrderKeys({ params: { id: orderId } })
  ).body
  const before = world.book.downloads.get(orderId)
  const now = new Map(keys.map(({ id, value }) => [id, value]))
  for (const [id, value] of before ?? [])
    if (now.get(id) !== value)
      world.findings.lost(`key ${id} of order ${orderId} differs from its first download`)
  if (now.size > 0) world.book.downloads.set(orderId, now)
}

export const downloadKeys: MakeOperation = (world, below) => {
  const placed = pick([...world.book.orders.values()].slice(-12), below)
  if (placed === undefined) return null
  return repeatable(`keys of ${placed.id}`, () =>
    download(world, placed.partner, placed.mode, placed.id),
  )
}

export const issueKey: MakeOperation = (world, below) => {
  const partner = below(PARTNERS)
  const { id } = requireKnown(new Map(world.book.accounts.partners.entries()), partner)
  const send = async (): Promise<void> => {
    const issued = await world.service.dashboard.createPartnerKey({
      params: { id },
      body: { mode: 'test' },
    })
    world.book.issued.push({ partner, id: issued.body.id })
  }
  // A key that no one has seen gives no access.
  return { about: `a key of partner ${partner}`, send, settle: async () => undefined }
}
