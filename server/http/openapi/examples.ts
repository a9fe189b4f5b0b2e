/** The document's examples of both APIs together. */
import type { AnswerExamples, Examples, PublicOperation } from './example.ts'
import { partnerAnswers, partnerRequests } from './examples-partner.ts'
import { sellerAnswers, sellerRequests } from './examples-seller.ts'

/** Examples of requests, for every operation with a body. */
export const requests: Readonly<Partial<Record<PublicOperation, Examples>>> = {
  ...partnerRequests,
  ...sellerRequests,
}

/** Examples of responses, for every status with a body. */
export const answers: Readonly<Record<PublicOperation, AnswerExamples>> = {
  ...partnerAnswers,
  ...sellerAnswers,
}

/** One valid body for each operation that accepts one. */
export const requestExamples: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(requests).map(([id, examples]) => [id, Object.values(examples)[0]?.value]),
)
