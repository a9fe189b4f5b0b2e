/**
 * The closed lists of values from both documents and the decisions: one place for schemas, storage
 * and screens.
 */

export const modes = ['live', 'test'] as const
export type Mode = (typeof modes)[number]

export const productTypes = [
  'game',
  'dlc',
  'software',
  'gift-card',
  'subscription',
  'game-point',
] as const
export type ProductType = (typeof productTypes)[number]

export const deliveryTypes = ['key', 'gift', 'account', 'link'] as const
export type DeliveryType = (typeof deliveryTypes)[number]

export const contentTypes = ['text/plain', 'image/png', 'image/jpeg', 'image/gif'] as const
export type ContentType = (typeof contentTypes)[number]

export const orderStatuses = ['processing', 'completed', 'partially_completed', 'failed'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const lineStatuses = ['processing', 'completed', 'failed'] as const
export type LineStatus = (typeof lineStatuses)[number]

export const failureCodes = ['DELIVERY_FAILED', 'PARTIAL_DELIVERY'] as const
export type FailureCode = (typeof failureCodes)[number]

export const scopes = ['catalog:read', 'orders:write', 'orders:read', 'balance:read'] as const
export type Scope = (typeof scopes)[number]

/** Status of a partner or seller account. Only an `active` account can call its API. */
export const accountStatuses = ['active', 'pending', 'suspended', 'rejected'] as const
export type AccountStatus = (typeof accountStatuses)[number]

export const commissionClasses = ['keys', 'accounts_and_gifts', 'special_subscriptions'] as const
export type CommissionClass = (typeof commissionClasses)[number]

export const offerStatuses = ['active', 'paused'] as const
export type OfferStatus = (typeof offerStatuses)[number]

export const saleStatuses = ['pending', 'released', 'cancelled'] as const

export const disputeStatuses = ['open', 'escalated', 'resolved'] as const

export const resolutionTypes = ['replaced', 'refunded', 'rejected'] as const

export const messageAuthors = ['customer', 'seller', 'support'] as const

export const webhookEvents = [
  'order.completed',
  'order.partially_completed',
  'order.failed',
  'balance.credited',
  'webhook.test',
] as const

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** The causes of changes to a partner's balance (dashboard ledger). */
export const ledgerEntryTypes = [
  'top_up',
  'order_debit',
  'order_refund',
  'claim_credit',
  'reset',
] as const
export type LedgerEntryType = (typeof ledgerEntryTypes)[number]

/** Every amount of both APIs is in EUR. */
export const CURRENCY = 'EUR'
