/**
 * Descriptions of the fields of the named schemas: by field name if the meaning is the same
 * everywhere, otherwise by schema and path.
 */

const everywhere: Readonly<Record<string, string>> = {
  mode: '`live` moves money and sells units, `test` does neither.',
  currency: 'Always EUR.',
  productId: 'Id of the product.',
  orderId: 'Id of the order.',
  offerId: 'Id of the offer.',
  saleId: 'Id of the sale.',
  keyId: 'Id of the delivered unit.',
  deliveryId: 'Id of the delivery, the `X-SVC-Delivery` of its attempts.',
  eventId: 'Id of the event.',
  externalId: 'Your own id for the order, unique per account across both modes.',
  platform: 'The platform where it is redeemed, such as Steam.',
  region: 'The region it is intended for: Global, Europe, RoW, or a country.',
  productType: 'The kind of product.',
  deliveryType:
    'The kind of delivery: a code to redeem, a gift link, account credentials or an activation link.',
  name: 'Name of the product.',
  createdAt: 'Time of creation.',
  page: 'Number of this page.',
  limit: 'Maximum number of results on a page.',
  total: 'Number of results on all pages.',
  totalPages: 'Number of pages.',
  hasMore: 'Whether there is a next page.',
  results: 'The results on this page.',
  commission: 'The commission added to your price.',
  class: 'Commission class: keys; accounts and gifts; or subscriptions.',
  percent: 'Percent of your price.',
  keySha256:
    "SHA-256 in hex of the unit's trimmed value as uploaded. It identifies which of your keys it was.",
  count: 'Number of units or results.',
  value: 'The label.',
  stock: 'Unsold and unreserved units.',
}

const offerPrice =
  'What you receive for a unit, in EUR: 0.01 to 100,000, with at most two decimals.'
const offerStatus = '`active` is for sale while it has stock; `paused` is not.'
const counted = 'by number of products, without removed ones.'
const event = {
  id: 'Id of the event, the same for all its deliveries.',
  createdAt: 'Time of the event.',
  event: 'Name of the event.',
} as const

/** Key: `Schema.path`; items of a list use the list's path. */
const special: Readonly<Record<string, string>> = {
  'ErrorBody.error': 'The reason for the refusal.',
  'ErrorBody.error.code': 'Stable. More codes can be added.',
  'ErrorBody.error.message': 'For people; can change.',
  'ErrorBody.error.details':
    'Details, by code. VALIDATION_ERROR: a list of `{field, message}`, one for each bad field.',
  'ErrorBody.error.requestId': 'Id of the request, as in `X-Request-Id`.',
  'Ping.ok': 'Always true.',
  'Ping.partnerId': 'Id of the account.',
  'Ping.scopes': 'Scopes of the key.',
  'Ping.ip': 'The address the request came from.',
  'Balance.balance': 'The amount you can spend, in EUR.',
  'Product.id': 'Id of the product.',
  'Product.price':
    'Your price of one unit in EUR, VAT excluded. It is checked again when you order. A line of ' +
    'several units costs the unit price of the most expensive offer that it reaches, which can be ' +
    'higher: see `priceTiers` of `GET /products/{id}`.',
  'ProductWithTiers.priceTiers':
    'Your unit price for 1 to 9 units at this moment: each entry applies from its `minQty` on. The ' +
    'list ends with the stock and is empty without stock. A change of it does not move `updatedAt`.',
  'ProductWithTiers.priceTiers.minQty': 'The number of units from which the price applies.',
  'ProductWithTiers.priceTiers.unitPrice': 'The price of each unit of such a line, in EUR.',
  'Product.inStock': "Whether it is available now. If not, don't sell it.",
  'Product.qty': 'Units available, capped at 99; null when unknown.',
  'Product.activation': 'Countries where it can be activated; null if only the region is known.',
  'Product.activation.excludedCountries':
    "ISO 3166-1 alpha-2 codes of the countries where it can't be activated.",
  'Product.activation.allowedCountryCount': 'Number of countries where it can be activated.',
  'Product.description': 'Description for a shop.',
  'Product.activationDetails':
    'Instructions in English for redeeming it, to be shown to the customer.',
  'Product.languages': 'Languages of the product.',
  'Product.genres': 'Genres.',
  'Product.developer': 'The developer.',
  'Product.publisher': 'The publisher.',
  'Product.releaseDate':
    'Release date. An order placed earlier stays in `processing` until this date.',
  'Product.ageRating': 'Age rating, such as PEGI 12.',
  'Product.coverImage': 'URL of the cover.',
  'Product.screenshots': 'URLs of screenshots.',
  'Product.systemRequirements': 'System requirements, by system.',
  'Product.systemRequirements.system': 'The system, such as Windows.',
  'Product.systemRequirements.requirement': 'The requirements on this system.',
  'Product.url': 'URL of its page in the shop.',
  'Product.updatedAt':
    'Time of the last change of price, visible stock, name, region, texts, images or `removed`.',
  'Product.removed': "Whether it left the catalogue. If so, don't sell it.",
  'ProductPage.page': 'Number of this page; null on cursor pages.',
  'ProductPage.total': 'Number of results on all pages; null on cursor pages.',
  'ProductPage.totalPages': 'Number of pages; null on cursor pages.',
  'ProductPage.nextCursor':
    'The cursor to continue from. The last page has one too: store it for the next sync.',
  'Meta.platforms': `Platforms ${counted}`,
  'Meta.regions': `Regions ${counted}`,
  'Meta.productTypes': `Product types ${counted}`,
  'Meta.deliveryTypes': `Delivery types ${counted}`,
  'OrderRequest.externalId':
    'Your own id for the order: up to 100 of `A-Z a-z 0-9 . _ : -`, unique per account across both modes.',
  'OrderRequest.items': 'The order lines: 1 to 10.',
  'OrderRequest.items.qty': 'Units: 1 to 9.',
  'OrderRequest.items.maxUnitPrice':
    'The highest acceptable price of one unit, in EUR: at least 0. Decimals beyond the cent are ' +
    'dropped, so 10.509 accepts 10.50. You are charged the current price.',
  'Order.id': 'Id of the order.',
  'Order.status': '`processing` is paid and not finished; the other values are final.',
  'Order.total': "The amount charged, in EUR. It doesn't change when units are credited back.",
  'Order.refunded':
    "The amount credited back for units that couldn't be delivered, in EUR. It doesn't include later claims.",
  'Order.completedAt': 'Time when the order became final; null before that.',
  'Order.failure': 'The reason for an incomplete delivery; null if everything was delivered.',
  'Order.failure.code': 'Whether nothing or only a part was delivered.',
  'Order.failure.message': 'For people.',
  'Order.items': 'The order lines.',
  'Order.firstDownloadedAt':
    'Proof of delivery: time when its keys were first downloaded; null before that.',
  'OrderLine.line': 'Number of the order line, from 1.',
  'OrderLine.qty': 'Units ordered.',
  'OrderLine.unitPrice': 'The price charged for one unit, in EUR: at most your `maxUnitPrice`.',
  'OrderLine.status': '`completed` if every unit of the line was delivered, otherwise `failed`.',
  'OrderLine.deliveredQty': 'Units delivered.',
  'Key.id': 'Id of the unit.',
  'Key.line': 'Number of the order line it belongs to.',
  'Key.contentType': 'What `value` is.',
  'Key.value': 'The code, link or credentials; base64 if `contentType` is an image type.',
  'Key.status': 'Always `delivered`.',
  'Key.deliveredAt': 'Time of delivery.',
  'OrderKeys.keys': 'Every unit delivered so far.',
  'QueuedTest.queued': 'Always true.',
  ...Object.fromEntries(
    ['OrderEvent', 'BalanceCreditedEvent', 'WebhookTestEvent'].flatMap((schema) =>
      Object.entries(event).map(([name, words]) => [`${schema}.${name}`, words]),
    ),
  ),
  'OrderEvent.data': 'The order at the time of the event.',
  'BalanceCreditedEvent.data': 'The top-up.',
  'BalanceCreditedEvent.data.amount': 'The amount added, in EUR.',
  'BalanceCreditedEvent.data.balance': 'The balance after it, in EUR.',
  'BalanceCreditedEvent.data.reference': 'The reference of the bank transfer.',
  'BalanceCreditedEvent.data.ledgerId': 'Id of the entry in the ledger.',
  'WebhookTestEvent.data': 'Data without meaning.',
  'WebhookTestEvent.data.message': 'For people.',
  'Seller.sellerId': 'Id of the shop.',
  'Seller.name': 'Name of the shop.',
  'Seller.status': 'Status of the account.',
  'Seller.commissions': 'The commission added to your prices, by class.',
  'Seller.idempotency':
    'Whether uploads, withdrawals, replacements, refunds and, in this version, messages accept an ' +
    '`Idempotency-Key`.',
  'SellerProduct.shopPrice': 'The lowest customer price now, in EUR; null without stock.',
  'SellerProduct.bestSellerPrice':
    'The lowest price of a seller with stock, in EUR, yours included; null if no seller has stock.',
  'Offer.id': 'Id of the offer; starts with `off_`.',
  'Offer.price': 'What you receive for a unit, in EUR.',
  'Offer.unavailable':
    'Present and true if the product left the catalogue and can no longer be bought, whatever its stock.',
  'Offer.customerPrice': "The customer's price, in EUR: your price plus the commission.",
  'Offer.status': offerStatus,
  'Offer.commission.amount': 'The commission on this price, in EUR.',
  'Offer.sold': 'Units sold so far.',
  'Offer.isCheapest':
    'Whether this offer would be sold first; false if it is paused or has no stock.',
  'Offer.lowestCustomerPrice':
    'The lowest customer price of the product now, in EUR; null without stock.',
  'Offer.updatedAt': 'Time of the last change.',
  'OfferRequest.price': offerPrice,
  'OfferRequest.status': `${offerStatus} If omitted, the status doesn't change; a new offer is active.`,
  'OfferChange.price': offerPrice,
  'OfferChange.status': offerStatus,
  'SavedOffer.created': 'Whether the offer is new.',
  'SavedOffer.offer': 'The saved offer.',
  'KeyUpload.keys': 'The units: 1 to 1,000.',
  'UploadResult.added': 'Number of units added to the stock.',
  'UploadResult.duplicates': 'Number of units skipped because their values were already used.',
  'Withdrawal.count': 'Number of units, oldest first. If omitted, all of them.',
  'WithdrawnKeys.count': 'Number of units withdrawn.',
  'WithdrawnKeys.keys': 'The units as plain text, oldest first.',
  'Sale.id': 'Id of the sale; starts with `sal_`.',
  'Sale.price': 'What you receive, in EUR.',
  'Sale.customerPrice': 'The price the customer paid, in EUR.',
  'Sale.status':
    '`pending` until the claim window closes, then `released`; `cancelled` after a refund.',
  'Sale.soldAt': 'Time when the unit was delivered.',
  'Sale.releaseAt':
    'Planned time of release if no dispute follows; null if it is unknown or the sale is no longer pending.',
  'Sale.releasedAt': 'Time of release; null before that.',
  'SellerBalance.pending': 'The total not released yet, in EUR.',
  'SellerBalance.available':
    'The total that can be paid out, in EUR. Negative after a refund of a released sale.',
  'SellerBalance.upcomingReleases': 'Upcoming releases by day, earliest first.',
  'SellerBalance.upcomingReleases.date': 'The day, in UTC.',
  'SellerBalance.upcomingReleases.amount': 'The total released on this day, in EUR.',
  'SellerBalance.upcomingReleases.sales': 'Number of sales in it.',
  'Dispute.id': 'Id of the dispute; starts with `dsp_`.',
  'Dispute.status':
    '`open` is with you or the customer, `escalated` is with support; `resolved` is final.',
  'Dispute.reason': "The customer's first message.",
  'Dispute.openedAt': 'Time of the claim.',
  'Dispute.updatedAt': 'Time of the last change.',
  'Dispute.escalatesAt': "Time of escalation unless you reply; null if it won't escalate.",
  'Dispute.resolution': 'The result; null before the dispute is resolved.',
  'Dispute.resolution.type': 'Resolved with a replacement, with a refund, or in your favor.',
  'Dispute.resolution.at': 'Time of resolution.',
  'DisputeWithMessages.messages': 'The messages, oldest first.',
  'Message.id': 'Id of the message.',
  'Message.author': 'The author.',
  'Message.body': 'The text.',
  'Message.attachments': 'Pictures attached to it.',
  'Message.attachments.contentType': 'Image type.',
  'Message.attachments.value': 'The picture in base64.',
  'MessageRequest.body': 'The text: 1 to 10,000 characters.',
  'ReplacementRequest.key': 'The unit to send; its value must be new.',
  'ReplacementRequest.fromStock': "Uses the oldest unit of the offer's stock.",
}

/** The description of a schema's field, by `Schema.path`; undefined if there is none. */
export function descriptionOf(path: string): string | undefined {
  const whole = path
    .replace(/^DisputeWithMessages\./, 'Dispute.')
    .replace(/^ProductWithTiers\./, 'Product.')
  return special[path] ?? special[whole] ?? everywhere[path.split('.').at(-1) ?? '']
}

/** Every described field, so that a test can find descriptions of fields that no longer exist. */
export const describedPlaces: readonly string[] = Object.keys(special)
