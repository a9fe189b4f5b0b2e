/**
 * Examples of the Partner API. They share one product of the demo data, so that most of them can be
 * sent unchanged to a fresh sandbox. A test checks them against the schemas.
 */
import type { partnerEndpoints } from '../../../api/endpoints/endpoints-partner.ts'
import type { ResponseExamples, Examples } from './example.ts'

export const productId = 'prd_10006'

const product = {
  id: productId,
  name: 'Hollow Tide 2',
  platform: 'Steam',
  region: 'Global',
  productType: 'game',
  deliveryType: 'key',
  price: 15.46,
  currency: 'EUR',
  inStock: true,
  qty: 37,
  activation: { excludedCountries: ['BY', 'RU'], allowedCountryCount: 247 },
  description: 'A lighthouse keeper maps a coast that moves with every tide.',
  activationDetails: '1. Open Steam and choose Games, then Activate a Product.\n2. Enter the key.',
  languages: ['English', 'German'],
  genres: ['Adventure'],
  developer: 'Tidehall',
  publisher: 'Tramline',
  releaseDate: '2025-09-18',
  ageRating: 'PEGI 12',
  coverImage: `http://127.0.0.1:4600/media/covers/${productId}.png`,
  screenshots: [`http://127.0.0.1:4600/media/screenshots/${productId}-1.png`],
  systemRequirements: [{ system: 'Windows', requirement: ['8 GB RAM', '20 GB of disk'] }],
  url: 'https://shop.keydesk.example/hollow-tide-2-steam-global',
  updatedAt: '2026-03-02T08:15:30.120Z',
  removed: false,
}

const removedProduct = {
  ...product,
  id: 'prd_10007',
  name: 'Hollow Tide',
  price: 8.2,
  inStock: false,
  qty: 0,
  screenshots: [],
  updatedAt: '2026-03-02T08:16:02.511Z',
  removed: true,
}

const orderId = 'ord_1kdvdna2mjrkg3evgrkh'
const line = {
  line: 1,
  productId,
  name: product.name,
  deliveryType: 'key',
  qty: 2,
  unitPrice: 15.46,
  status: 'completed',
  deliveredQty: 2,
}

export const completedOrder = {
  id: orderId,
  externalId: 'shop-10042',
  mode: 'test',
  status: 'completed',
  currency: 'EUR',
  total: 30.92,
  refunded: 0,
  createdAt: '2026-03-02T09:00:00.000Z',
  completedAt: '2026-03-02T09:00:00.210Z',
  failure: null,
  items: [line],
  firstDownloadedAt: null,
}

const processingOrder = {
  ...completedOrder,
  status: 'processing',
  completedAt: null,
  items: [{ ...line, status: 'processing', deliveredQty: 0 }],
}

export const partialOrder = {
  ...completedOrder,
  status: 'partially_completed',
  refunded: 15.46,
  items: [{ ...line, status: 'failed', deliveredQty: 1 }],
  failure: {
    code: 'PARTIAL_DELIVERY',
    message: "Some units couldn't be delivered; they were credited back.",
  },
}

export const failedOrder = {
  ...completedOrder,
  status: 'failed',
  refunded: 30.92,
  items: [{ ...line, status: 'failed', deliveredQty: 0 }],
  failure: {
    code: 'DELIVERY_FAILED',
    message: 'No unit could be delivered; the total was credited back.',
  },
}

const key = {
  id: 'key_1kdvdnag31khgn3chd73',
  line: 1,
  productId,
  deliveryType: 'key',
  contentType: 'text/plain',
  value: 'TEST-7KQ2M-9XDPA-4WHRC',
  status: 'delivered',
  deliveredAt: '2026-03-02T09:00:00.200Z',
}
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const envelope = { page: 1, limit: 50, total: 1, totalPages: 1, hasMore: false }

export const partnerRequests: Readonly<Partial<Record<keyof typeof partnerEndpoints, Examples>>> = {
  createOrder: {
    one: {
      summary: 'Two keys of one product',
      value: { externalId: 'shop-10042', items: [{ productId, qty: 2, maxUnitPrice: 15.99 }] },
    },
    several: {
      summary: 'Two products in one order',
      value: {
        externalId: 'shop-10043',
        items: [
          { productId, qty: 1, maxUnitPrice: 15.99 },
          { productId: 'prd_10178', qty: 1, maxUnitPrice: 47.5 },
        ],
      },
    },
  },
}

export const partnerResponses: Readonly<Record<keyof typeof partnerEndpoints, ResponseExamples>> = {
  ping: {
    200: {
      all: {
        summary: 'A test key with every scope',
        value: {
          ok: true,
          partnerId: 'ptr_1kdvdna01m1kqvxbsp0c',
          mode: 'test',
          scopes: ['catalog:read', 'orders:write', 'orders:read', 'balance:read'],
          ip: '203.0.113.7',
        },
      },
    },
  },
  getBalance: {
    200: {
      test: {
        summary: 'Balance of a test key',
        value: { balance: 969.08, currency: 'EUR', mode: 'test' },
      },
    },
  },
  listProducts: {
    200: {
      page: {
        summary: 'A page by number',
        value: {
          ...envelope,
          nextCursor: 'T1lSUVNMIDJobm1MWUQxMm01IDE3OTI3MTM3OTQy',
          results: [product],
        },
      },
      cursor: {
        summary: 'The last page by cursor, with a product that left the catalogue',
        value: {
          page: null,
          limit: 50,
          total: null,
          totalPages: null,
          nextCursor: 'T1lSUVNMIDJobm1MWUQxMm01IDE3OTI3MTM3OTQz',
          hasMore: false,
          results: [removedProduct],
        },
      },
      nothing: {
        summary: 'No changes since the cursor',
        value: {
          page: null,
          limit: 50,
          total: null,
          totalPages: null,
          nextCursor: 'T1lSUVNMIDJobm1MWUQxMm01IDE3OTI3MTM3OTQz',
          hasMore: false,
          results: [],
        },
      },
    },
  },
  getProduct: {
    200: {
      product: {
        summary: 'A product in stock',
        value: {
          ...product,
          priceTiers: [
            { minQty: 1, unitPrice: product.price },
            { minQty: 4, unitPrice: 16.2 },
          ],
        },
      },
    },
  },
  getMeta: {
    200: {
      counts: {
        summary: 'The filters of the catalogue',
        value: {
          platforms: [
            { value: 'Steam', count: 679 },
            { value: 'Xbox', count: 174 },
          ],
          regions: [
            { value: 'Global', count: 1247 },
            { value: 'Europe', count: 314 },
          ],
          productTypes: [
            { value: 'game', count: 968 },
            { value: 'dlc', count: 469 },
          ],
          deliveryTypes: [
            { value: 'key', count: 1822 },
            { value: 'link', count: 65 },
          ],
        },
      },
    },
  },
  createOrder: {
    201: {
      processing: {
        summary: 'Without wait, or when the wait ended first',
        value: processingOrder,
      },
      completed: { summary: 'With wait: all units were delivered', value: completedOrder },
      partial: {
        summary: 'With wait: one of two units was delivered, the other was credited back',
        value: partialOrder,
      },
      failed: {
        summary: 'With wait: nothing was delivered, everything was credited back',
        value: failedOrder,
      },
    },
  },
  listOrders: {
    200: {
      one: { summary: 'One matching order', value: { ...envelope, results: [completedOrder] } },
    },
  },
  getOrder: {
    200: {
      completed: {
        summary: 'Delivered, with the keys downloaded',
        value: { ...completedOrder, firstDownloadedAt: '2026-03-02T09:00:04.120Z' },
      },
      processing: { summary: 'Paid and being processed', value: processingOrder },
    },
  },
  getOrderKeys: {
    200: {
      text: { summary: 'A key to redeem', value: { orderId, keys: [key] } },
      picture: {
        summary: 'A picture of a card in base64',
        value: { orderId, keys: [{ ...key, contentType: 'image/png', value: pixel }] },
      },
      none: { summary: 'Nothing delivered yet', value: { orderId, keys: [] } },
    },
  },
  testWebhook: {
    202: {
      queued: {
        summary: 'Event queued',
        value: {
          queued: true,
          eventId: 'evt_1kdvdnaw0c6m3g9sx5tq',
          deliveryId: 'dlv_1kdvdnaw0r2j8p4hkz7e',
        },
      },
    },
  },
}
