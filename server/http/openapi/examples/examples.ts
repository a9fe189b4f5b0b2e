/** The document's examples of both APIs together. */
import type { ResponseExamples, Examples, PublicOperation } from './example.ts'
import { partnerResponses, partnerRequests } from './examples-partner.ts'
import { sellerResponses, sellerRequests } from './examples-seller.ts'

/** Examples of requests, for every operation with a body. */
export const requests: Readonly<Partial<Record<PublicOperation, Examples>>> = {
  ...partnerRequests,
  ...sellerRequests,
}

/** Examples of responses, for every status with a body. */
export const responses: Readonly<Record<PublicOperation, ResponseExamples>> = {
  ...partnerResponses,
  ...sellerResponses,
}

/** One valid body for each operation that accepts one. */
export const requestExamples: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(requests).map(([id, examples]) => [id, Object.values(examples)[0]?.value]),
)
