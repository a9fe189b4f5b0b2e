/** Descriptions of the dashboard's operations, written for people who control a sandbox. */
import type { dashboardEndpoints } from '../../../api/endpoints/endpoints-dashboard.ts'

export const dashboardDescriptions: Readonly<Record<keyof typeof dashboardEndpoints, string>> = {
  createPartner: `Creates a partner account. An omitted limit has its default; null means no limit.
\`priceFactor\` multiplies the catalogue's prices. It is above 0 and at most 1,000, and never changes
afterwards.`,
  listPartners: 'All partner accounts, newest first.',
  getPartner: 'One account with its balances in both modes.',
  changePartner: 'Changes any field except `priceFactor`. Omitted fields keep their values.',
  createPartnerKey: `Creates a key for one mode. The response shows it once; only its hash is stored.
Without \`scopes\`, it has all of them.`,
  listPartnerKeys: 'All keys of the account, masked, including revoked ones.',
  revokePartnerKey: 'Revokes a key immediately.',
  createTopUpReference: 'Creates the reference that the partner writes on a bank transfer.',
  createTopUp: `Records that a bank transfer arrived: the balance rises, \`balance.credited\` is
emitted and an e-mail is sent. A reference that was used before is REFERENCE_USED.`,
  listPartnerEmails: 'The e-mails sent to the partner, newest first.',
  resetTestBalance:
    'Sets the test balance to an amount. The live balance only follows from top-ups.',
  listPartnerLedger:
    "The movements of the partner's balances, newest first, of one mode or of both.",
  putWebhook: `Sets the endpoint and creates a new signing secret, which the response shows once. The
address must be https, or http on this computer.`,
  getWebhook: `The endpoint without its secret. Without an endpoint, this returns NOT_FOUND; for the
demo partner it returns \`url: null\` and a \`hint\` that says how to set it.`,
  deleteWebhook: 'Removes the endpoint. Pending deliveries are no longer attempted.',
  testPartnerWebhook: 'Queues a `webhook.test` event in one mode, as `POST /webhooks/test` does.',
  listDeliveries: 'The deliveries with every attempt, newest first. `id` is the `X-SVC-Delivery`.',
  resendDelivery: `Sends the same event again under the same delivery id, with all attempts ahead of
it. Use it to test that a receiver handles a delivery once.`,
  createSeller: 'Creates a seller account. An omitted commission class has its default percent.',
  listSellers: 'All seller accounts, newest first.',
  getSellerAccount: 'One seller account with its commissions.',
  changeSeller: 'Changes any field. Omitted fields keep their values.',
  createSellerKey: 'Creates a key. The response shows it once; only its hash is stored.',
  listSellerKeys: 'All keys of the seller, masked, including revoked ones.',
  revokeSellerKey: 'Revokes a key immediately.',
  createProduct: `Adds a product to the catalogue. Price and stock follow from sellers' offers and
can't be set.`,
  changeProduct: `Changes a product. \`removed\` takes it out of the catalogue or brings it back;
\`supplyUnknown\` makes its \`qty\` null.`,
  createClaim: `A customer claims that a delivered unit doesn't work: once per unit, up to 7 days
after its delivery, and not for test orders. The seller gets a dispute.`,
  listAllDisputes: 'The disputes of all sellers, newest first.',
  addOutsideMessage: 'Adds a message from the customer or from support.',
  escalateDispute: 'Hands an open dispute to support. A `reason` becomes a message from support.',
  rejectDispute: `Support decides for the seller: the dispute is resolved and the sale stays. A
\`reason\` becomes a message from support.`,
  getClock: "The service's time, and how far it is ahead of this computer's.",
  advanceClock: `Moves the clock forward by \`ms\` or up to \`to\`, ten years at most. Everything due on
the way (deliveries, webhooks, releases, escalations) happens first, in order, each at its own time.`,
  getFaults: 'The faults as they were set, each with its `hits`. A used-up one stays listed.',
  putFaults: `Replaces all faults. A request fault delays, refuses or cuts the requests that it matches;
\`path\` is exact or ends in \`*\` and must match an operation of the two APIs. A delivery fault makes
units fail, and \`supplierDown\` refuses all orders. The first fault that matches is used.`,
  clearFaults: 'Removes all faults. A restart and a reset do so too.',
  listRequests: `The latest requests to all interfaces, newest first, at most 1,000. Filter by
\`path\` (exact or with a trailing \`*\`), \`method\`, \`status\`, \`account\` and \`fault\` (a name, or
\`*\` for any). Keys, delivered values and secrets are masked.`,
  explainRequest: `Why a request in the log was refused: the checks in their order with the values
that they saw, the rule, and the nearest request that passes. That request was found by trying changes
on a copy of the present data, so \`status\` is the response that it got there. Nothing changes here.`,
  runSuggestion: `Finds the request that passes again, on the present data, and sends it to this
service with a new Idempotency-Key, after the calls that have to come first. The account gets a key for
it, which is revoked afterwards. With the \`fingerprint\` of the suggestion that was read, no other
request is sent. Sent twice, a request with an Idempotency-Key is carried out once.`,
  getWorldFile: `All requests so far of a sandbox started with \`--repeatable\`, with stand-ins for
secrets, and the answers that a new sandbox gives to them. \`keydesk-sandbox replay FILE\` repeats the
file and compares every answer. No webhook is sent.`,
  startCertificate: `Sends hostile schedules of real deliveries to a webhook handler on this computer,
and checks the units that it handed on, which it reports at \`probe\`. Start the handler with
\`variables\` while the state is \`waiting\`; they stay the same for later runs. One runs at a time.`,
  getCertificate: 'The state of the latest certificate, and its result once it is finished.',
  cancelCertificate: 'Ends a certificate that runs, after the schedules in progress.',
  createSnapshot: 'Saves all data under a name, in a file that only its owner can read.',
  listSnapshots: 'All snapshots, by name.',
  compareSnapshot: `The differences in words: orders, stock, prices, offers, ledger, disputes and the
clock. \`to\` is a later snapshot; without it, the present state is compared. At most 1,000 of \`total\`.`,
  deleteSnapshot: 'Deletes a snapshot permanently.',
  restoreSnapshot: `Replaces all data by the snapshot, including the time. Cursors issued before are
refused afterwards: clients start a full sync.`,
  createBranch: `Starts a separate service on a free port with a copy of all data. The response is like
the ready line, with an \`id\`. It ends with this service and stores nothing permanently. With a \`world\`,
the branch repeats that world file instead, and \`replay\` says which answers differ from it.`,
  listBranches: 'The branches that are running, with their addresses and keys.',
  deleteBranch: 'Stops a branch and deletes its data.',
  reset: `Restores the data of a first start, with another \`seed\` or size if given, and returns the
new demo keys. Cursors issued before are refused afterwards.`,
  verifyLedger:
    'Checks the complete ledger: its hash chain, and that the sum of each mode is zero.',
  startMarket: `Starts the simulated market, or changes its size. The same seed gives the same
competitors, customers and purchases.`,
  getMarket: 'Whether the market runs, its size, and its activity.',
  stopMarket: "Stops the market. Offers, sales and disputes don't change.",
  complain: 'Has the customer who bought a unit complain about it, as in the simulation.',
}
