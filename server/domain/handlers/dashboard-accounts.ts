import type { Handlers } from '../../api/handlers.ts'
import { envelopeOf, pageOf } from '../../api/schemas/paging.ts'
import { instantMs, instantText, instantTextOrNull } from '../context.ts'
import type { ApiKeyRecord, PartnerRecord, SellerRecord } from '../ports/accounts.ts'
import type { Parts } from './parts.ts'

/** Partners and their keys on the dashboard interface. */
export function dashboardPartnerHandlers({ context, accounts, keys, ledger }: Parts) {
  const { store } = context

  const withBalances = (partner: PartnerRecord) => ({
    ...partnerView(partner),
    balances: {
      live: ledger.partnerBalance(partner.id, 'live'),
      test: ledger.partnerBalance(partner.id, 'test'),
    },
  })

  return {
    createPartner: (_call, { body }) => ({
      status: 201,
      body: partnerView(accounts.createPartner(body)),
    }),
    listPartners(_call, { query }) {
      const { offset, limit } = pageOf(query)
      const results = store.accounts.partners(offset, limit).map(partnerView)
      return { status: 200, body: envelopeOf(query, store.accounts.countPartners(), results) }
    },
    getPartner: (_call, { params }) => ({
      status: 200,
      body: withBalances(accounts.partner(params.id)),
    }),
    changePartner: (_call, { params, body }) => ({
      status: 200,
      body: withBalances(accounts.changePartner(params.id, body)),
    }),
    createPartnerKey(_call, { params, body }) {
      const { id: accountId } = accounts.partner(params.id)
      const { mode, scopes, expiresAt } = body
      const { key, record } = keys.issue({
        owner: 'partner',
        accountId,
        mode,
        expiresAt: timeOrNull(expiresAt),
        ...(scopes ? { scopes: [...new Set(scopes)] } : {}),
      })
      return {
        status: 201,
        body: { id: record.id, key, mode, scopes: record.scopes, ...lifetime(record) },
      }
    },
    listPartnerKeys(_call, { params }) {
      const list = keys.list(accounts.partner(params.id).id)
      return {
        status: 200,
        body: {
          results: list.map((record) => ({
            ...keyFacts(record),
            mode: record.mode,
            scopes: record.scopes,
          })),
        },
      }
    },
    revokePartnerKey(_call, { params }) {
      keys.revoke(accounts.partner(params.id).id, params.keyId)
      return { status: 204 }
    },
  } satisfies Handlers
}

/** Sellers and their keys on the dashboard interface. */
export function dashboardSellerHandlers({ context, accounts, keys }: Parts) {
  const { store } = context
  return {
    createSeller: (_call, { body }) => ({
      status: 201,
      body: sellerView(accounts.createSeller(body)),
    }),
    listSellers(_call, { query }) {
      const { offset, limit } = pageOf(query)
      const results = store.accounts.sellers(offset, limit).map(sellerView)
      return { status: 200, body: envelopeOf(query, store.accounts.countSellers(), results) }
    },
    getSellerAccount: (_call, { params }) => ({
      status: 200,
      body: sellerView(accounts.seller(params.id)),
    }),
    changeSeller: (_call, { params, body }) => ({
      status: 200,
      body: sellerView(accounts.changeSeller(params.id, body)),
    }),
    createSellerKey(_call, { params, body }) {
      const { id: accountId } = accounts.seller(params.id)
      const { key, record } = keys.issue({
        owner: 'seller',
        accountId,
        mode: 'live',
        expiresAt: timeOrNull(body.expiresAt),
      })
      return { status: 201, body: { id: record.id, key, ...lifetime(record) } }
    },
    listSellerKeys: (_call, { params }) => ({
      status: 200,
      body: { results: keys.list(accounts.seller(params.id).id).map(keyFacts) },
    }),
    revokeSellerKey(_call, { params }) {
      keys.revoke(accounts.seller(params.id).id, params.keyId)
      return { status: 204 }
    },
  } satisfies Handlers
}

const timeOrNull = (text: string | null | undefined): number | null =>
  text ? instantMs(text) : null

const lifetime = ({ createdAt, expiresAt }: ApiKeyRecord) => ({
  createdAt: instantText(createdAt),
  expiresAt: instantTextOrNull(expiresAt),
})

const keyFacts = (record: ApiKeyRecord) => ({
  id: record.id,
  prefix: record.prefix,
  lastFour: record.lastFour,
  ...lifetime(record),
  lastUsedAt: instantTextOrNull(record.lastUsedAt),
  revokedAt: instantTextOrNull(record.revokedAt),
})

const partnerView = ({ createdAt, ...partner }: PartnerRecord) => ({
  ...partner,
  createdAt: instantText(createdAt),
})

const sellerView = ({ createdAt, ...seller }: SellerRecord) => ({
  ...seller,
  createdAt: instantText(createdAt),
})
