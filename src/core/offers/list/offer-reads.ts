import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { offerFilterSchema } from '../../../contract/offers/offer-filter.ts'
import type { OfferFilter } from '../../../contract/offers/offer-filter.ts'
import type { ListedOffer, OfferRow } from '../../../contract/offers/offers.ts'
import type { ConnectionFacts } from '../../context.ts'
import { failure } from '../../failure.ts'
import type { PriceLimits } from '../bulk/planning/rules.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { idsOfOffers, listOffers } from './list.ts'
import { readOffer, readOffers } from './offer-rows.ts'
import { listedOffers } from './local-data.ts'
import { listCosts } from './local-terms.ts'
import { positionOfOffer } from './position.ts'
import { exportTable } from './table-export.ts'

type Inputs = InferContractRouterInputs<Contract['offers']>
type Outputs = InferContractRouterOutputs<Contract['offers']>

/** The fields by which other features match an offer. */
type OfferReference = {
  offerId: string
  productId: string
  name: string
  platform: string
  region: string
  deliveryType: string
  stock: number
}

const BY_NAME = { column: 'name', direction: 'asc' } as const
const filterOf = (filter: Inputs['ids']['filter']): OfferFilter =>
  offerFilterSchema.parse(filter ?? {})

/** An offer on this computer. Throws Failure `NOT_FOUND`. */
export function findOffer(session: OfferSession, offerId: string): OfferRow {
  const row = readOffer(session.store.db, offerId)
  if (row === undefined)
    throw failure(
      'NOT_FOUND',
      'Offer not found on this computer.',
      'Sync, or check the list of offers.',
    )
  return row
}

type Parts = {
  context: Pick<OffersContext, 'accounts' | 'attention' | 'clock' | 'settings'>
  sessionOf: (accountId: string) => OfferSession
  withQueuedChanges: (accountId: string, rows: readonly OfferRow[]) => OfferRow[]
  limitsOf: (accountId: string, row: OfferRow) => PriceLimits | null
}

/** Lists, finds and exports a seller's offers. */
export function createOfferReads({ context, sessionOf, withQueuedChanges, limitsOf }: Parts) {
  const database = (accountId: string) => sessionOf(accountId).store.db
  const listed = (accountId: string, rows: readonly OfferRow[]): ListedOffer[] =>
    listedOffers(
      database(accountId),
      withQueuedChanges(accountId, rows),
      context.accounts.serviceNow(accountId),
      (row) => limitsOf(accountId, row),
    )
  const lowStock = (): number => context.settings.get().lowStock
  const wantedOf = (
    accountId: string,
    filter: Inputs['ids']['filter'],
    sort: Inputs['ids']['sort'],
  ) => ({
    ...filterOf(filter),
    sort: sort ?? BY_NAME,
    lowStock: lowStock(),
    now: context.accounts.serviceNow(accountId),
  })

  return {
    ids: async ({ accountId, filter, sort }: Inputs['ids']): Promise<Outputs['ids']> => ({
      offerIds: await idsOfOffers(database(accountId), wantedOf(accountId, filter, sort)),
    }),
    async table({
      accountId,
      filter,
      sort,
      offerIds = null,
      form,
    }: Inputs['table']): Promise<Outputs['table']> {
      const db = database(accountId)
      const ids = offerIds ?? (await idsOfOffers(db, wantedOf(accountId, filter, sort)))
      return {
        fileName: `offers-${new Date(context.clock.now()).toISOString().slice(0, 10)}.csv`,
        ...(await exportTable(ids, (some) => readOffers(db, some), form)),
      }
    },
    costs: ({ accountId, offerIds, window }: Inputs['costs']): Outputs['costs'] =>
      listCosts(database(accountId), offerIds, {
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      }),
    list({ accountId, sort, window, ...filter }: Inputs['list']): Outputs['list'] {
      context.attention.markViewed(accountId, 'offers')
      const { store } = sessionOf(accountId)
      const found = listOffers(store.db, {
        ...wantedOf(accountId, filter, sort),
        offset: window?.offset ?? 0,
        limit: window?.limit ?? 100,
      })
      return {
        ...found,
        complete: store.sync().lastAt !== null,
        rows: listed(accountId, found.rows),
      }
    },
    position: ({
      accountId,
      sort,
      offerId,
      ...filter
    }: Inputs['position']): Outputs['position'] => ({
      index: positionOfOffer(database(accountId), wantedOf(accountId, filter, sort), offerId),
    }),
    offer({ accountId, offerId }: Inputs['offer']): Outputs['offer'] {
      const session = sessionOf(accountId)
      const { store } = session
      const row = findOffer(session, offerId)
      return {
        ...(listed(accountId, [row])[0] ?? {
          ...row,
          floorCents: null,
          ceilingCents: null,
          soldDays: null,
        }),
        history: store.history(store.find(offerId)?.rid ?? 0).map((each) => ({
          at: each.at,
          priceCents: each.price_cents,
          customerCents: each.customer_cents,
          lowestCustomerCents: each.lowest_customer_cents,
          isCheapest: each.is_cheapest === null ? null : each.is_cheapest === 1,
          stock: each.stock,
        })),
      }
    },
    /** All offers of a seller in the form that other features match against, by name. */
    keys(accountId: string): OfferReference[] {
      return sessionOf(accountId)
        .store.db.prepare(
          `
        SELECT offer_id AS offerId, coalesce(product_id, '') AS productId, name, platform, region,
            delivery_type AS deliveryType, stock
          FROM offers ORDER BY name_key, rid`,
        )
        .all() as OfferReference[]
    },
    facts(accountId: string): ConnectionFacts {
      const { store } = sessionOf(accountId)
      return { synced: { offers: store.sync().lastAt }, counts: { offers: store.count() } }
    },
  }
}
