import type { Handlers } from '../../api/handlers.ts'
import { ZERO } from '../../api/money.ts'
import { envelopeOf, pageOf } from '../../api/schemas/paging.ts'
import { type LedgerEntryType, ledgerEntryTypes } from '../../api/schemas/enums.ts'
import { instantText } from '../context.ts'
import { ledgerId } from '../ledger/ledger.ts'
import type { EntryType, LedgerEntry } from '../ports/ordering/ledger.ts'
import type { Parts } from './parts.ts'

/** Top-ups, e-mails and ledgers on the dashboard interface. */
export function dashboardBalanceHandlers({ context, accounts, ledger, topUps }: Parts) {
  const { store, clock } = context
  return {
    createTopUpReference: (_call, { params, body }) => ({
      status: 201,
      body: { reference: topUps.newReference(accounts.partner(params.id).id, body.mode) },
    }),
    createTopUp: (_call, { params, body }) => ({
      status: 201,
      body: topUps.credit(
        accounts.partner(params.id),
        body.mode,
        body.amount,
        body.reference,
        clock.now(),
      ),
    }),
    listPartnerEmails(_call, { params, query }) {
      const { id } = accounts.partner(params.id)
      const { offset, limit } = pageOf(query)
      const results = store.accounts.emails(id, offset, limit).map(({ to, subject, text, at }) => ({
        to,
        subject,
        text,
        at: instantText(at),
      }))
      return { status: 200, body: envelopeOf(query, store.accounts.countEmails(id), results) }
    },
    resetTestBalance: (_call, { params, body }) => ({
      status: 200,
      body: { balance: topUps.resetTest(accounts.partner(params.id).id, body.amount) },
    }),
    listPartnerLedger(_call, { params, query }) {
      const { id } = accounts.partner(params.id)
      const { offset, limit } = pageOf(query)
      const results = store.ledger.partnerPage(id, query.mode, offset, limit).map(entryView)
      return {
        status: 200,
        body: envelopeOf(query, store.ledger.partnerCount(id, query.mode), results),
      }
    },
    async verifyLedger() {
      const { ok, entries, head, sums } = await ledger.proveInPieces()
      return {
        status: 200,
        body: { ok, entries, headHash: Buffer.from(head).toString('hex'), sums },
      }
    },
  } satisfies Handlers
}

const isPartnerType = (type: EntryType): type is LedgerEntryType =>
  (ledgerEntryTypes as readonly string[]).includes(type)

function entryView(entry: LedgerEntry) {
  const { no, type, mode, amount, balanceAfter, orderId, at } = entry
  if (!isPartnerType(type))
    throw new Error(`entry ${no} of type ${type} moves no partner's balance`)
  return {
    id: ledgerId(no),
    type,
    amount: amount ?? ZERO,
    balanceAfter: balanceAfter ?? ZERO,
    orderId,
    createdAt: instantText(at),
    mode,
  }
}
