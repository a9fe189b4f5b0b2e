/** Examples of the Seller API with the same product. A test checks them against the schemas. */
import type { sellerEndpoints } from '../../../api/endpoints/endpoints-seller.ts'
import type { ResponseExamples, Examples } from './example.ts'
import { productId } from './examples-partner.ts'

const catalogued = {
  productId,
  name: 'Hollow Tide 2',
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
}
const envelope = { page: 1, limit: 50, total: 1, totalPages: 1, hasMore: false }
const page = (summary: string, row: unknown): ResponseExamples => ({
  200: { page: { summary, value: { ...envelope, results: [row] } } },
})

const offer = {
  id: 'off_1kdvdne5kgkypnadny2k',
  ...catalogued,
  price: 14.05,
  customerPrice: 15.46,
  commission: { class: 'keys', percent: 10, amount: 1.41 },
  currency: 'EUR',
  status: 'active',
  stock: 37,
  sold: 6,
  isCheapest: true,
  lowestCustomerPrice: 15.46,
  createdAt: '2026-02-01T10:00:00.000Z',
  updatedAt: '2026-03-01T12:30:00.000Z',
}
const pausedOffer = { ...offer, status: 'paused', isCheapest: false, lowestCustomerPrice: 15.99 }

const keySha256 = 'b6a0201525f05da69fe3051c50116df7f80983149f41a23bd13cba6716137db2'
const sold = {
  offerId: offer.id,
  productId,
  name: catalogued.name,
  orderId: 'ord_1kdvdna2styj57gm5rfc',
  keyId: 'key_1kdvdnaerg9vzzk6eyb0',
  keySha256,
}
const sale = {
  id: 'sal_1kdvdnadmtdx52rev40z',
  ...sold,
  price: 14.05,
  customerPrice: 15.46,
  status: 'pending',
  soldAt: '2026-03-02T09:00:00.200Z',
  releaseAt: '2026-03-09T09:00:00.200Z',
  releasedAt: null,
}

const dispute = {
  id: 'dsp_1kdvdna057a458zymmxa',
  saleId: sale.id,
  ...sold,
  status: 'open',
  reason: 'The code is rejected as already redeemed.',
  openedAt: '2026-03-03T14:29:06.467Z',
  updatedAt: '2026-03-03T14:29:06.467Z',
  escalatesAt: '2026-03-06T14:29:06.467Z',
  resolution: null,
}
const claim = {
  id: 'msg_1kdvdna0a7wq6d3kzn5c',
  author: 'customer',
  body: dispute.reason,
  createdAt: dispute.openedAt,
  attachments: [],
}
const answer = {
  ...claim,
  id: 'msg_1kdvdna0bxg2t9rkv4pe',
  author: 'seller',
  body: 'Please send us a screenshot of the message.',
  createdAt: '2026-03-03T15:02:11.000Z',
}
const resolved = (type: string) => ({
  ...dispute,
  status: 'resolved',
  updatedAt: '2026-03-03T15:10:00.000Z',
  escalatesAt: null,
  resolution: { type, at: '2026-03-03T15:10:00.000Z' },
})

export const sellerRequests: Readonly<Partial<Record<keyof typeof sellerEndpoints, Examples>>> = {
  saveOffer: {
    active: {
      summary: 'For sale immediately',
      value: { productId, price: 14.05, status: 'active' },
    },
    paused: {
      summary: 'Prepared, not for sale yet',
      value: { productId, price: 14.05, status: 'paused' },
    },
  },
  changeOffer: {
    price: { summary: 'A new price', value: { price: 13.9 } },
    pause: { summary: 'Pause the offer and keep its stock', value: { status: 'paused' } },
  },
  uploadKeys: {
    keys: { summary: 'Two keys', value: { keys: ['7KQ2M-9XDPA-4WHRC', 'B3TNE-V8QYK-6MZ2S'] } },
    picture: {
      summary: 'A picture of a card',
      value: {
        keys: [
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8A' +
            'AQUBAScY42YAAAAASUVORK5CYII=',
        ],
      },
    },
  },
  withdrawKeys: {
    some: { summary: 'The oldest unit', value: { count: 1 } },
    all: { summary: 'All unsold units', value: {} },
  },
  answerDispute: {
    answer: { summary: 'A question to the customer', value: { body: answer.body } },
  },
  replaceKey: {
    fromStock: { summary: "The oldest unit of the offer's stock", value: { fromStock: true } },
    key: { summary: 'A key from outside the stock', value: { key: 'R5XWD-2HCQA-8NJTP' } },
  },
}

export const sellerResponses: Readonly<Record<keyof typeof sellerEndpoints, ResponseExamples>> = {
  getSeller: {
    200: {
      seller: {
        summary: 'A shop with the standard terms',
        value: {
          sellerId: 'sel_1kdvdna01dyt5b39h35p',
          name: 'Kestrel Keys',
          status: 'active',
          currency: 'EUR',
          commissions: [
            { class: 'keys', percent: 10 },
            { class: 'accounts_and_gifts', percent: 15 },
            { class: 'special_subscriptions', percent: 20 },
          ],
          idempotency: true,
        },
      },
    },
  },
  listSellerProducts: page('A product with its shop price and best seller price', {
    ...catalogued,
    shopPrice: 15.46,
    bestSellerPrice: 14.05,
    commission: { class: 'keys', percent: 10 },
  }),
  listOffers: page('One offer, the cheapest of its product', offer),
  saveOffer: {
    200: { updated: { summary: 'The offer existed already', value: { created: false, offer } } },
    201: {
      created: {
        summary: 'A new offer without stock',
        value: {
          created: true,
          offer: { ...offer, stock: 0, sold: 0, isCheapest: false, lowestCustomerPrice: null },
        },
      },
    },
  },
  getOffer: { 200: { offer: { summary: 'The cheapest of its product', value: offer } } },
  changeOffer: { 200: { paused: { summary: 'Paused', value: pausedOffer } } },
  deleteOffer: {
    200: {
      paused: { summary: 'An offer with sales: paused instead, stock kept', value: pausedOffer },
    },
  },
  uploadKeys: {
    200: {
      result: {
        summary: 'Two of 1,000 keys were already used',
        value: { added: 998, duplicates: 2, stock: 1035 },
      },
    },
  },
  withdrawKeys: {
    200: {
      keys: {
        summary: 'One key withdrawn',
        value: { count: 1, keys: ['7KQ2M-9XDPA-4WHRC'], stock: 36 },
      },
    },
  },
  listSales: page('A sale within its claim window', sale),
  getSellerBalance: {
    200: {
      balance: {
        summary: 'The available and pending amounts',
        value: {
          currency: 'EUR',
          pending: 42.15,
          available: 1758.35,
          upcomingReleases: [
            { date: '2026-03-09', amount: 28.1, sales: 2 },
            { date: '2026-03-10', amount: 14.05, sales: 1 },
          ],
        },
      },
    },
  },
  listDisputes: page('A claim that needs a reply', dispute),
  getDispute: {
    200: {
      open: {
        summary: 'A claim and the first reply',
        value: { ...dispute, messages: [claim, answer] },
      },
    },
  },
  answerDispute: { 201: { message: { summary: 'The saved message', value: answer } } },
  replaceKey: {
    200: {
      replaced: {
        summary: 'Resolved with another key',
        value: { ...resolved('replaced'), messages: [claim] },
      },
    },
  },
  refundDispute: {
    200: {
      refunded: {
        summary: 'Resolved with a refund',
        value: { ...resolved('refunded'), messages: [claim] },
      },
    },
  },
}
