import { createHmac } from 'node:crypto'

/**
 * The X-SVC-Signature of an attempt: `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 over `<t>.<body>`
 * with the complete `whsec_…` text in UTF-8 as the key (Partner API "Events", Decision 21). `at` is
 * the real time in milliseconds.
 */
export function webhookSignature(secret: string, body: string, at: number): string {
  const t = Math.floor(at / 1000)
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
}
