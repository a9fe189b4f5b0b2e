import { createHash } from 'node:crypto'
import { cents } from '../../api/money.ts'
import type { Context } from '../context.ts'
import { createDelivery } from '../delivery/delivery.ts'
import { demoSettings } from '../access/demo-keys.ts'
import { createCountingIds } from '../environment/ids.ts'
import { checkKey, fingerprint } from '../stock/key-rules.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { createOrders } from '../orders/orders.ts'
import type { SellerRecord } from '../ports/accounts.ts'
import type { Random } from '../ports/environment.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'
import type { OfferSeed, OrderSeed, SeedBuilder } from '../ports/seeding.ts'
import type { NewUnit } from '../ports/selling/stock.ts'
import { defaultCommission } from '../offers/pricing.ts'
import type { Supply } from '../catalogue/supply.ts'
import { createTopUps } from '../ledger/top-ups.ts'
import { defaultSpendingLimits } from '../limits/spending-limits.ts'
import { createSeedBatch, type SeedBatch } from './seed-batch.ts'
import { createSeedDisputes } from './seed-disputes.ts'

const DELIVERED_AFTER_MS = 400

/**
 * Bytes that are the same in every run. Used for the units of seeded test orders, never for
 * secrets.
 */
function createFixedRandom(progress: { drawn: number }): Random {
  return {
    bytes(count) {
      progress.drawn += 1
      return createHash('shake256', { outputLength: count })
        .update(`world ${progress.drawn}`)
        .digest()
    },
  }
}

/** How far a builder has come, for another one that continues with the same rows. */
export interface SeedProgress {
  readonly idCounts: Map<string, number>
  drawn: number
  readonly sellers: Map<string, SellerRecord>
  /** Products with offers that the last `settle` doesn't include; null before the first one. */
  unsettled: Set<string> | null
}

export const noProgress = (): SeedProgress => ({
  idCounts: new Map(),
  drawn: 0,
  sellers: new Map(),
  unsettled: null,
})

/** The progress as values of JSON. */
export const storedProgress = ({ idCounts, drawn, sellers, unsettled }: SeedProgress) => ({
  idCounts: [...idCounts],
  drawn,
  sellers: [...sellers],
  unsettled: unsettled === null ? null : [...unsettled],
})

export const readProgress = ({
  idCounts,
  drawn,
  sellers,
  unsettled,
}: ReturnType<typeof storedProgress>): SeedProgress => ({
  idCounts: new Map(idCounts),
  drawn,
  sellers: new Map(sellers),
  unsettled: unsettled === null ? null : new Set(unsettled),
})

/** Inserts the accounts of the initial data. */
function createSeedAccounts(
  { store, ids }: Context,
  sellers: Map<string, SellerRecord>,
): Pick<SeedBuilder, 'partner' | 'seller'> {
  return {
    partner({
      id = ids.next('ptr'),
      name,
      email = null,
      status = 'active',
      priceFactor = 1,
      createdAt,
      ...limits
    }) {
      const {
        perOrderLimit = defaultSpendingLimits.perOrder,
        dailyLimit = defaultSpendingLimits.daily,
      } = limits
      const record = {
        id,
        name,
        email,
        status,
        perOrderLimit,
        dailyLimit,
        ipAllowlist: [],
        priceFactor,
        createdAt,
      }
      store.accounts.insertPartner(record)
      return record
    },
    seller({ id = ids.next('sel'), name, status = 'active', commission = {}, createdAt }) {
      const record = {
        id,
        name,
        status,
        commission: { ...defaultCommission, ...commission },
        createdAt,
      }
      store.accounts.insertSeller(record)
      sellers.set(id, record)
      return record
    },
  }
}

/** Inserts the offers of the initial data with their keys. */
function createSeedOffers(
  { store, ids }: Context,
  terms: OfferTerms,
  progress: SeedProgress,
  batch: SeedBatch,
): SeedBuilder['offer'] {
  const unitOf = (key: string, offerNo: number, { productId, createdAt }: OfferSeed): NewUnit => {
    const checked = checkKey(key)
    if (!checked.ok) throw new Error(`a seeded key ${checked.problem}`)
    const { value, contentType } = checked
    return {
      offerNo,
      fingerprint: fingerprint(productId, value),
      contentType,
      value,
      uploadedAt: createdAt,
    }
  }

  return (seed) => {
    const { sellerId, productId, price, status = 'active', createdAt } = seed
    const { id = ids.next('off'), pricedAt = createdAt } = seed
    const known = batch.product(productId)
    if (known === undefined) batch.end()
    progress.unsettled?.add(productId)
    const seller = progress.sellers.get(sellerId)
    const product = known?.seed ?? store.catalogue.labels(productId)
    if (!seller || !product)
      throw new Error(`a seeded offer has no seller ${sellerId} or product ${productId}`)
    const offer = {
      id,
      sellerId,
      productId,
      price,
      status,
      stock: 0,
      reserved: 0,
      sold: 0,
      pricedAt,
      createdAt,
      customerPrice: terms.customerPrice(price, seller, product),
      sellable: terms.sellable(status, seller),
      updatedAt: pricedAt,
    }
    if (known === undefined) {
      const inserted = store.offers.insert(offer)
      const units = seed.keys.map((key) => unitOf(key, inserted.no, seed))
      const stock = units.filter((unit) => store.stock.add(unit)).length
      if (stock > 0) store.offers.move(inserted.no, { stock })
      return { ...inserted, stock }
    }
    const no = batch.nextOfferNo()
    const units = seed.keys
      .map((key) => unitOf(key, no, seed))
      .filter(({ value }) => !known.values.has(value) && known.values.add(value))
    const complete = { ...offer, no, stock: units.length }
    batch.add(known, complete, units)
    return complete
  }
}

/**
 * Builds the initial data by the service's own rules; see SeedBuilder.
 *
 * @param progress where the builder begins; it is updated
 */
export function createSeedBuilder(
  service: Context,
  ledger: Ledger,
  supply: Supply,
  terms: OfferTerms,
  progress: SeedProgress = noProgress(),
): SeedBuilder {
  const context: Context = {
    ...service,
    ids: createCountingIds(progress.idCounts),
    random: createFixedRandom(progress),
  }
  const { store, clock } = context
  const { sellers } = progress
  const batch = createSeedBatch(store)
  let unitsLeft = 0
  const supplier: Supplier = {
    down: () => false,
    failsUnit: () => {
      unitsLeft -= 1
      return unitsLeft < 0
    },
  }
  const history = createSeedDisputes(context, ledger, supply)
  const orders = createOrders(context, ledger, supply, supplier)
  const delivery = createDelivery(context, ledger, supply, supplier)
  const topUps = createTopUps(context, ledger, {
    credited: () => undefined,
    mailed: () => undefined,
  })

  function place({ partnerId, mode, externalId, items, at }: OrderSeed) {
    const highest = cents(Number.MAX_SAFE_INTEGER)
    const lines = items.map(({ productId, qty }) => ({ productId, qty, maxUnitPrice: highest }))
    return orders.accept(partnerId, mode, { externalId, items: lines }, at)
  }

  return {
    now: clock.now(),
    ...createSeedAccounts(context, sellers),
    products: batch.begin,
    offer: createSeedOffers(context, terms, progress, batch),
    *settle() {
      batch.end()
      store.bulk.settleSupply(
        progress.unsettled === null ? undefined : Array.from(progress.unsettled),
      )
      progress.unsettled = new Set()
      supply.reload()
      yield* store.bulk.createIndexes()
    },
    topUp(partnerId, mode, amount, at) {
      const partner = store.accounts.partner(partnerId)
      if (!partner) throw new Error(`a seeded top-up has no partner ${partnerId}`)
      topUps.credit(partner, mode, amount, undefined, at)
    },
    ...history,
    order(seed) {
      history.passTime(seed.at)
      const accepted = place(seed)
      const units = seed.items.reduce((sum, { qty }) => sum + qty, 0)
      unitsLeft = units - (seed.failUnits ?? 0)
      const order = delivery.deliver(
        accepted,
        seed.at + (seed.deliveredAfterMs ?? DELIVERED_AFTER_MS),
      )
      if (seed.firstDownloadedAt !== undefined)
        store.orders.markDownloaded(order.no, seed.firstDownloadedAt)
      return order
    },
    competitors(sellerIds) {
      for (const accountId of sellerIds)
        store.market.addActor({ kind: 'seller', accountId, newcomer: false })
    },
    demoAccounts(partnerId, sellerId) {
      store.settings.set(demoSettings.partner, partnerId)
      store.settings.set(demoSettings.seller, sellerId)
    },
  }
}
