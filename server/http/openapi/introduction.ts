/**
 * The document's introduction: what holds for every operation. Its sample of a verifier is run by a
 * test.
 */

export const introduction = `One service, two APIs. **Partners** read a catalogue with prices of their own, order from a prepaid balance and fetch what was delivered. **Sellers** offer
products, upload keys as stock, and follow sales, balance and disputes. Both speak JSON in UTF-8 over HTTP.

## Keys

Send the key as \`Authorization: Bearer …\`. Partners may send \`X-Api-Key\` instead; two different keys in one request are refused. Its beginning tells what it opens:

| beginning | opens |
| --- | --- |
| \`svc_live_\` | the Partner API with real money |
| \`svc_test_\` | the Partner API: the same catalogue and prices, a test balance, and units that begin with \`TEST-\` |
| \`svcs_\` | the Seller API |

A partner key has scopes, and its account may list the addresses it is used from. A seller key opens everything of its seller. Keys are shown once.

## Values

- **Money** is EUR with at most two decimals, without VAT. More decimals are refused, never rounded.
- **Times** are RFC 3339: any offset in, UTC with milliseconds and \`Z\` out.
- **Bad values** are refused, never clamped. Unknown query parameters are ignored. A request body may have 16 MiB.
- **Answers may grow** by fields and words within v1. Don't reject what you don't know. What is going to leave is announced six months ahead by the headers \`Deprecation\`
  and \`Sunset\`.
- Every answer carries its id in \`X-Request-Id\`. Tell it when you ask for help.

## Refusals

Each has a status and \`{"error": {"code", "message", "details"?, "requestId"}}\`. Codes keep their meaning; messages are for people. Of several reasons the first of these is
given: key, account, address, key rate, route, scope, rate of the operation, validation, idempotency, and then what the operation itself checks.

A 4xx is final, and nothing was charged or moved. Try again only after 429, any 5xx, a broken connection and IDEMPOTENCY_IN_PROGRESS: at growing distances, under the same
\`Idempotency-Key\`.

## Rates

| what | at most |
| --- | --- |
| requests of a key | 20 in any second and 600 in any minute |
| orders of an account | 120 in any minute |
| downloads of keys of an account | 300 in any minute |
| uploads of keys of a seller | 300 in any minute |

The windows slide: no burst lets a 21st request into any second. A refused request counts in no rate. RATE_LIMITED tells in \`details.retryAfterMs\` how long to wait, to the
millisecond; \`Retry-After\`, \`RateLimit\` and \`RateLimit-Policy\` say the same in seconds.

## Idempotency

Where \`Idempotency-Key\` is accepted, the same key with the same body gets the first answer again, byte for byte and for 24 hours, and does nothing twice. With another body:
IDEMPOTENCY_CONFLICT. While the first request is still at work: IDEMPOTENCY_IN_PROGRESS. Stored are successes and the refusals 402, 409 and 422; 400, 401, 403, 429 and 5xx
are not, so the same key may be used again after them. \`wait\` is not part of what is compared.

## Webhooks

Events are sent to the https address that is set in the dashboard. Answer 2xx within 8 seconds; redirects are not followed. A failed delivery is repeated after 10 s, 30 s, 1 min,
5 min, 15 min, 30 min, 1 h, 2 h, 4 h, 6 h and 12 h. Events may come twice and out of order: \`X-SVC-Delivery\` stays the same over all attempts of a delivery, the event's \`id\`
over everything. In doubt read the order.

\`X-SVC-Signature\` is \`t=<unix seconds>,v1=<hex>\`: the HMAC-SHA256 of \`<t>.<raw body>\` under the whole \`whsec_…\` secret. Check it over the bytes as they came, before
parsing, and refuse what is older than 300 seconds.

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether a delivery is genuine. \`rawBody\` is the body as it came, \`now\` the time in
 * milliseconds.
 */
export function isGenuine(rawBody, signature, secret, now = Date.now()) {
  const { t, v1 } = Object.fromEntries(signature.split(',').map((part) => part.split('=')))
  if (!(Math.abs(now / 1000 - Number(t)) <= 300)) return false
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest()
  const given = Buffer.from(v1 ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
\`\`\``
