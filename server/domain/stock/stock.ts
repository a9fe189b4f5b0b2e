import { ApiError } from '../../api/errors.ts'
import type { Context } from '../context.ts'
import { type CheckedKey, fingerprint } from './key-rules.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { Offers } from '../offers/offers.ts'
import type { Supply } from '../catalogue/supply.ts'

export interface Stock {
  /** Adds checked keys to an offer and skips duplicates (Decision 28). */
  upload(
    sellerId: string,
    offerId: string,
    keys: readonly CheckedKey[],
  ): { added: number; duplicates: number; stock: number }
  /**
   * Withdraws unsold keys, oldest first, or all of them without `count` (Decision 29).
   * INSUFFICIENT_STOCK withdraws nothing.
   */
  withdraw(
    sellerId: string,
    offerId: string,
    count?: number,
  ): { count: number; keys: string[]; stock: number }
}

/**
 * The key stock of offers. Call both functions inside the caller's transaction, together with the
 * response that is stored for replays.
 */
export function createStock({ store, clock }: Context, supply: Supply, offers: Offers): Stock {
  return {
    upload(sellerId, offerId, keys) {
      const offer = offers.own(sellerId, offerId)
      return store.transaction(() => {
        const uploadedAt = clock.now()
        let added = 0
        for (const { value, contentType } of keys) {
          const unit = {
            offerNo: offer.no,
            fingerprint: fingerprint(offer.productId, value),
            contentType,
            value,
            uploadedAt,
          }
          if (store.stock.add(unit)) added += 1
          reachCrashPoint('upload.unit')
        }
        if (added > 0) {
          store.offers.move(offer.no, { stock: added })
          supply.refresh(offer.productId, supply.stamp())
        }
        return { added, duplicates: keys.length - added, stock: offer.stock + added }
      })
    },
    withdraw(sellerId, offerId, count) {
      const offer = offers.own(sellerId, offerId)
      const wanted = count ?? offer.stock
      if (wanted > offer.stock) {
        throw new ApiError('INSUFFICIENT_STOCK', undefined, { stock: offer.stock })
      }
      return store.transaction(() => {
        const units = store.stock.oldest(offer.no, wanted)
        for (const unit of units) {
          store.stock.withdraw(unit.no)
          reachCrashPoint('withdraw.unit')
        }
        if (units.length > 0) {
          store.offers.move(offer.no, { stock: -units.length })
          supply.refresh(offer.productId, supply.stamp())
        }
        return {
          count: units.length,
          keys: units.map((unit) => unit.value),
          stock: offer.stock - units.length,
        }
      })
    },
  }
}
