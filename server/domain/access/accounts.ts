import { ApiError } from '../../api/errors.ts'
import type { BodyOf } from '../../api/handlers.ts'
import type { Context } from '../context.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import type { Commission, PartnerRecord, SellerRecord } from '../ports/accounts.ts'
import { defaultCommission } from '../offers/pricing.ts'
import type { Supply } from '../catalogue/supply.ts'
import { defaultSpendingLimits } from '../limits/spending-limits.ts'

export interface Accounts {
  createPartner(body: BodyOf<'createPartner'>): PartnerRecord
  partner(id: string): PartnerRecord
  changePartner(id: string, body: BodyOf<'changePartner'>): PartnerRecord
  createSeller(body: BodyOf<'createSeller'>): SellerRecord
  seller(id: string): SellerRecord
  /**
   * Also updates the seller's offers, and through them the catalogue, when terms or status change.
   */
  changeSeller(id: string, body: BodyOf<'changeSeller'>): SellerRecord
}

const newPartner = (
  body: BodyOf<'createPartner'>,
  id: string,
  createdAt: number,
): PartnerRecord => ({
  id,
  name: body.name,
  email: body.email ?? null,
  status: body.status ?? 'active',
  perOrderLimit:
    body.perOrderLimit === undefined ? defaultSpendingLimits.perOrder : body.perOrderLimit,
  dailyLimit: body.dailyLimit === undefined ? defaultSpendingLimits.daily : body.dailyLimit,
  ipAllowlist: body.ipAllowlist ?? [],
  priceFactor: body.priceFactor ?? 1,
  createdAt,
})

/** Fields that the request doesn't name keep their values. */
const changedPartner = (before: PartnerRecord, body: BodyOf<'changePartner'>): PartnerRecord => ({
  ...before,
  name: body.name ?? before.name,
  email: body.email === undefined ? before.email : body.email,
  status: body.status ?? before.status,
  perOrderLimit: body.perOrderLimit === undefined ? before.perOrderLimit : body.perOrderLimit,
  dailyLimit: body.dailyLimit === undefined ? before.dailyLimit : body.dailyLimit,
  ipAllowlist: body.ipAllowlist ?? before.ipAllowlist,
})

/**
 * Partners and sellers of the dashboard. `changed` is called after each change, to invalidate
 * cached callers.
 */
export function createAccounts(
  { store, clock, ids }: Context,
  supply: Supply,
  terms: OfferTerms,
  changed: () => void,
): Accounts {
  function partner(id: string): PartnerRecord {
    const record = store.accounts.partner(id)
    if (!record) throw new ApiError('NOT_FOUND', 'Partner not found.')
    return record
  }
  function seller(id: string): SellerRecord {
    const record = store.accounts.seller(id)
    if (!record) throw new ApiError('NOT_FOUND', 'Seller not found.')
    return record
  }

  return {
    partner,
    seller,
    createPartner(body) {
      const record = newPartner(body, ids.next('ptr'), clock.now())
      store.transaction(() => store.accounts.insertPartner(record))
      return record
    },
    changePartner: (id, body) =>
      store.transaction(() => {
        const record = changedPartner(partner(id), body)
        store.accounts.updatePartner(record)
        store.afterCommit(changed)
        return record
      }),
    createSeller(body) {
      const record: SellerRecord = {
        id: ids.next('sel'),
        name: body.name,
        status: body.status ?? 'active',
        commission: merged(defaultCommission, body.commission),
        createdAt: clock.now(),
      }
      store.transaction(() => store.accounts.insertSeller(record))
      return record
    },
    changeSeller: (id, body) =>
      store.transaction(() => {
        const before = seller(id)
        const record: SellerRecord = {
          ...before,
          name: body.name ?? before.name,
          status: body.status ?? before.status,
          commission: merged(before.commission, body.commission),
        }
        store.accounts.updateSeller(record)
        store.afterCommit(changed)
        const stamp = supply.stamp()
        for (const offer of store.offers.ofSeller(id)) {
          terms.reprice(offer)
          supply.refresh(offer.productId, stamp)
        }
        return record
      }),
  }
}

function merged(
  base: Commission,
  change: { [K in keyof Commission]?: number | undefined } | undefined,
): Commission {
  return {
    keys: change?.keys ?? base.keys,
    accounts_and_gifts: change?.accounts_and_gifts ?? base.accounts_and_gifts,
    special_subscriptions: change?.special_subscriptions ?? base.special_subscriptions,
  }
}
