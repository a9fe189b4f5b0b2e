/** The Partner Ordering API's endpoints. */
import { endpoint } from './endpoint.ts'
import { order, orderCreationQuery, orderKeys, orderPage, orderQuery, orderRequest } from './order.ts'
import { balance, ping, queuedTest } from './partner-account.ts'
import { meta, product, productPage, productQuery } from './product.ts'

const api = 'partner'

export const partnerEndpoints = {
  ping: endpoint({ api, method: 'GET', path: '/ping', summary: 'Check credentials', scope: 'catalog:read', answers: { 200: ping } }),
  getBalance: endpoint({ api, method: 'GET', path: '/balance', summary: "Balance of the key's mode", scope: 'balance:read', answers: { 200: balance } }),
  listProducts: endpoint({
    api, method: 'GET', path: '/products', summary: 'List or sync products', scope: 'catalog:read', query: productQuery,
    answers: { 200: productPage }, errors: ['VALIDATION_ERROR'],
  }),
  getProduct: endpoint({ api, method: 'GET', path: '/products/{id}', summary: 'One product', scope: 'catalog:read', answers: { 200: product } }),
  getMeta: endpoint({ api, method: 'GET', path: '/meta', summary: 'Platforms, regions and types with product counts', scope: 'catalog:read', answers: { 200: meta } }),
  createOrder: endpoint({
    api, method: 'POST', path: '/orders', summary: 'Place an order', scope: 'orders:write', rate: 'orders', idempotent: true,
    query: orderCreationQuery, body: orderRequest, answers: { 201: order },
    errors: [
      'VALIDATION_ERROR', 'INSUFFICIENT_BALANCE', 'PRICE_CHANGED', 'OUT_OF_STOCK', 'PRODUCT_UNAVAILABLE', 'DUPLICATE_EXTERNAL_ID', 'IDEMPOTENCY_CONFLICT',
      'IDEMPOTENCY_IN_PROGRESS', 'ORDER_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE',
    ],
  }),
  listOrders: endpoint({
    api, method: 'GET', path: '/orders', summary: 'Search orders', scope: 'orders:read', query: orderQuery, answers: { 200: orderPage }, errors: ['VALIDATION_ERROR'],
  }),
  getOrder: endpoint({ api, method: 'GET', path: '/orders/{id}', summary: 'One order', scope: 'orders:read', answers: { 200: order } }),
  getOrderKeys: endpoint({
    api, method: 'GET', path: '/orders/{id}/keys', summary: 'Delivered units', scope: 'orders:read', rate: 'downloads', answers: { 200: orderKeys },
  }),
  testWebhook: endpoint({
    api, method: 'POST', path: '/webhooks/test', summary: 'Queue a webhook.test event to the configured endpoint', scope: 'orders:read',
    answers: { 202: queuedTest }, errors: ['VALIDATION_ERROR'],
  }),
}
