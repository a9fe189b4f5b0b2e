import { rateLimits } from '../../../api/limits.ts'

const { second, minute, orders, downloads, uploads } = rateLimits

/**
 * The document's introduction: rules for all operations. A test runs its sample verifier.
 */

export const introduction = `One service, two APIs. **Partners** read a catalogue with their own
prices, order from a prepaid balance and fetch the delivered units. **Sellers** offer products,
upload keys as stock, and track sales, balance and disputes. Both APIs use JSON in UTF-8 over HTTP.

## Keys

Send the key as \`Authorization: Bearer …\`. Partners can send \`X-Api-Key\` instead. A request with
two different keys is refused. The prefix decides which API the key opens:

| prefix | opens |
| --- | --- |
| \`svc_live_\` | the Partner API with real money |
| \`svc_test_\` | the Partner API: same catalogue and prices, test balance, \`TEST-\` units |
| \`svcs_\` | the Seller API |

A partner key has scopes, and its account can restrict the addresses it is used from. A seller key
has full access to its seller's data. Keys are shown once.

## Values

- **Money** is EUR with at most two decimals, without VAT. More decimals are refused, never rounded, except for
  the bound \`maxUnitPrice\`.
- **Times** are RFC 3339. Requests can use any offset; responses use UTC with milliseconds and \`Z\`.
- **Bad values** are refused, never clamped. Unknown query parameters are ignored. A request body
  can have up to 16 MiB.
- **Responses can gain** fields and values within v1. Don't reject unknown ones. Removals are
  announced six months ahead by the headers \`Deprecation\` and \`Sunset\`.
- Every response has its id in \`X-Request-Id\`. Include it when you ask for help.

## Refusals

Each has a status and \`{"error": {"code", "message", "details"?, "requestId"}}\`. Codes keep their
meaning; messages are for people. If several reasons apply, the first of these is returned: key,
account, address, key rate, route, scope, rate of the operation, validation, idempotency, and then
the checks of the operation itself.

A 4xx is final, and nothing was charged or moved. Retry only after 429, any 5xx, a broken connection
and IDEMPOTENCY_IN_PROGRESS, with exponential backoff and the same \`Idempotency-Key\`.

## Rates

| requests | limit |
| --- | --- |
| requests of a key | ${second.max} in any second and ${minute.max} in any minute |
| orders of an account | ${orders.max} in any minute |
| downloads of keys of an account | ${downloads.max} in any minute |
| uploads of keys of a seller | ${uploads.max} in any minute |

The windows slide: no burst gets ${second.max + 1} requests into any second. Refused requests don't count. A
RATE_LIMITED response has the exact wait in \`details.retryAfterMs\`, in milliseconds;
\`Retry-After\`, \`RateLimit\` and \`RateLimit-Policy\` have it in seconds.

## Idempotency

If an endpoint accepts \`Idempotency-Key\`, the same key with the same body returns the first
response again, byte for byte and for 24 hours, and does nothing twice. With a different body, it
returns IDEMPOTENCY_CONFLICT. While the first request is still being processed, it returns
IDEMPOTENCY_IN_PROGRESS. Successes and the refusals 402, 409 and 422 are stored; 400, 401, 403, 429
and 5xx aren't, so you can use the same key again after them. \`wait\` isn't part of the comparison.

A repeated response has the header \`Idempotent-Replayed: true\`. Its body, including
\`error.requestId\`, is the first one; its \`X-Request-Id\` is its own.

## Webhooks

Events are sent to the https address set in the dashboard. Respond with 2xx within 8 seconds;
redirects aren't followed. A failed delivery is retried after 10 s, 30 s, 1 min, 5 min, 15 min,
30 min, 1 h, 2 h, 4 h, 6 h and 12 h.

### Verify

\`X-SVC-Signature\` is \`t=<unix seconds>,v1=<hex>\`: the HMAC-SHA256 of \`<t>.<raw body>\` with the
complete \`whsec_…\` secret as the key. \`t\` is the real time of sending. Check the signature over
the raw bytes before parsing, and refuse a \`t\` that is more than 300 seconds from your own clock, in
either direction.

\`\`\`js verify
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether a delivery is genuine. \`rawBody\` is the body as received, \`now\` the time in
 * milliseconds.
 */
export function isGenuine(rawBody, signature, secret, now = Date.now()) {
  const { t, v1 } = Object.fromEntries(signature.split(',').map((part) => part.split('=')))
  if (!(Math.abs(now / 1000 - Number(t)) <= 300)) return false
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest()
  const given = Buffer.from(v1 ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
\`\`\`

### Handle twice, act once

Events can arrive twice and out of order. \`X-SVC-Delivery\` stays the same for all attempts of a
delivery, including a manual resend, so ignore a delivery whose id you have stored. That alone isn't
enough: treat the state of the order as the truth, and read it with \`GET /orders/{id}\`. Store the
delivery and what follows from it in one atomic write. If you stop halfway, nothing is stored and the
next attempt does all of it; if the same order is reported again, nothing happens twice:

\`\`\`js handle
/**
 * Handles a verified delivery. \`db\` is an SQLite database, \`readOrder\` is GET /orders/{id}.
 * Respond with 2xx when it returns, and with 500 when it throws.
 */
export async function handle(db, deliveryId, event, readOrder) {
  const order = event.event.startsWith('order.') ? await readOrder(event.data.id) : null
  db.transaction(() => {
    const once = 'ON CONFLICT DO NOTHING'
    const stored = db.prepare(\`INSERT INTO deliveries (id) VALUES (?) \${once}\`).run(deliveryId)
    if (stored.changes === 0 || order === null) return
    db.prepare(\`INSERT INTO shipments (order_id) VALUES (?) \${once}\`).run(order.id)
  })()
}
\`\`\`

\`deliveries.id\` and \`shipments.order_id\` are primary keys. Send to your customer what
\`shipments\` contains and isn't sent yet.`
