/**
 * Descriptions of the Partner API's operations, written for its callers. Scope, rates and
 * idempotency are added from the endpoint table.
 */
import type { partnerEndpoints } from '../../../api/endpoints/endpoints-partner.ts'

export const partnerDescriptions: Readonly<Record<keyof typeof partnerEndpoints, string>> = {
  ping: `Returns the key's account, its scopes and the address the request came from. This is the
quickest way to check a key.`,
  getBalance: `The prepaid balance of the key's mode: a \`svc_test_\` key sees the test balance, a
\`svc_live_\` key the live one. Orders are paid from it; top-ups and undelivered units are added
to it.`,
  listProducts: `The catalogue with your own prices, ordered by \`updatedAt\`, then by id.

**To keep a copy**, read once without a cursor. Then pass each response's \`nextCursor\` as
\`cursor\` while \`hasMore\` is true, and store the last one. Continue from it every 5 to 15
minutes. Always send \`includeRemoved=true\`, or you won't see which products left the catalogue.
Reading by cursor neither skips nor repeats a product, even while the catalogue changes. On cursor
pages \`page\`, \`total\` and \`totalPages\` are null.

**To browse**, use \`page\`, \`limit\` and the filters.

A cursor belongs to the filters it was issued with (\`limit\` and \`includeRemoved\` can change).
Combining it with \`page\` or \`updatedSince\` returns VALIDATION_ERROR. Don't sell a product that
is \`removed\` or not \`inStock\`. The price is checked again when you order.`,
  getProduct: `One product with your own price. For a product that left the catalogue, this returns
NOT_FOUND; the list shows it with \`includeRemoved=true\`.

\`price\` is the price of one unit. \`priceTiers\` has the unit prices for 1 to 9 units, because a
line of several units can reach more expensive offers. Lists don't have this field.`,
  getMeta: `Every platform, region, product type and delivery type of the catalogue, each with its
number of products. Removed products aren't counted.`,
  createOrder: `Buys units and pays for them from the balance. An accepted order is paid
immediately, has the status \`processing\`, and is delivered automatically, usually within half a
second.

1. Each order line is priced at this moment. If one line is above its \`maxUnitPrice\`, the
   complete order is refused: PRICE_CHANGED. Use \`details.currentPrice\`: it is the unit price for
   the quantity you asked for, and can be above the product's \`price\`, which is for one unit. If
   the price is lower, you are charged the lower price.
2. Without \`wait\`, the response comes immediately; a webhook or \`GET /orders/{id}\` reports the
   result. With \`wait=N\`, the response comes when the order is final or after N seconds,
   whichever is first. Disconnecting while waiting doesn't affect the order.
3. Units that can't be delivered are credited back automatically and counted in \`refunded\`.
   \`total\` stays the amount that was charged.
4. An unreleased product stays \`processing\` until its release date. It is credited back if it
   can't be delivered within a day of that date.

**Never order twice.** Send an \`Idempotency-Key\`. If you don't receive the response, repeat the
request with the same key: you get the first response again, byte for byte. An \`externalId\` can
be used once per account; DUPLICATE_EXTERNAL_ID names the order that has it. An order in
\`processing\` is paid and must not be placed again.

**Order of checks**: key, account, address, key rate, scope, order rate, VALIDATION_ERROR,
Idempotency-Key, DUPLICATE_EXTERNAL_ID, SERVICE_UNAVAILABLE, PRODUCT_UNAVAILABLE, OUT_OF_STOCK,
PRICE_CHANGED, ORDER_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED, INSUFFICIENT_BALANCE. Each check covers
all order lines before the next check; the lowest failing line is reported. A refused order isn't
stored and costs nothing.`,
  listOrders: `Orders of the key's mode, newest first, filtered by status, by your own
\`externalId\`, or by time: \`createdFrom\` is inclusive, \`createdTo\` is exclusive.`,
  getOrder: `The current state of one order. For an order of another account or of the other mode,
this returns NOT_FOUND. Use it when a webhook is late or came twice.`,
  getOrderKeys: `Every unit delivered so far, by order line, then by time. \`value\` is the code, the
link or the account's credentials; it is base64 if \`contentType\` is an image type. A replacement
after a claim is one more unit of the same order line.

The first response that contains a unit is recorded permanently as proof of delivery:
\`firstDownloadedAt\` of the order.`,
  testWebhook: `Sends a \`webhook.test\` event to the endpoint set in the dashboard, signed like
every other event. Without an endpoint, this returns VALIDATION_ERROR. The request has no body.`,
}
