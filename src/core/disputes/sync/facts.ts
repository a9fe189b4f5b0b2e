import type { ResponseBody } from '../../../../server/api/handlers.ts'
import { instantOf, sortKey } from '../../mirror/mirror.ts'
import { languageOf, reasonOf } from './reasons.ts'

export type ServiceDispute = NonNullable<ResponseBody<'listDisputes'>['results']>[number]
export type DisputeWithMessages = ResponseBody<'getDispute'>
export type ServiceMessage = DisputeWithMessages['messages'][number]

/** The fields of one dispute from a response, without the texts people wrote. */
export type DisputeFacts = {
  disputeId: string
  saleId: string | null
  offerId: string | null
  orderId: string | null
  keyId: string | null
  productId: string | null
  name: string
  nameKey: string
  status: string
  openedAt: number | null
  updatedAt: number | null
  escalatesAt: number | null
  resolutionType: string | null
  resolutionAt: number | null
  /** The reason detected in the customer's text; null if there is no text. */
  reasonKind: string | null
  language: string | null
  /** Text that a search matches besides ids. */
  text: string
}

const isWhole = (dispute: ServiceDispute | DisputeWithMessages): dispute is DisputeWithMessages =>
  'messages' in dispute
const firstWords = (dispute: ServiceDispute | DisputeWithMessages): string =>
  isWhole(dispute) ? (dispute.messages.find(({ author }) => author === 'customer')?.body ?? '') : ''

/**
 * A dispute of the Seller API: its status is always present, everything else may be missing
 * (Decision 33).
 */
export function disputeFacts(
  dispute: ServiceDispute | DisputeWithMessages,
  disputeId: string,
): DisputeFacts {
  const words = dispute.reason ?? firstWords(dispute)
  const name = dispute.name ?? dispute.productId ?? disputeId
  return {
    disputeId,
    name,
    nameKey: sortKey(name),
    saleId: dispute.saleId ?? null,
    offerId: dispute.offerId ?? null,
    orderId: dispute.orderId ?? null,
    keyId: dispute.keyId ?? null,
    productId: dispute.productId ?? null,
    status: dispute.status,
    openedAt: instantOf(dispute.openedAt),
    updatedAt: instantOf(dispute.updatedAt),
    escalatesAt: instantOf(dispute.escalatesAt),
    resolutionType: dispute.resolution?.type ?? null,
    resolutionAt: instantOf(dispute.resolution?.at),
    reasonKind: words === '' ? null : reasonOf(words),
    language: languageOf(words),
    text: `${sortKey(name)}\n${(dispute.offerId ?? '').toLowerCase()} ${(dispute.productId ?? '').toLowerCase()}`,
  }
}

/** A message's text in the form in which it is compared with the sent one: the service trims it. */
const bodyOf = (message: ServiceMessage): string => (message.body ?? '').trim()

/**
 * Whether a text is among the seller's messages after the first `before`. A message without an
 * author may be the seller's.
 */
export const isAmong = (
  messages: readonly ServiceMessage[],
  text: string,
  before: number,
): boolean =>
  messages
    .slice(before)
    .some((message) => (message.author ?? 'seller') === 'seller' && bodyOf(message) === text.trim())
