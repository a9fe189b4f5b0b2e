/**
 * Descriptions of the Seller API's operations, written for its callers. Rates and idempotency are
 * added from the endpoint table.
 */
import type { sellerEndpoints } from '../../../api/endpoints/endpoints-seller.ts'

export const sellerDescriptions: Readonly<Record<keyof typeof sellerEndpoints, string>> = {
  getSeller: `Your shop and the commission added to your prices, by class. \`idempotency: true\`
means that uploads, withdrawals, replacements, refunds and messages accept an \`Idempotency-Key\`.`,
  listSellerProducts: `The products you can sell. \`shopPrice\` is the lowest customer price at this
moment, null without stock. \`bestSellerPrice\` is the lowest price of a seller with stock, yours
included. \`search\` finds a part of the name in any case, or an exact product id.`,
  listOffers: `Your offers, newest first, each with its stock, its customer price and whether it
would be sold first.`,
  saveOffer: `Creates your offer for a product, or updates it: you have one offer per product.
\`price\` is what you receive for a unit; with commission added it becomes \`customerPrice\`.
Without \`status\`, an offer keeps its status and a new one is active. Returns 201 for a new offer,
otherwise 200. For an unknown or removed product, this returns PRODUCT_UNAVAILABLE.`,
  getOffer: `One of your offers, with its stock, its customer price and whether it would be sold
first. For another seller's offer, this returns NOT_FOUND.`,
  changeOffer: `Changes price, status, or both. A paused offer keeps its stock and isn't sold. Offers
with equal customer prices are sold in the order in which those prices were set.`,
  deleteOffer: `The result depends on the offer:

- With sales: the offer is paused instead, keeps its stock, and is returned with 200.
- With stock but no sales: 409 OFFER_HAS_STOCK. Withdraw the stock first.
- With neither: the offer is deleted, 204.`,
  uploadKeys: `Adds 1 to 1,000 units to the offer's stock. Values are trimmed; each has 1 to 4,096
characters and no control characters. If one value is invalid, the complete request is refused, and
VALIDATION_ERROR names its position, never the value.

A value that was already used for the same product (in this request, in stock, sold, or sent as a
replacement, by any seller) is skipped and counted in \`duplicates\`. A withdrawn value can be
uploaded again. A picture is \`data:image/png;base64,…\` (PNG, JPEG or GIF, up to 512 KiB).

Send an \`Idempotency-Key\`: a repeated upload then returns the first response instead of counting
its own keys as duplicates.`,
  withdrawKeys: `Withdraws unsold units, oldest first, and returns them as plain text. Without
\`count\`, it withdraws all of them. For a \`count\` above the stock, this returns
INSUFFICIENT_STOCK, and nothing is withdrawn.

Send an \`Idempotency-Key\`: without one, a lost response is a lost list of keys.`,
  listSales: `Your sales, newest first. A sale is \`pending\` until its claim window closes, 7 days
after delivery, or until a dispute about it is resolved; then it is \`released\`. \`keySha256\`, the
SHA-256 of the trimmed value, identifies the key that was sold without showing it.`,
  getSellerBalance: `\`pending\` is the total of sales not released yet; \`available\` can be
paid out. \`upcomingReleases\` lists by day the amounts that move from one to the other. A refund of
a released sale can make \`available\` negative.`,
  listDisputes: `Customer claims on your sales, newest first. An unanswered dispute escalates to
support at \`escalatesAt\`, 72 hours after the customer's last message.`,
  getDispute: `One dispute with its messages, oldest first. The customer's pictures are base64 in
\`attachments\`. For another seller's dispute, this returns NOT_FOUND.`,
  answerDispute: `Sends a message to the customer and stops the 72 hours until escalation. For a
resolved dispute, this returns DISPUTE_RESOLVED. Send an \`Idempotency-Key\`: a repeated message then
returns the first response instead of writing to the customer twice.`,
  replaceKey: `Resolves the dispute with another unit: exactly one of \`key\`, which must be new,
and \`fromStock: true\`, the oldest unit of the same offer. The customer gets it as an additional
unit of the order, and you keep the sale. For a value that was already used, this returns
DUPLICATE_KEY; for an offer without stock, INSUFFICIENT_STOCK.`,
  refundDispute: `Resolves the dispute with money: the customer gets the unit price back and the sale
is cancelled. You can't undo a refund. The request has no body.`,
}
