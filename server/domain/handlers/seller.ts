import { type Handlers, withFieldCheck } from '../../api/handlers.ts'
import { envelopeOf, pageOf } from '../../api/schemas/paging.ts'
import { commissionClasses, CURRENCY } from '../../api/schemas/enums.ts'
import { checkKeys, keyProblems } from '../stock/key-rules.ts'
import type { Parts } from './parts.ts'

/** The Seller API's operations on the shop, its offers and its stock. */
export function sellerHandlers({ context, idempotency, listPages, offers, stock, terms }: Parts) {
  const { store } = context
  return {
    getSeller({ caller }) {
      const { id, name, status, commission } = offers.seller(caller.sellerId)
      const commissions = commissionClasses.map((name) => ({
        class: name,
        percent: commission[name],
      }))
      return {
        status: 200,
        body: { sellerId: id, name, status, currency: CURRENCY, commissions, idempotency: true },
      }
    },
    listSellerProducts({ caller }, { query }) {
      const seller = offers.seller(caller.sellerId)
      const { offset, limit } = pageOf(query)
      const results = store.catalogue
        .sellerPage(query.search, offset, limit)
        .map(({ id, ...product }) => ({
          productId: id,
          ...product,
          commission: terms.commission(seller, product),
        }))
      return {
        status: 200,
        body: envelopeOf(query, store.catalogue.sellerCount(query.search), results),
      }
    },
    listOffers: ({ caller: { sellerId } }, { query }) =>
      listPages('listOffers', sellerId, query, (offset, limit) => ({
        total: store.offers.count(sellerId, query.status),
        results: store.offers.page(sellerId, query.status, offset, limit).map(offers.view),
      })),
    saveOffer({ caller }, { body }) {
      const saved = offers.save(caller.sellerId, body)
      return saved.created ? { status: 201, body: saved } : { status: 200, body: saved }
    },
    getOffer: ({ caller }, { params }) => ({
      status: 200,
      body: offers.view(offers.own(caller.sellerId, params.id)),
    }),
    changeOffer: ({ caller }, { params, body }) => ({
      status: 200,
      body: offers.change(caller.sellerId, params.id, body),
    }),
    deleteOffer({ caller }, { params }) {
      const paused = offers.remove(caller.sellerId, params.id)
      return paused ? { status: 200, body: paused } : { status: 204 }
    },
    uploadKeys: withFieldCheck<'uploadKeys'>(
      ({ body }) => (body?.keys ?? []).flatMap((key, index) => keyProblems(`keys[${index}]`, key)),
      (call, { params, body }) => {
        const keys = checkKeys(body.keys)
        return idempotency.runOnce(call, 'uploadKeys', () => ({
          status: 200 as const,
          body: stock.upload(call.caller.sellerId, params.id, keys),
        }))
      },
    ),
    withdrawKeys: (call, { params, body }) =>
      idempotency.runOnce(
        call,
        'withdrawKeys',
        () => ({
          status: 200 as const,
          body: stock.withdraw(call.caller.sellerId, params.id, body.count),
        }),
        { holdsKeys: true },
      ),
  } satisfies Handlers
}
