/**
 * What the fields of the named schemas mean: by name where that is the same everywhere, else by
 * schema and path.
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
  externalId: 'Your own name of the order, once per account over both modes.',
  platform: 'Where it is redeemed, such as Steam.',
  region: 'Where it is meant for: Global, Europe, RoW, or a country.',
  productType: 'The kind of product.',
  deliveryType:
    'What is delivered: a code to redeem, a gift link, account credentials or an activation link.',
  name: 'Name of the product.',
  createdAt: 'When it was made.',
  page: 'Number of this page.',
  limit: 'How many results a page has.',
  total: 'How many there are on all pages.',
  totalPages: 'How many pages there are.',
  hasMore: 'Whether there is a next page.',
  results: 'This page.',
  commission: 'What comes on top of your price.',
  class: 'Keys; accounts and gifts; or subscriptions.',
  percent: 'Percent of your price.',
  keySha256:
    "SHA-256 in hex of the unit's trimmed value as it was uploaded: tells which of your keys it was.",
  count: 'How many.',
  value: 'The label.',
  stock: 'Unsold and unreserved units.',
}

const offerPrice = 'What you receive for a unit, in EUR: 0.01 to 100,000.'
const offerStatus = '`active` is for sale while it has stock; `paused` is not.'
const counted = 'by the number of products, removed ones left out.'
const event = {
  id: 'Id of the event, the same over all deliveries of it.',
  createdAt: 'When it happened.',
  event: 'Name of the event.',
} as const

/** `Schema.path`; items of a list stand for the list's path. */
const special: Readonly<Record<string, string>> = {
  'ErrorBody.error': 'Why the request was refused.',
  'ErrorBody.error.code': 'Stable; more codes may come.',
  'ErrorBody.error.message': 'For people; may change.',
  'ErrorBody.error.details':
    'More about it, by code. VALIDATION_ERROR: a list of `{field, message}`, one for each bad field.',
  'ErrorBody.error.requestId': 'Id of the request, as in `X-Request-Id`.',
  'Ping.ok': 'Always true.',
  'Ping.partnerId': 'Id of the account.',
  'Ping.scopes': 'What the key may do.',
  'Ping.ip': 'The address the request came from.',
  'Balance.balance': 'What may still be spent, in EUR.',
  'Product.id': 'Id of the product.',
  'Product.price':
    'Your price of a unit in EUR, VAT excluded. It is looked at anew when you order.',
  'Product.inStock': 'Whether it can be had now. If not, it must not be sold.',
  'Product.qty': 'Units available, capped at 99; null when unknown.',
  'Product.activation': 'Where it can be activated; null when only the region is known.',
  'Product.activation.excludedCountries':
    'ISO 3166-1 alpha-2 codes of the countries where it can not be activated.',
  'Product.activation.allowedCountryCount': 'In how many countries it can be activated.',
  'Product.description': 'Text for a shop.',
  'Product.activationDetails': 'How to redeem it, in English, to be shown to the customer.',
  'Product.languages': 'Languages of the product.',
  'Product.genres': 'Genres.',
  'Product.developer': 'Who made it.',
  'Product.publisher': 'Who published it.',
  'Product.releaseDate': 'Day of release. An order of a later one waits for it.',
  'Product.ageRating': 'Age rating, such as PEGI 12.',
  'Product.coverImage': 'Address of the cover.',
  'Product.screenshots': 'Addresses of screenshots.',
  'Product.systemRequirements': 'What it needs, by system.',
  'Product.systemRequirements.system': 'The system, such as Windows.',
  'Product.systemRequirements.requirement': 'What it needs there.',
  'Product.url': 'Its page in the shop.',
  'Product.updatedAt':
    'When price, visible stock, name, region, texts, images or `removed` changed last.',
  'Product.removed': 'Whether it left the catalogue. If so, it must not be sold.',
  'ProductPage.page': 'Number of this page; null on cursor pages.',
  'ProductPage.total': 'How many there are; null on cursor pages.',
  'ProductPage.totalPages': 'How many pages there are; null on cursor pages.',
  'ProductPage.nextCursor':
    'Where to go on. Also there on the last page: keep it for the next time.',
  'Meta.platforms': `Platforms ${counted}`,
  'Meta.regions': `Regions ${counted}`,
  'Meta.productTypes': `Product types ${counted}`,
  'Meta.deliveryTypes': `Delivery types ${counted}`,
  'OrderRequest.externalId':
    'Your own name of the order: up to 100 of `A-Z a-z 0-9 . _ : -`, once per account over both modes.',
  'OrderRequest.items': 'The lines: 1 to 10.',
  'OrderRequest.items.qty': 'Units: 1 to 9.',
  'OrderRequest.items.maxUnitPrice':
    'The most that one unit may cost, in EUR. You are charged what it costs.',
  'Order.id': 'Id of the order.',
  'Order.status': '`processing` is paid and on its way; the others are final.',
  'Order.total': 'What was charged, in EUR. It stays when units are credited back.',
  'Order.refunded':
    'Credited back for units that could not be delivered, in EUR. Later claims are not in it.',
  'Order.completedAt': 'When it became final; null before.',
  'Order.failure': 'Why not everything was delivered; null when it was.',
  'Order.failure.code': 'Nothing was delivered, or only a part.',
  'Order.failure.message': 'For people.',
  'Order.items': 'The lines.',
  'Order.firstDownloadedAt': 'Proof of delivery: when its keys were first fetched; null before.',
  'OrderLine.line': 'Number of the line, from 1.',
  'OrderLine.qty': 'Units ordered.',
  'OrderLine.unitPrice': 'What one unit was charged at, in EUR: at most your `maxUnitPrice`.',
  'OrderLine.status': '`completed` only when every unit of it was delivered, else `failed`.',
  'OrderLine.deliveredQty': 'Units delivered.',
  'Key.id': 'Id of the unit.',
  'Key.line': "The order's line it belongs to.",
  'Key.contentType': 'What `value` is.',
  'Key.value': 'The code, link or credentials; base64 where `contentType` is a picture.',
  'Key.status': 'Always `delivered`.',
  'Key.deliveredAt': 'When it was delivered.',
  'OrderKeys.keys': 'Every unit delivered so far.',
  'QueuedTest.queued': 'Always true.',
  ...Object.fromEntries(
    ['OrderEvent', 'BalanceCreditedEvent', 'WebhookTestEvent'].flatMap((schema) =>
      Object.entries(event).map(([name, words]) => [`${schema}.${name}`, words]),
    ),
  ),
  'OrderEvent.data': 'The order as it was at that moment.',
  'BalanceCreditedEvent.data': 'The top-up.',
  'BalanceCreditedEvent.data.amount': 'What was added, in EUR.',
  'BalanceCreditedEvent.data.balance': 'The balance after it, in EUR.',
  'BalanceCreditedEvent.data.reference': 'The reference of the bank transfer.',
  'BalanceCreditedEvent.data.ledgerId': 'Id of the entry in the ledger.',
  'WebhookTestEvent.data': 'Nothing that matters.',
  'WebhookTestEvent.data.message': 'For people.',
  'Seller.sellerId': 'Id of the shop.',
  'Seller.name': 'Name of the shop.',
  'Seller.status': 'State of the account.',
  'Seller.commissions': 'What comes on top of your prices, by class.',
  'Seller.idempotency':
    'Whether uploads, withdrawals, replacements and refunds take an `Idempotency-Key`.',
  'SellerProduct.shopPrice': 'The lowest customer price now, in EUR; null without stock.',
  'SellerProduct.bestSellerPrice':
    'The lowest price of a seller with stock, in EUR, yours included; null without any.',
  'Offer.id': 'Id of the offer; begins with `off_`.',
  'Offer.price': 'What you receive for a unit, in EUR.',
  'Offer.customerPrice': 'What the customer pays, in EUR: your price and the commission.',
  'Offer.status': offerStatus,
  'Offer.commission.amount': 'The commission on this price, in EUR.',
  'Offer.sold': 'Units sold so far.',
  'Offer.isCheapest': 'Whether this offer would be sold first; false when paused or empty.',
  'Offer.lowestCustomerPrice':
    'The lowest customer price of the product now, in EUR; null without stock.',
  'Offer.updatedAt': 'When it changed last.',
  'OfferRequest.price': offerPrice,
  'OfferRequest.status': `${offerStatus} Left out: as it is, a new one active.`,
  'OfferChange.price': offerPrice,
  'OfferChange.status': offerStatus,
  'SavedOffer.created': 'Whether the offer is new.',
  'SavedOffer.offer': 'The offer as it is now.',
  'KeyUpload.keys': 'The units: 1 to 1,000.',
  'UploadResult.added': 'How many went into stock.',
  'UploadResult.duplicates': 'How many were skipped because they were seen before.',
  'Withdrawal.count': 'How many, oldest first. Left out: all.',
  'WithdrawnKeys.count': 'How many were taken back.',
  'WithdrawnKeys.keys': 'The units as plain text, oldest first.',
  'Sale.id': 'Id of the sale; begins with `sal_`.',
  'Sale.price': 'What you receive, in EUR.',
  'Sale.customerPrice': 'What the customer paid, in EUR.',
  'Sale.status':
    '`pending` until the claim window is over, then `released`; `cancelled` after a refund.',
  'Sale.soldAt': 'When the unit was delivered.',
  'Sale.releaseAt':
    'When the money is released, if nothing comes between; null when that is open or done with.',
  'Sale.releasedAt': 'When it was released; null before.',
  'SellerBalance.pending': 'What waits for its release, in EUR.',
  'SellerBalance.available':
    'What can be paid out, in EUR. Negative after a refund of a released sale.',
  'SellerBalance.upcomingReleases': 'What is released when, by day, the next first.',
  'SellerBalance.upcomingReleases.date': 'The day, in UTC.',
  'SellerBalance.upcomingReleases.amount': 'What is released on it, in EUR.',
  'SellerBalance.upcomingReleases.sales': 'Of how many sales.',
  'Dispute.id': 'Id of the dispute; begins with `dsp_`.',
  'Dispute.status':
    '`open` waits for you or the customer, `escalated` for support; `resolved` is final.',
  'Dispute.reason': 'What the customer wrote first.',
  'Dispute.openedAt': 'When the claim was made.',
  'Dispute.updatedAt': 'When it changed last.',
  'Dispute.escalatesAt': 'When it escalates unless you answer; null when it will not.',
  'Dispute.resolution': 'How it ended; null before.',
  'Dispute.resolution.type': 'By another unit, by a refund, or for you.',
  'Dispute.resolution.at': 'When it ended.',
  'DisputeWithMessages.messages': 'What was said, oldest first.',
  'Message.id': 'Id of the message.',
  'Message.author': 'Who wrote it.',
  'Message.body': 'The text.',
  'Message.attachments': 'Pictures that came with it.',
  'Message.attachments.contentType': 'Kind of picture.',
  'Message.attachments.value': 'The picture in base64.',
  'MessageRequest.body': 'The text: 1 to 10,000 characters.',
  'ReplacementRequest.key': 'The unit to send; it must be new.',
  'ReplacementRequest.fromStock': "Takes the oldest unit of the offer's stock.",
}

/** What a field of a schema means, by `Schema.path`; undefined where nobody wrote it down. */
export function meaningOf(path: string): string | undefined {
  const whole = path.replace(/^DisputeWithMessages\./, 'Dispute.')
  return special[path] ?? special[whole] ?? everywhere[path.split('.').at(-1) ?? '']
}

/**
 * Every place that words are written for, so that a test finds those that mean nothing any more.
 */
export const describedPlaces: readonly string[] = Object.keys(special)
