/**
 * What each operation of the Partner API does, in the words of who calls it. Scope, rates and
 * idempotency are added from the endpoint table.
 */
import type { partnerEndpoints } from '../../api/endpoints-partner.ts'

export const partnerTexts: Readonly<Record<keyof typeof partnerEndpoints, string>> = {
  ping: 'Tells whose key this is, what it may do and from which address the request came. The quickest way to find out that a key works.',
  getBalance:
    "The prepaid balance of the key's mode: a `svc_test_` key sees the test balance, a `svc_live_` key the live one. Orders take from it, top-ups and undelivered units add to it.",
  listProducts: `The catalogue with your own prices, ordered by \`updatedAt\`, then by id.

**To keep a copy**, read once without cursor, then pass \`nextCursor\` of each answer as \`cursor\` while \`hasMore\` is true, and store the last one. Go on from
it every 5 to 15 minutes, always with \`includeRemoved=true\`, or you never hear of what has left. Following cursors neither skips nor repeats a product, also
while the catalogue changes. On cursor pages \`page\`, \`total\` and \`totalPages\` are null.

**To look around**, use \`page\`, \`limit\` and the filters.

A cursor belongs to the filters it was issued with (\`limit\` and \`includeRemoved\` may change) and can't be combined with \`page\` or \`updatedSince\`:
VALIDATION_ERROR. What is \`removed\` or not \`inStock\` must not be sold. The price is looked at anew when an order comes.`,
  getProduct:
    'One product with your own price. A product that left the catalogue is NOT_FOUND here; the list shows it with `includeRemoved=true`.',
  getMeta:
    'Every platform, region, product type and delivery type of the catalogue, each with the number of its products. Removed products are not counted.',
  createOrder: `Buys units and pays for them from the balance. An accepted order is paid at once, \`processing\`, and delivered by itself, usually within half a second.

1. Each line is priced at this moment. One line above its \`maxUnitPrice\` refuses the whole order: PRICE_CHANGED, with \`currentPrice\`. A lower price is what
   you are charged.
2. Without \`wait\` the answer comes at once, and how the order ended is told by a webhook or by \`GET /orders/{id}\`. With \`wait=N\` the answer comes when the
   order is final or N seconds are over, whichever is first. Hanging up while waiting changes nothing.
3. Units that can't be delivered are credited back by themselves and counted in \`refunded\`. \`total\` stays what was charged.
4. A product that isn't out yet stays \`processing\` until its release date, and is credited back when it can't be delivered within a day of it.

**Never order twice.** Send an \`Idempotency-Key\` and repeat a request whose answer got lost under the same key: you get the first answer again, byte for byte.
An \`externalId\` can be used once per account; DUPLICATE_EXTERNAL_ID names the order that has it. An order in \`processing\` is paid and must not be placed anew.

**Order of checks**: key, account, address, key rate, scope, order rate, VALIDATION_ERROR, Idempotency-Key, DUPLICATE_EXTERNAL_ID, SERVICE_UNAVAILABLE,
PRODUCT_UNAVAILABLE, OUT_OF_STOCK, PRICE_CHANGED, ORDER_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE. Each check looks at all lines before the
next one; the lowest line is reported. A refused order leaves nothing behind and costs nothing.`,
  listOrders:
    "Orders of the key's mode, newest first, by status, by your own `externalId`, or by time: `createdFrom` is included, `createdTo` is not.",
  getOrder:
    "One order as it stands now. Another account's order, or one of the other mode, is NOT_FOUND. Ask here when a webhook is late or came twice.",
  getOrderKeys: `Every unit delivered so far, by line, then by time. \`value\` is the code, the link or the account's credentials; it is base64 where \`contentType\` is a picture.
A replacement after a claim is one more unit of the same line.

The first answer that carries a unit is recorded for ever as proof of delivery: \`firstDownloadedAt\` of the order.`,
  testWebhook:
    'Sends a `webhook.test` event to the endpoint that is set in the dashboard, signed like every other. Without an endpoint: VALIDATION_ERROR. The request has no body.',
}
