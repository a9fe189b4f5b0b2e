/** The Seller Import API's endpoints. */
import { disputePage, disputeQuery, disputeWithMessages, message, messageRequest, replacementRequest } from './dispute.ts'
import { endpoint } from './endpoint.ts'
import {
  keyUpload, offer, offerChange, offerPage, offerQuery, offerRequest, savedOffer, seller, sellerProductPage, sellerProductQuery, uploadResult, withdrawal, withdrawnKeys,
} from './offer.ts'
import { pageQuery } from './paging.ts'
import { salePage, sellerBalance } from './sale.ts'

const api = 'seller'

export const sellerEndpoints = {
  getSeller: endpoint({ api, method: 'GET', path: '/me', summary: "The seller's shop and current commission terms", answers: { 200: seller } }),
  listSellerProducts: endpoint({
    api, method: 'GET', path: '/products', summary: 'Search the catalogue with shop price and best seller price', query: sellerProductQuery,
    answers: { 200: sellerProductPage }, errors: ['VALIDATION_ERROR'],
  }),
  listOffers: endpoint({
    api, method: 'GET', path: '/offers', summary: "The seller's offers with stock, customer price and whether the seller is cheapest", query: offerQuery,
    answers: { 200: offerPage }, errors: ['VALIDATION_ERROR'],
  }),
  saveOffer: endpoint({
    api, method: 'POST', path: '/offers', summary: "Create or update the seller's offer for a product", body: offerRequest,
    answers: { 200: savedOffer, 201: savedOffer }, errors: ['VALIDATION_ERROR', 'PRODUCT_UNAVAILABLE'],
  }),
  getOffer: endpoint({ api, method: 'GET', path: '/offers/{id}', summary: 'One offer', answers: { 200: offer } }),
  changeOffer: endpoint({
    api, method: 'PATCH', path: '/offers/{id}', summary: 'Change price and/or status', body: offerChange, answers: { 200: offer }, errors: ['VALIDATION_ERROR'],
  }),
  deleteOffer: endpoint({
    api, method: 'DELETE', path: '/offers/{id}', summary: 'Delete an offer without stock; an offer with sales is paused', answers: { 200: offer, 204: null },
    errors: ['VALIDATION_ERROR', 'OFFER_HAS_STOCK'],
  }),
  uploadKeys: endpoint({
    api, method: 'POST', path: '/offers/{id}/keys', summary: 'Upload keys', rate: 'uploads', idempotent: true, body: keyUpload,
    answers: { 200: uploadResult }, errors: ['VALIDATION_ERROR', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
  withdrawKeys: endpoint({
    api, method: 'POST', path: '/offers/{id}/withdraw', summary: 'Take back unsold keys', idempotent: true, body: withdrawal, bodyOptional: true,
    answers: { 200: withdrawnKeys }, errors: ['VALIDATION_ERROR', 'INSUFFICIENT_STOCK', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
  listSales: endpoint({
    api, method: 'GET', path: '/sales', summary: "The seller's sales, earnings and release dates", query: pageQuery, answers: { 200: salePage }, errors: ['VALIDATION_ERROR'],
  }),
  getSellerBalance: endpoint({
    api, method: 'GET', path: '/balance', summary: 'Pending and available balance and upcoming releases', answers: { 200: sellerBalance },
  }),
  listDisputes: endpoint({
    api, method: 'GET', path: '/disputes', summary: "Customer claims on the seller's sales", query: disputeQuery, answers: { 200: disputePage }, errors: ['VALIDATION_ERROR'],
  }),
  getDispute: endpoint({ api, method: 'GET', path: '/disputes/{id}', summary: 'One dispute with its messages', answers: { 200: disputeWithMessages } }),
  answerDispute: endpoint({
    api, method: 'POST', path: '/disputes/{id}/messages', summary: 'Answer the customer', body: messageRequest, answers: { 201: message },
    errors: ['VALIDATION_ERROR', 'DISPUTE_RESOLVED'],
  }),
  replaceKey: endpoint({
    api, method: 'POST', path: '/disputes/{id}/replace', summary: 'Send a replacement', idempotent: true, body: replacementRequest, answers: { 200: disputeWithMessages },
    errors: ['VALIDATION_ERROR', 'DISPUTE_RESOLVED', 'INSUFFICIENT_STOCK', 'DUPLICATE_KEY', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
  refundDispute: endpoint({
    api, method: 'POST', path: '/disputes/{id}/refund', summary: 'Refund the customer; the sale is cancelled', idempotent: true, answers: { 200: disputeWithMessages },
    errors: ['VALIDATION_ERROR', 'DISPUTE_RESOLVED', 'IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'],
  }),
}
