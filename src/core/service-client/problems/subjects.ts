import { endpointOf } from '../../../../server/api/endpoints/endpoints.ts'
import type { OperationId } from '../../../../server/api/handlers.ts'
import type { CallKind } from '../../certainty/certainty.ts'

/** The text for one kind of call, used in the messages about its failure. */
export type Subject = {
  /** The start of the sentence: "Not ordered". */
  not: string
  /** Says that nothing moved; null where nothing could have. */
  effect: string | null
  /** Says what may have moved when the response is lost. */
  lost: string | null
  /**
   * What to do when it wasn't sent, where a person has to start it again. Other calls are repeated
   * automatically.
   */
  again?: string
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
    again: 'order again. Keydesk never orders later without you.',
  },
  getOrderKeys: {
    not: 'Keys not downloaded',
    effect: 'Nothing was charged.',
    lost: 'The download may have been recorded as proof of delivery.',
    again: 'download the keys again.',
  },
  createClaim: {
    not: 'Claim not filed',
    effect: 'No claim was made.',
    lost: 'We don’t know yet if the claim was filed.',
    again: 'file the claim again.',
  },
  createTopUp: {
    not: 'Not topped up',
    effect: 'No money moved.',
    lost: 'We don’t know yet if the balance was topped up.',
    again: 'top up again.',
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
    again: 'delete the offer again.',
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
    again: 'replace the key again.',
  },
  refundDispute: {
    not: 'Not refunded',
    effect: 'No money moved.',
    lost: 'We don’t know yet if the customer was refunded.',
    again: 'refund again.',
  },
  withdrawKeys: {
    not: 'Keys not withdrawn',
    effect: 'No key was withdrawn.',
    lost: 'We don’t know yet if the keys were withdrawn.',
    again: 'withdraw the keys again.',
  },
}

export const subjectOf = (operation: OperationId): Subject =>
  subjects[operation] ?? (endpointOf(operation).method === 'GET' ? reading : writing)

/** What to do when a call couldn't be sent. */
export function offlineNext(operation: OperationId): string {
  const { again } = subjectOf(operation)
  return again === undefined
    ? 'Check your connection. Keydesk retries automatically.'
    : `Check your connection, then ${again}`
}

/** Whether a failed call can have changed something on the service. */
export const callKind = (operation: OperationId): CallKind =>
  endpointOf(operation).method === 'GET' ? 'read' : 'change'

/**
 * Whether executing the call twice does harm: it moves money, keys or stock, or writes to a
 * customer. Keydesk repeats such a call automatically only with an Idempotency-Key. Setting an
 * offer's price or status twice changes nothing the second time (Decision 34).
 */
export function movesSomething(operation: OperationId): boolean {
  return (
    callKind(operation) === 'change' && operation !== 'saveOffer' && operation !== 'changeOffer'
  )
}
