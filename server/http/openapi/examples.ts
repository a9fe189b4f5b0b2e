/** Examples of the document: one consistent small story, checked against the schemas by a test. */
const product = {
  id: 'prd_ironwharf_3', name: 'Ironwharf 3', platform: 'Steam', region: 'Europe', productType: 'game', deliveryType: 'key', price: 18.49, currency: 'EUR', inStock: true, qty: 42,
  activation: { excludedCountries: ['US', 'CA'], allowedCountryCount: 44 }, description: 'Run a harbour at the end of the world.',
  activationDetails: 'Open Steam, choose "Activate a product" and enter the key.', languages: ['English', 'German'], genres: ['Strategy'], developer: 'Tidehall', publisher: 'Tidehall',
  releaseDate: '2025-09-18', ageRating: 'PEGI 12', coverImage: 'http://127.0.0.1:4600/media/covers/prd_ironwharf_3.png', screenshots: [],
  systemRequirements: [{ system: 'Windows', requirement: ['8 GB RAM'] }], url: null, updatedAt: '2026-03-02T08:15:30.120Z', removed: false,
}

const order = {
  id: 'ord_01jq8v', externalId: 'shop-10042', mode: 'test', status: 'completed', currency: 'EUR', total: 36.98, refunded: 0, createdAt: '2026-03-02T09:00:00.000Z',
  completedAt: '2026-03-02T09:00:00.210Z', failure: null,
  items: [{ line: 1, productId: product.id, name: product.name, deliveryType: 'key', qty: 2, unitPrice: 18.49, status: 'completed', deliveredQty: 2 }], firstDownloadedAt: null,
}

const offer = {
  id: 'off_01jq7k', productId: product.id, name: product.name, platform: 'Steam', region: 'Europe', productType: 'game', deliveryType: 'key', price: 16.81, customerPrice: 18.49,
  commission: { class: 'keys', percent: 10, amount: 1.68 }, currency: 'EUR', status: 'active', stock: 42, sold: 7, isCheapest: true, lowestCustomerPrice: 18.49,
  createdAt: '2026-02-01T10:00:00.000Z', updatedAt: '2026-03-01T12:30:00.000Z',
}

/** Examples of answers by operation id, for the first success status. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  ping: { ok: true, partnerId: 'ptn_01jq5m', mode: 'test', scopes: ['catalog:read', 'orders:write', 'orders:read', 'balance:read'], ip: '203.0.113.7' },
  getBalance: { balance: 963.02, currency: 'EUR', mode: 'test' },
  listProducts: { page: 1, limit: 50, total: 1, totalPages: 1, nextCursor: 'eyJ1IjoxNzcyNDQwMDAwMDAwfQ', hasMore: false, results: [product] },
  getProduct: product,
  getMeta: {
    platforms: [{ value: 'Steam', count: 1204 }], regions: [{ value: 'Europe', count: 380 }], productTypes: [{ value: 'game', count: 1500 }], deliveryTypes: [{ value: 'key', count: 1800 }],
  },
  createOrder: { ...order, status: 'processing', completedAt: null, items: [{ ...order.items[0], status: 'processing', deliveredQty: 0 }] },
  getOrder: order,
  listOrders: { page: 1, total: 1, results: [order], limit: 50, totalPages: 1, hasMore: false },
  getOrderKeys: {
    orderId: order.id,
    keys: [{ id: 'key_01jq8w', line: 1, productId: product.id, deliveryType: 'key', contentType: 'text/plain', value: 'TEST-7KQ2-M9XD', status: 'delivered', deliveredAt: '2026-03-02T09:00:00.200Z' }],
  },
  getSeller: { sellerId: 'slr_01jq4d', name: 'Harbour Keys', status: 'active', currency: 'EUR', commissions: [{ class: 'keys', percent: 10 }], idempotency: true },
  getOffer: offer,
  saveOffer: { created: false, offer },
  uploadKeys: { added: 998, duplicates: 2, stock: 1040 },
  withdrawKeys: { count: 1, keys: ['ABCDE-FGHIJ-KLMNO'], stock: 41 },
}

/** Examples of request bodies by operation id. */
export const requestExamples: Readonly<Record<string, unknown>> = {
  createOrder: { externalId: 'shop-10042', items: [{ productId: product.id, qty: 2, maxUnitPrice: 18.99 }] },
  saveOffer: { productId: product.id, price: 16.81, status: 'active' },
  changeOffer: { price: 16.5 },
  uploadKeys: { keys: ['ABCDE-FGHIJ-KLMNO', 'PQRST-UVWXY-Z1234'] },
  withdrawKeys: { count: 1 },
  answerDispute: { body: 'Please send us a screenshot of the message.' },
  replaceKey: { fromStock: true },
}
