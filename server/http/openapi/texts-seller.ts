/**
 * What each operation of the Seller API does, in the words of who calls it. Rates and idempotency
 * are added from the endpoint table.
 */
import type { sellerEndpoints } from '../../api/endpoints-seller.ts'

export const sellerTexts: Readonly<Record<keyof typeof sellerEndpoints, string>> = {
  getSeller:
    'Your shop and the commission that comes on top of your prices, by class. `idempotency: true` says that uploads, withdrawals, replacements and refunds take an `Idempotency-Key`.',
  listSellerProducts: `The catalogue as you can sell in it. \`shopPrice\` is the lowest customer price at this moment, null without stock; \`bestSellerPrice\` is the lowest price that a
seller with stock asks, yours included. \`search\` finds a part of the name in any case, or an exact product id.`,
  listOffers:
    'Your offers, newest first, each with its stock, what the customer pays and whether it would be sold first.',
  saveOffer: `Creates your offer for a product, or updates the one that is there: you have one offer per product. \`price\` is what you receive for a unit; commission comes
on top and makes \`customerPrice\`. Without \`status\` an offer keeps the one it has, and a new one is active. 201 when it was created, else 200. An unknown or removed
product is PRODUCT_UNAVAILABLE.`,
  getOffer:
    "One of your offers, with its stock, what the customer pays and whether it would be sold first. Somebody else's is NOT_FOUND.",
  changeOffer:
    'Changes price, status, or both. A paused offer keeps its stock and is not sold. Equal customer prices are sold in the order in which they were set.',
  deleteOffer: `What happens depends on what the offer has:

- sales: it is paused instead, its stock is kept, and the answer is 200 with the offer;
- stock but no sales: 409 OFFER_HAS_STOCK, withdraw the stock first;
- neither: it is gone, 204.`,
  uploadKeys: `Adds 1 to 1,000 units to the offer's stock. Values are trimmed; each has 1 to 4,096 characters and no control characters. One bad value refuses the whole request,
and VALIDATION_ERROR names its place, never the value.

A value that was seen before for the same product (in this request, in stock, sold, or sent as a replacement, by any seller) is skipped and counted in
\`duplicates\`. A withdrawn one may come back. A picture is \`data:image/png;base64,…\` (PNG, JPEG or GIF, up to 512 KiB).

Send an \`Idempotency-Key\`: a repeated upload then answers as the first did instead of counting its own keys as duplicates.`,
  withdrawKeys: `Takes unsold units back, oldest first, and gives them as plain text. Without \`count\`: all of them. More than there are: INSUFFICIENT_STOCK, and nothing is taken.

Send an \`Idempotency-Key\`: a lost answer is otherwise a lost list of keys.`,
  listSales: `Your sales, newest first. A sale is \`pending\` until its claim window is over, 7 days after delivery, or until a dispute on it is settled; then it is \`released\`.
\`keySha256\` tells which of your keys was sold, without showing it: the SHA-256 of the trimmed value.`,
  getSellerBalance:
    '`pending` waits for the end of claim windows, `available` can be paid out; `upcomingReleases` tells by day what moves from one to the other. A refund of a released sale can make `available` negative.',
  listDisputes:
    "Claims of customers on your sales, newest first. Unanswered ones escalate to support at `escalatesAt`, 72 hours after the customer's last message.",
  getDispute:
    "One dispute with its messages, oldest first. Pictures of the customer are base64 in `attachments`. Somebody else's is NOT_FOUND.",
  answerDispute:
    'Says something to the customer, and thereby stops the 72 hours until escalation. A resolved dispute takes no more messages: DISPUTE_RESOLVED.',
  replaceKey: `Settles the dispute by another unit: exactly one of \`key\`, which must be new, and \`fromStock: true\`, the oldest unit of the same offer. The customer gets it as one
more unit of the order, and the sale stays yours. DUPLICATE_KEY for a value seen before, INSUFFICIENT_STOCK for an empty offer.`,
  refundDispute:
    "Settles the dispute with money: the customer gets the unit price back and the sale is cancelled. It can't be undone. The request has no body.",
}
