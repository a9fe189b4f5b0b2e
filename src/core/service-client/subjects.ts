import { endpointOf } from '../../../server/api/endpoints.ts'
import type { OperationId } from '../../../server/api/handlers.ts'

/** What a call was about, for sentences about its failure. */
export type Subject = {
  /** How the sentence begins: "Not ordered". */
  not: string
  /** What did not move; null where nothing could have. */
  effect: string | null
  /** What may have moved when the answer is lost. */
  lost: string | null
}

const reading: Subject = { not: 'Not loaded', effect: null, lost: null }
const writing: Subject = {
  not: 'Not saved',
  effect: 'Nothing was changed.',
  lost: 'We don’t know yet if it was changed.',
}

const subjects: Partial<Record<OperationId, Subject>> = {
  ping: { not: 'Not connected', effect: null, lost: null },
  getSeller: { not: 'Not connected', effect: null, lost: null },
  createOrder: {
    not: 'Not ordered',
    effect: 'Nothing was charged.',
    lost: 'We don’t know yet if the order was placed and charged.',
  },
  getOrderKeys: {
    not: 'Keys not downloaded',
    effect: 'Nothing was charged.',
    lost: 'The download may have been recorded as proof of delivery.',
  },
  createClaim: {
    not: 'Claim not filed',
    effect: 'No claim was made.',
    lost: 'We don’t know yet if the claim was filed.',
  },
  createTopUp: {
    not: 'Not topped up',
    effect: 'No money moved.',
    lost: 'We don’t know yet if the balance was topped up.',
  },
  saveOffer: {
    not: 'Offer not saved',
    effect: 'Nothing was changed.',
    lost: 'We don’t know yet if the offer was saved.',
  },
  changeOffer: {
    not: 'Offer not changed',
    effect: 'Nothing was changed.',
    lost: 'We don’t know yet if the offer was changed.',
  },
  deleteOffer: {
    not: 'Offer not deleted',
    effect: 'Nothing was changed.',
    lost: 'We don’t know yet if the offer was deleted.',
  },
  uploadKeys: {
    not: 'Keys not uploaded',
    effect: 'No key was added.',
    lost: 'We don’t know yet if the keys arrived.',
  },
  answerDispute: {
    not: 'Not sent',
    effect: 'The customer got no message.',
    lost: 'We don’t know yet if your answer arrived.',
  },
  replaceKey: {
    not: 'Not replaced',
    effect: 'No key was sent.',
    lost: 'We don’t know yet if a key was sent.',
  },
  refundDispute: {
    not: 'Not refunded',
    effect: 'No money moved.',
    lost: 'We don’t know yet if the customer was refunded.',
  },
  withdrawKeys: {
    not: 'Keys not withdrawn',
    effect: 'No key was taken.',
    lost: 'We don’t know yet if the keys were taken.',
  },
}

export const subjectOf = (operation: OperationId): Subject =>
  subjects[operation] ?? (endpointOf(operation).method === 'GET' ? reading : writing)

/**
 * Calls that move money, keys or stock, or say something to a customer: done twice they do harm. By
 * itself Keydesk repeats them only with an Idempotency-Key. Setting an offer's price or status
 * twice changes nothing the second time (Decision 34).
 */
export function movesSomething(operation: OperationId): boolean {
  return (
    endpointOf(operation).method !== 'GET' &&
    operation !== 'saveOffer' &&
    operation !== 'changeOffer'
  )
}
