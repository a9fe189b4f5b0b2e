/**
 * Durable orders, from POST /orders to delivery, compared with the same two transactions in SQLite
 * alone.
 */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { cents } from '../../server/api/money.ts'
import type { BareJob, BareResult } from './bare-orders.ts'
import type { OrderJob, OrderResult } from './order-load.ts'
import { startProgram } from './processes.ts'
import { type Service, startService } from './service.ts'

export type OrderSizes = {
  readonly orders: number
  readonly products: number
  readonly partners: number
  readonly atRate: { readonly perSecond: number; readonly orders: number }
}

type Log = (text: string) => void
type Shop = { readonly keys: string[]; readonly products: string[] }

const beside = (name: string): string => path.join(import.meta.dirname, name)
/**
 * Enough stock of each product that the quantity shown to a partner never changes: `qty` is capped
 * at 99.
 */
const KEYS_A_REQUEST = 1000

/**
 * Partners with money and without limits, and a seller with keys of every product: more than all
 * runs use together.
 */
async function openShop(
  { dashboard, client }: Service,
  { products, partners }: OrderSizes,
  wanted: number,
): Promise<Shop> {
  const seller = await dashboard.createSeller({ body: { name: 'Harbour Keys' } })
  const {
    body: { key: sellerKey },
  } = await dashboard.createSellerKey({ params: { id: seller.body.id }, body: {} })
  const keys: string[] = []
  for (let index = 0; index < partners; index += 1) {
    const {
      body: { id },
    } = await dashboard.createPartner({
      body: { name: `Partner ${index}`, perOrderLimit: null, dailyLimit: null },
    })
    await dashboard.createTopUp({
      params: { id },
      body: { mode: 'live', amount: cents(100_000_000) },
    })
    keys.push(
      (await dashboard.createPartnerKey({ params: { id }, body: { mode: 'live' } })).body.key,
    )
  }
  const own = client(sellerKey)
  const ids: string[] = []
  for (let index = 0; index < products; index += 1) {
    const {
      body: { id },
    } = await dashboard.createProduct({
      body: {
        name: `Product ${index}`,
        platform: 'Steam',
        region: 'Global',
        productType: 'game',
        deliveryType: 'key',
      },
    })
    const {
      body: { offer },
    } = await own.saveOffer({ body: { productId: id, price: cents(90) } })
    for (let no = 0; no * KEYS_A_REQUEST < wanted / products + 200; no += 1) {
      await own.uploadKeys({
        params: { id: offer.id },
        body: {
          keys: Array.from({ length: KEYS_A_REQUEST }, (_, key) => `BENCH-${index}-${no}-${key}`),
        },
      })
    }
    ids.push(id)
  }
  return { keys, products: ids }
}

const ratio = (value: number | null, whole: number | null): number | null =>
  value === null || whole === null || value === 0 ? null : Math.round((value / whole) * 100) / 100

/** Measures durable orders; `folder` is for its files. */
export async function benchOrders(folder: string, sizes: OrderSizes, log: Log) {
  const { orders, atRate } = sizes
  const data = path.join(folder, 'orders')
  const first = await startService(data, '--seed', 'empty', '--no-limits')
  const shop = await openShop(first, sizes, orders * 2 + atRate.orders + 100)
  await first.running.stop()

  async function bare(group: number): Promise<BareResult> {
    const copy = path.join(folder, `bare-${group}`)
    cpSync(data, copy, { recursive: true })
    const run = await startProgram([beside('bare-orders.ts')], {
      folder: copy,
      orders,
      group,
      name: `bare${group}`,
      products: shop.products,
    } satisfies BareJob)
    const result = run.ready as BareResult
    log(
      'plain SQLite, ' +
        `${group === 1 ? 'one transaction per order' : `${group} orders per transaction`}: ` +
        `${result.perSecond.toLocaleString('en')} orders/s, ${result.cpuMsAnOrder ?? '?'} ms ` +
        'of CPU time each',
    )
    return result
  }
  const alone = await bare(1)
  const shared = await bare(16)

  const service = await startService(data, '--no-limits')
  async function place(name: string, count: number, pace: OrderJob['pace']): Promise<OrderResult> {
    const {
      port,
      running: { pid },
    } = service
    const run = await startProgram([beside('order-load.ts')], {
      port,
      pid,
      orders: count,
      name,
      ...shop,
      pace,
    } satisfies OrderJob)
    return run.ready as OrderResult
  }
  await place('warm', 100, { connections: 16 })
  async function compared(connections: number) {
    const result = await place(`c${connections}`, orders, { connections })
    const compare = {
      ofBareAlone: ratio(result.perSecond, alone.perSecond),
      ofBareShared: ratio(result.perSecond, shared.perSecond),
      ofBareAloneCpu: ratio(alone.cpuMsAnOrder, result.cpuMsAnOrder),
      ofBareSharedCpu: ratio(shared.cpuMsAnOrder, result.cpuMsAnOrder),
    }
    log(
      `POST /orders to delivery, ${connections} connections: ` +
        `${result.perSecond.toLocaleString('en')} orders/s, ${compare.ofBareAlone ?? '?'} of ` +
        `plain single, ${compare.ofBareShared ?? '?'} of plain grouped (by CPU time ` +
        `${compare.ofBareAloneCpu ?? '?'} and ${compare.ofBareSharedCpu ?? '?'}: ` +
        `${result.cpuMsAnOrder ?? '?'} ms each), p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ` +
        'ms',
    )
    return { ...result, ...compare }
  }
  const at16 = await compared(16)
  const at64 = await compared(64)
  const offered = await place('rate', atRate.orders, { perSecond: atRate.perSecond })
  log(
    `POST /orders to delivery, ${atRate.perSecond} sent per second: p50 ${offered.p50Ms} ` +
      `ms, p99 ${offered.p99Ms} ms, worst ${offered.worstMs} ms after the scheduled time`,
  )
  const {
    body: { ok },
  } = await service.dashboard.verifyLedger({})
  await service.running.stop()
  if (!ok) throw new Error('the ledger does not verify after the orders')
  return {
    bareAlone: alone,
    bareShared16: shared,
    connections16: at16,
    connections64: at64,
    [`offered${atRate.perSecond}`]: offered,
  }
}
