import { createCaller } from '../../../../server/api/client/client.ts'
import type { Caller } from '../../../../server/api/client/client.ts'
import { type Cents, cents } from '../../../../server/api/money.ts'
import { commissionClasses, productTypes } from '../../../../server/api/schemas/enums.ts'
import type { ProductType } from '../../../../server/api/schemas/enums.ts'
import type { BackendReady } from '../../../platform/backends/backend-process.ts'
import { createTransport } from '../../service-client/service-client.ts'
import { createRecordedRival } from './record.ts'
import type { RecordedBest } from './record.ts'

/** An offer as copied into a simulation. */
export type CopiedOffer = {
  offerId: string
  name: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  priceCents: Cents
  stock: number
  costCents: Cents | null
  ownFloorCents: Cents | null
  ownCeilingCents: Cents | null
  commission: { class: string; percent: number } | null
  /** The recorded best prices of others, if the simulation starts with recorded data. */
  best?: readonly RecordedBest[]
}
export type MarketSize = { seed: string; intensity: number; sellers: number; customers: number }

export type SimulationWorld = {
  seller: Caller<AbortSignal>
  /** The copied offer of each offer of the private service, by its id there. */
  originals: ReadonlyMap<string, CopiedOffer>
  now(): Promise<number>
  /** Sets the recorded rival's prices for this time after the start. */
  play(passedMs: number): Promise<void>
  /** Advances the service's clock and processes everything due by then. Returns the new time. */
  advance(ms: number): Promise<number>
}

const MOST_KEYS = 1000
const isProductType = (word: string): word is ProductType =>
  (productTypes as readonly string[]).includes(word)
const isClass = (word: string): word is (typeof commissionClasses)[number] =>
  (commissionClasses as readonly string[]).includes(word)

async function createProduct(
  dashboard: Caller<AbortSignal>,
  { name, platform, region, productType, deliveryType }: CopiedOffer,
  signal: AbortSignal,
): Promise<string> {
  const { body } = await dashboard(
    'createProduct',
    {
      body: {
        name,
        platform: platform || 'Other',
        region: region || 'Global',
        productType: isProductType(productType) ? productType : 'game',
        deliveryType: deliveryType === 'gift' || deliveryType === 'account' ? deliveryType : 'key',
      },
    },
    { signal },
  )
  return body.id
}

/** Creates the offer with invented keys, which contain its place among the copies. */
async function createOffer(
  seller: Caller<AbortSignal>,
  productId: string,
  { priceCents, stock }: CopiedOffer,
  place: number,
  signal: AbortSignal,
): Promise<string> {
  const {
    body: { offer },
  } = await seller(
    'saveOffer',
    { body: { productId, price: cents(priceCents), status: 'active' } },
    { signal },
  )
  const keys = Array.from(
    { length: Math.min(MOST_KEYS, stock) },
    (_, index) => `SIMULATED-${place}-${index}`,
  )
  if (keys.length > 0)
    await seller('uploadKeys', { params: { id: offer.id }, body: { keys } }, { signal })
  return offer.id
}

/**
 * Fills an empty private service with copies of the offers and invented keys, and starts its
 * market.
 */
export async function openWorld(
  ready: BackendReady,
  copies: readonly CopiedOffer[],
  market: MarketSize,
  signal: AbortSignal,
): Promise<SimulationWorld> {
  const send = createTransport(undefined, { kept: true })
  const dashboard = createCaller<AbortSignal>({
    baseUrl: ready.baseUrl,
    dashboardUrl: ready.dashboardUrl,
    key: ready.dashboardToken,
    send,
  })
  const commission = Object.fromEntries(
    copies.flatMap(({ commission: of }) =>
      of !== null && isClass(of.class) ? [[of.class, of.percent]] : [],
    ),
  )
  const { body: shop } = await dashboard(
    'createSeller',
    { body: { name: 'Simulation', commission } },
    { signal },
  )
  const {
    body: { key },
  } = await dashboard('createSellerKey', { params: { id: shop.id } }, { signal })
  const sellerWith = (of: string): Caller<AbortSignal> =>
    createCaller<AbortSignal>({ baseUrl: ready.baseUrl, key: of, send })
  const seller = sellerWith(key)
  const products: { productId: string; best: readonly RecordedBest[] }[] = []
  const originals = new Map<string, CopiedOffer>()
  for (const [place, copy] of copies.entries()) {
    const productId = await createProduct(dashboard, copy, signal)
    const offerId = await createOffer(seller, productId, copy, place, signal)
    originals.set(offerId, copy)
    products.push({ productId, best: copy.best ?? [] })
  }
  const rival = await createRecordedRival(dashboard, sellerWith, products, signal)
  await rival.play(0)
  await dashboard('startMarket', { body: market }, { signal })
  const instant = (text: unknown): number => Date.parse(String(text))
  return {
    seller,
    originals,
    play: rival.play,
    now: async () => instant((await dashboard('getClock', {}, { signal })).body.now),
    advance: async (ms) =>
      instant((await dashboard('advanceClock', { body: { ms } }, { signal })).body.now),
  }
}
