import { isClaimable } from '../../../../../server/api/limits.ts'
import { MINUTE_MS } from '../../../../../server/api/time.ts'
import type { Claim } from '../../../../contract/claims.ts'
import type { OrderDetail, StoredKey } from '../../../../contract/order-records.ts'
import { isUnsentClaim } from '../../../lib/labels/claim-labels.ts'

export type ClaimWindow = {
  /** The next end of a key's window; the last end if all are over. */
  until: number
  isOver: boolean
  /** How many keys can no longer be claimed, while others can. */
  keysOver: number
  /** Whether the windows of other keys end later. */
  endsLater: boolean
  /** Whether a key that isn't on this computer may have been delivered earlier. */
  isLatest: boolean
}

/**
 * When the keys of an order without a sent claim can be claimed until. Null if no end is known.
 *
 * @param claims The claims on its keys, by key id.
 */
export function claimWindow(
  order: Pick<OrderDetail, 'units' | 'deliveredUnits' | 'claimUntil'> & {
    keys: readonly Pick<StoredKey, 'keyId' | 'claimUntil'>[]
  },
  claims: ReadonlyMap<string, Pick<Claim, 'state'>>,
  now: number,
): ClaimWindow | null {
  const { keys, units, deliveredUnits, claimUntil: atLatest } = order
  const missing = Math.max(0, deliveredUnits - keys.length)
  const atCompletion = atLatest === null ? [] : Array.from({ length: missing }, () => atLatest)
  const ends = keys
    .flatMap(({ keyId, claimUntil }) => {
      const claim = claims.get(keyId)
      return claim === undefined || isUnsentClaim(claim) ? [claimUntil] : []
    })
    .concat(atCompletion)
    .toSorted((a, b) => a - b)
  const open = ends.filter((end) => isClaimable(end, now))
  const until = open[0] ?? ends.at(-1)
  if (until === undefined) return null
  return {
    until,
    isOver: open.length === 0,
    keysOver: open.length === 0 ? 0 : ends.length - open.length,
    endsLater: open.some((end) => end - until >= MINUTE_MS),
    // The last unit is delivered at the order's completion, and the others before it.
    isLatest: atCompletion.length > 0 && units > 1,
  }
}
