import { productLine } from '../../contract/product-variant.ts'

/** The data for a claim's letter. */
export type LetterFacts = {
  orderId: string
  externalId: string
  line: number
  name: string
  platform: string
  region: string
  deliveryType: string
  keyId: string
  deliveredAt: number
  masked: string
  message: string
  hasScreenshot: boolean
}

/** The initial text of a claim; the person completes it. */
export const initialMessage = (name: string): string =>
  `The key for ${name} does not work. On activation the customer sees: `

/**
 * A claim in the form that the service's support needs (Partner API, "What the service does"):
 * order id, unit and screenshot. Never the key itself.
 */
export function letterOf({
  orderId,
  externalId,
  line,
  keyId,
  deliveredAt,
  masked,
  message,
  hasScreenshot,
  ...product
}: LetterFacts): string {
  return [
    `Claim: a delivered key does not work (order ${orderId})`,
    '',
    `Order: ${orderId}`,
    `Our reference: ${externalId}`,
    `Product: ${productLine(product)}`,
    `Line: ${line}`,
    `Key id: ${keyId}`,
    `Key: ${masked}`,
    `Delivered: ${new Date(deliveredAt).toISOString()}`,
    '',
    message.trim(),
    '',
    hasScreenshot
      ? 'The screenshot of the activation error is attached.'
      : 'A screenshot of the activation error follows.',
    'Please replace the key or credit its price.',
  ].join('\n')
}
