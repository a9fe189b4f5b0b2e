import { FirstRun, Shell } from '../../e2e/pages/shell.ts'
import { memoryOf } from './memory.ts'
import type { Memory } from './memory.ts'
import { until } from './shop.ts'
import type { Shop } from './shop.ts'

export type DaySizes = { sales: number; disputes: number; looks: number; steps: number }
export type HoursFigures = DaySizes & {
  /** After the first sixteenth of the work, which is half an hour of eight, and at the end. */
  early: Memory
  late: Memory
  corePercent: number
  pagePercent: number
}

const eightHours: DaySizes = { sales: 10_000, disputes: 500, looks: 200_000, steps: 96 }
/** Offers that one refresh of the price watch may name. */
const LOOKED_UP = 50
/** The most units of an order line. */
const UNITS = 9
const pageNames = ['Today', 'Offers', 'Sales', 'Disputes', 'Price watch', 'Activity'] as const

/** The work of eight hours, smaller by a factor. */
export const busyDay = (scale: number): DaySizes => ({
  sales: Math.round(eightHours.sales * scale),
  disputes: Math.round(eightHours.disputes * scale),
  looks: Math.round(eightHours.looks * scale),
  steps: Math.max(16, Math.round((eightHours.steps * scale) / 16) * 16),
})

type Position = { offerId: string; productId: string }

/** More than the orders of the day cost, in euros. */
const TOP_UP = 1_000_000

/** Lets the partner spend that much on one day. */
async function topUp({ service }: Shop): Promise<void> {
  const { results } = (await service.dashboard('GET', '/partners')) as { results: { id: string }[] }
  const partner = `/partners/${results[0]?.id ?? ''}`
  await service.dashboard('POST', `${partner}/top-ups`, { mode: 'live', amount: TOP_UP })
  await service.dashboard('PATCH', partner, { dailyLimit: null })
}

/** Buys units of the shop's products, one order after the other, and claims some of them. */
function createBuyer({ service, sellerKey, partnerKey }: Shop) {
  let number = 0
  const stock = async ({ offerId }: Position): Promise<void> => {
    await service.seller(sellerKey, 'POST', `/offers/${offerId}/keys`, {
      keys: Array.from({ length: UNITS }, (_, no) => `HOURS-${number}-${no}`),
    })
  }
  return async function buy(position: Position, qty: number, claims: number): Promise<void> {
    number += 1
    await stock(position)
    const order = (await service.partner(partnerKey, 'POST', '/orders?wait=10', {
      externalId: `hours-${number}`,
      items: [{ productId: position.productId, qty, maxUnitPrice: 200 }],
    })) as { id: string }
    if (claims === 0) return
    const { keys } = (await service.partner(partnerKey, 'GET', `/orders/${order.id}/keys`)) as {
      keys: { id: string }[]
    }
    for (const { id: keyId } of keys.slice(0, claims))
      await service.dashboard('POST', '/claims', {
        orderId: order.id,
        keyId,
        message: 'It says this code has already been used.',
      })
  }
}

/** Memory after garbage was collected in the page; the core collects its own. */
async function collected({ browser, page, core }: Shop): Promise<Memory> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.detach()
  return memoryOf(browser, core)
}

async function connectedShop({ page, rpc, service, sellerKey }: Shop) {
  await new FirstRun(page).connect(sellerKey, service.baseUrl, 'Day shop')
  const accountId = (await rpc.accounts.list())[0]?.id ?? ''
  await until(
    () => rpc.offers.list({ accountId }),
    ({ complete }) => complete,
  )
  const { rows } = await rpc.offers.list({ accountId, window: { offset: 0, limit: 100 } })
  const positions = rows
    .filter(({ status }) => status === 'active')
    .map(({ offerId, productId }): Position => ({ offerId, productId: productId ?? '' }))
  return { accountId, positions }
}

/**
 * Eight hours of a busy shop compressed into minutes: sales, disputes and looks at prices in steps,
 * while a person opens one page after the other.
 */
export async function measureHours(
  shop: Shop,
  log: (text: string) => void,
  sizes: DaySizes,
): Promise<HoursFigures> {
  const { page, rpc } = shop
  const shell = new Shell(page)
  const { accountId, positions } = await connectedShop(shop)
  await topUp(shop)
  const buy = createBuyer(shop)
  let [sold, claimed, looked] = [0, 0, 0]
  let early: Memory | null = null
  for (let step = 1; step <= sizes.steps; step += 1) {
    const share = step / sizes.steps
    while (sold < share * sizes.sales) {
      const qty = Math.min(UNITS, Math.ceil(share * sizes.sales) - sold)
      const claims = Math.min(qty, Math.max(0, Math.floor(share * sizes.disputes) - claimed))
      const position = positions[(sold * 7) % positions.length]
      if (position === undefined) throw new Error('the shop has no active offer')
      await buy(position, qty, claims)
      sold += qty
      claimed += claims
    }
    for (; looked < share * sizes.looks; looked += LOOKED_UP) {
      const from = looked % Math.max(1, positions.length - LOOKED_UP + 1)
      const offerIds = positions.slice(from, from + LOOKED_UP).map(({ offerId }) => offerId)
      await rpc.priceWatch.refresh({ accountId, offerIds })
    }
    await rpc.accounts.syncNow({ accountId })
    await shell.open(pageNames[step % pageNames.length] ?? 'Today')
    if (step === Math.floor(sizes.steps / 16)) early = await collected(shop)
  }
  const late = await collected(shop)
  early ??= late
  const percent = (from: number, to: number): number => Math.round((to / from - 1) * 100)
  log(`memory after half an hour ${JSON.stringify(early)}, after eight ${JSON.stringify(late)}`)
  return {
    ...sizes,
    early,
    late,
    corePercent: percent(early.core, late.core),
    pagePercent: percent(early.page, late.page),
  }
}
