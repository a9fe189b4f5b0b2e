/** How the service must present the model: the fields that the documents define. */
import { createHash } from 'node:crypto'
import type { Mode } from '../../../server/api/schemas/enums.ts'
import type { Dispute, Model, Offer, Order, Partner, Product, Sale, Seller } from './state.ts'
import { commissionClass, partnerPrice } from './state.ts'
import { lowest, suppliers, units } from './supply.ts'

export const euros = (cents: number): number => cents / 100
export const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))
const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex')

const failures = {
  partially_completed: { code: 'PARTIAL_DELIVERY' },
  failed: { code: 'DELIVERY_FAILED' },
  completed: null,
  processing: null,
}

export const orderView = (order: Order) => ({
  id: order.id,
  externalId: order.externalId,
  mode: order.mode,
  status: order.status,
  currency: 'EUR',
  total: euros(order.total),
  refunded: euros(order.refunded),
  createdAt: iso(order.createdAt),
  completedAt: isoOrNull(order.completedAt),
  failure: failures[order.status],
  firstDownloadedAt: isoOrNull(order.firstDownloadedAt),
  items: order.lines.map(({ product, qty, unitPrice, deliveredQty, status }, index) => ({
    line: index + 1,
    productId: product.id,
    deliveryType: product.deliveryType,
    qty,
    unitPrice: euros(unitPrice),
    deliveredQty,
    status,
  })),
})

/** The units that the partner can download: by line, then by time of delivery. */
export const keysView = (order: Order) => ({
  orderId: order.id,
  keys: order.lines.flatMap(({ product, delivered }, index) =>
    delivered.map(({ contentType, value, at }) => ({
      line: index + 1,
      productId: product.id,
      deliveryType: product.deliveryType,
      contentType,
      value,
      status: 'delivered',
      deliveredAt: iso(at),
    })),
  ),
})

export function productView(model: Model, partner: Partner, product: Product) {
  const count = units(model, product)
  return {
    id: product.id,
    price: euros(partnerPrice(product.lastPrice, partner)),
    currency: 'EUR',
    removed: product.removed,
    inStock: count > 0,
    qty: product.supplyUnknown ? null : Math.min(count, 99),
    productType: product.productType,
    deliveryType: product.deliveryType,
  }
}

export function offerView(model: Model, offer: Offer) {
  const { product, seller } = offer
  const group = commissionClass(product)
  const least = lowest(model, product)
  return {
    id: offer.id,
    productId: product.id,
    price: euros(offer.price),
    customerPrice: euros(offer.customerPrice),
    currency: 'EUR',
    status: offer.status,
    commission: {
      class: group,
      percent: seller.percent[group] / 100,
      amount: euros(offer.customerPrice - offer.price),
    },
    stock: offer.stock.length,
    sold: offer.sold,
    isCheapest: !product.removed && suppliers(model, product)[0] === offer,
    lowestCustomerPrice: least === null ? null : euros(least),
  }
}

export function sellerProductView(model: Model, seller: Seller, product: Product) {
  const least = lowest(model, product)
  const prices = suppliers(model, product).map(({ price }) => price)
  const group = commissionClass(product)
  return {
    productId: product.id,
    shopPrice: least === null ? null : euros(least),
    bestSellerPrice: prices.length === 0 ? null : euros(Math.min(...prices)),
    commission: { class: group, percent: seller.percent[group] / 100 },
  }
}

const undecided = (sale: Sale): boolean =>
  sale.dispute !== null && sale.dispute.status !== 'resolved'

export const saleView = (sale: Sale) => ({
  offerId: sale.offer.id,
  productId: sale.offer.product.id,
  orderId: sale.order.id,
  price: euros(sale.price),
  customerPrice: euros(sale.customerPrice),
  status: sale.status,
  soldAt: iso(sale.soldAt),
  releasedAt: isoOrNull(sale.releasedAt),
  keySha256: sha256(sale.unit.value),
  ...(sale.status === 'pending' && !undecided(sale) && { releaseAt: iso(sale.releaseAt) }),
})

/** Pending and available money. Days of release are included while no dispute holds one back. */
export function sellerBalanceView(model: Model, seller: Seller) {
  const own = model.sales.filter(({ offer }) => offer.seller === seller)
  const sum = (sales: Sale[]): number => sales.reduce((total, { price }) => total + price, 0)
  const pending = own.filter(({ status }) => status === 'pending')
  const days = Map.groupBy(pending, ({ releaseAt }) => iso(releaseAt).slice(0, 10))
  const upcomingReleases = [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, sales]) => ({ date, amount: euros(sum(sales)), sales: sales.length }))
  return {
    currency: 'EUR',
    pending: euros(sum(pending)),
    available: euros(sum(own.filter(({ status }) => status === 'released'))),
    ...(!pending.some(undecided) && { upcomingReleases }),
  }
}

export const disputeView = (dispute: Dispute) => ({
  id: dispute.id,
  offerId: dispute.sale.offer.id,
  orderId: dispute.sale.order.id,
  keyId: dispute.keyId,
  productId: dispute.sale.offer.product.id,
  status: dispute.status,
  reason: dispute.reason,
  openedAt: iso(dispute.openedAt),
  escalatesAt: isoOrNull(dispute.escalatesAt),
  keySha256: sha256(dispute.unit.value),
  resolution:
    dispute.resolution === null
      ? null
      : { type: dispute.resolution.type, at: iso(dispute.resolution.at) },
})

export const messagesView = ({ messages }: Dispute) =>
  messages.map(({ author, body, at, attachments }) => ({
    author,
    body,
    createdAt: iso(at),
    attachments: Array.from({ length: attachments }, () => ({ contentType: 'image/png' })),
  }))

export const ledgerView = (partner: Partner, mode: Mode) =>
  partner.movements[mode].toReversed().map(({ type, amount, balanceAfter, orderId, at }) => ({
    type,
    amount: euros(amount),
    balanceAfter: euros(balanceAfter),
    orderId,
    createdAt: iso(at),
  }))
