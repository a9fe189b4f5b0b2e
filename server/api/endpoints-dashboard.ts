/** The dashboard interface's endpoints: everything the two APIs leave to "the dashboard", "the seller panel" and "support". */
import {
  newPartnerKey, newSellerKey, partner, partnerChange, partnerKeyRequest, partnerKeys, partnerPage, partnerRequest, partnerWithBalances,
  sellerAccount, sellerAccountPage, sellerChange, sellerKeyRequest, sellerKeys, sellerRequest,
} from './dashboard/accounts.ts'
import {
  emailPage, ledgerPage, ledgerProof, ledgerQuery, resetBalance, testBalanceReset, topUp, topUpReference, topUpReferenceRequest, topUpRequest,
} from './dashboard/balance.ts'
import { claim, claimRequest, productChange, productRequest } from './dashboard/catalogue.ts'
import {
  activeFaults, clock, clockAdvance, clockNow, faults, requestLogPage, requestLogQuery, resetRequest, resetResult, snapshot, snapshotRequest, snapshots,
} from './dashboard/control.ts'
import { complaintRequest, market, marketRequest } from './dashboard/market.ts'
import { deliveryPage, newWebhook, queuedDelivery, webhook, webhookRequest, webhookTestRequest } from './dashboard/webhook.ts'
import { disputePage, disputeWithMessages, message, outsideMessageRequest, reasonRequest } from './dispute.ts'
import { endpoint } from './endpoint.ts'
import { pageQuery } from './paging.ts'
import { product } from './product.ts'

const api = 'dashboard'

export const dashboardEndpoints = {
  createPartner: endpoint({ api, method: 'POST', path: '/partners', summary: 'Create a partner', body: partnerRequest, answers: { 201: partner } }),
  listPartners: endpoint({ api, method: 'GET', path: '/partners', summary: 'All partners', query: pageQuery, answers: { 200: partnerPage } }),
  getPartner: endpoint({ api, method: 'GET', path: '/partners/{id}', summary: 'One partner with its balances', answers: { 200: partnerWithBalances } }),
  changePartner: endpoint({ api, method: 'PATCH', path: '/partners/{id}', summary: 'Change a partner', body: partnerChange, answers: { 200: partnerWithBalances } }),
  createPartnerKey: endpoint({ api, method: 'POST', path: '/partners/{id}/keys', summary: 'Create a key, shown once', body: partnerKeyRequest, answers: { 201: newPartnerKey } }),
  listPartnerKeys: endpoint({ api, method: 'GET', path: '/partners/{id}/keys', summary: "A partner's keys", answers: { 200: partnerKeys } }),
  revokePartnerKey: endpoint({ api, method: 'DELETE', path: '/partners/{id}/keys/{keyId}', summary: 'Revoke a key', answers: { 204: null } }),
  createTopUpReference: endpoint({
    api, method: 'POST', path: '/partners/{id}/top-up-references', summary: 'A reference to write on a bank transfer', body: topUpReferenceRequest, answers: { 201: topUpReference },
  }),
  createTopUp: endpoint({
    api, method: 'POST', path: '/partners/{id}/top-ups', summary: 'A bank transfer arrives', body: topUpRequest, answers: { 201: topUp }, errors: ['REFERENCE_USED'],
  }),
  listPartnerEmails: endpoint({ api, method: 'GET', path: '/partners/{id}/emails', summary: 'E-mails sent to a partner', query: pageQuery, answers: { 200: emailPage } }),
  resetTestBalance: endpoint({ api, method: 'POST', path: '/partners/{id}/test-balance/reset', summary: 'Set the test balance', body: testBalanceReset, answers: { 200: resetBalance } }),
  listPartnerLedger: endpoint({ api, method: 'GET', path: '/partners/{id}/ledger', summary: "Movements of a partner's balances", query: ledgerQuery, answers: { 200: ledgerPage } }),
  putWebhook: endpoint({ api, method: 'PUT', path: '/partners/{id}/webhook', summary: 'Set the webhook endpoint', body: webhookRequest, answers: { 200: newWebhook } }),
  getWebhook: endpoint({ api, method: 'GET', path: '/partners/{id}/webhook', summary: 'The webhook endpoint', answers: { 200: webhook } }),
  deleteWebhook: endpoint({ api, method: 'DELETE', path: '/partners/{id}/webhook', summary: 'Remove the webhook endpoint', answers: { 204: null } }),
  testPartnerWebhook: endpoint({ api, method: 'POST', path: '/partners/{id}/webhook/test', summary: 'Queue a webhook.test event', body: webhookTestRequest, answers: { 202: queuedDelivery } }),
  listDeliveries: endpoint({ api, method: 'GET', path: '/partners/{id}/webhook/deliveries', summary: 'Webhook deliveries', query: pageQuery, answers: { 200: deliveryPage } }),
  resendDelivery: endpoint({
    api, method: 'POST', path: '/partners/{id}/webhook/deliveries/{deliveryId}/resend', summary: 'Send an event again', answers: { 202: queuedDelivery },
  }),
  createSeller: endpoint({ api, method: 'POST', path: '/sellers', summary: 'Create a seller', body: sellerRequest, answers: { 201: sellerAccount } }),
  listSellers: endpoint({ api, method: 'GET', path: '/sellers', summary: 'All sellers', query: pageQuery, answers: { 200: sellerAccountPage } }),
  getSellerAccount: endpoint({ api, method: 'GET', path: '/sellers/{id}', summary: 'One seller', answers: { 200: sellerAccount } }),
  changeSeller: endpoint({ api, method: 'PATCH', path: '/sellers/{id}', summary: 'Change a seller', body: sellerChange, answers: { 200: sellerAccount } }),
  createSellerKey: endpoint({
    api, method: 'POST', path: '/sellers/{id}/keys', summary: 'Create a key, shown once', body: sellerKeyRequest, bodyOptional: true, answers: { 201: newSellerKey },
  }),
  listSellerKeys: endpoint({ api, method: 'GET', path: '/sellers/{id}/keys', summary: "A seller's keys", answers: { 200: sellerKeys } }),
  revokeSellerKey: endpoint({ api, method: 'DELETE', path: '/sellers/{id}/keys/{keyId}', summary: 'Revoke a key', answers: { 204: null } }),
  createProduct: endpoint({ api, method: 'POST', path: '/products', summary: 'Create a product', body: productRequest, answers: { 201: product } }),
  changeProduct: endpoint({ api, method: 'PATCH', path: '/products/{id}', summary: 'Change a product', body: productChange, answers: { 200: product } }),
  createClaim: endpoint({
    api, method: 'POST', path: '/claims', summary: 'Claim that a delivered key does not work', body: claimRequest, answers: { 201: claim },
    errors: ['CLAIM_WINDOW_CLOSED', 'CLAIM_EXISTS'],
  }),
  listAllDisputes: endpoint({ api, method: 'GET', path: '/disputes', summary: 'All disputes', query: pageQuery, answers: { 200: disputePage } }),
  addOutsideMessage: endpoint({
    api, method: 'POST', path: '/disputes/{id}/messages', summary: 'A message of the customer or of support', body: outsideMessageRequest, answers: { 201: message }, errors: ['DISPUTE_RESOLVED'],
  }),
  escalateDispute: endpoint({
    api, method: 'POST', path: '/disputes/{id}/escalate', summary: 'Escalate a dispute', body: reasonRequest, bodyOptional: true, answers: { 200: disputeWithMessages }, errors: ['DISPUTE_RESOLVED'],
  }),
  rejectDispute: endpoint({
    api, method: 'POST', path: '/disputes/{id}/reject', summary: 'Reject a claim', body: reasonRequest, bodyOptional: true, answers: { 200: disputeWithMessages }, errors: ['DISPUTE_RESOLVED'],
  }),
  getClock: endpoint({ api, method: 'GET', path: '/clock', summary: "The service's clock", answers: { 200: clock } }),
  advanceClock: endpoint({ api, method: 'POST', path: '/clock/advance', summary: 'Move the clock forward and carry out everything due', body: clockAdvance, answers: { 200: clockNow }, errors: ['SERVICE_UNAVAILABLE'] }),
  getFaults: endpoint({ api, method: 'GET', path: '/faults', summary: 'Active faults', answers: { 200: activeFaults } }),
  putFaults: endpoint({ api, method: 'PUT', path: '/faults', summary: 'Set the faults', body: faults, answers: { 200: activeFaults } }),
  clearFaults: endpoint({ api, method: 'DELETE', path: '/faults', summary: 'No faults', answers: { 200: activeFaults } }),
  listRequests: endpoint({ api, method: 'GET', path: '/requests', summary: 'Request log', query: requestLogQuery, answers: { 200: requestLogPage } }),
  createSnapshot: endpoint({ api, method: 'POST', path: '/snapshots', summary: 'Save the whole state', body: snapshotRequest, answers: { 200: snapshot } }),
  listSnapshots: endpoint({ api, method: 'GET', path: '/snapshots', summary: 'Saved states', answers: { 200: snapshots } }),
  deleteSnapshot: endpoint({ api, method: 'DELETE', path: '/snapshots/{name}', summary: 'Delete a saved state', answers: { 204: null } }),
  restoreSnapshot: endpoint({ api, method: 'POST', path: '/snapshots/{name}/restore', summary: 'Restore a saved state', answers: { 200: snapshot } }),
  reset: endpoint({ api, method: 'POST', path: '/reset', summary: 'The database as at a first start', body: resetRequest, bodyOptional: true, answers: { 200: resetResult } }),
  verifyLedger: endpoint({ api, method: 'GET', path: '/ledger/verify', summary: 'Prove the whole ledger', answers: { 200: ledgerProof } }),
  startMarket: endpoint({ api, method: 'POST', path: '/market', summary: 'Start or change the market', body: marketRequest, answers: { 200: market } }),
  getMarket: endpoint({ api, method: 'GET', path: '/market', summary: "The market's state", answers: { 200: market } }),
  stopMarket: endpoint({ api, method: 'DELETE', path: '/market', summary: 'Stop the market', answers: { 200: market } }),
  complain: endpoint({
    api, method: 'POST', path: '/market/complaints', summary: 'A customer of the market complains about a unit and goes on with it', body: complaintRequest, answers: { 201: claim },
    errors: ['CLAIM_WINDOW_CLOSED', 'CLAIM_EXISTS'],
  }),
}
