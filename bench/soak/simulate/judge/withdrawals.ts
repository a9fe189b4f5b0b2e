import { PLAIN_EXPORT_PHRASE } from '../../../../src/contract/app/vault.ts'
import type { Trial } from './trial.ts'

/** The withdrawn keys in the vault, by the id of their offer. */
export type WithdrawnKeys = ReadonlyMap<string, readonly string[]>

export async function readWithdrawnKeys({ ask, seller }: Trial): Promise<WithdrawnKeys> {
  const keys = new Map<string, string[]>()
  for (const { withdrawalId, offerId, kept } of await ask.offers.withdrawals.list({
    accountId: seller,
  })) {
    if (kept === 0) continue
    const { base64 } = await ask.offers.withdrawals.export({
      accountId: seller,
      withdrawalId,
      typed: PLAIN_EXPORT_PHRASE,
    })
    const some = Buffer.from(base64, 'base64').toString('utf8').split('\n').filter(Boolean)
    keys.set(offerId, [...(keys.get(offerId) ?? []), ...some])
  }
  return keys
}

/** The service returns a withdrawn key only once: it is in the vault, unless it was uploaded again. */
export function judgeWithdrawals({ shop, world, note }: Trial, kept: WithdrawnKeys): void {
  const missing = world.missingUnits(shop)
  for (const [offerId, keys] of kept)
    for (const key of keys) missing.delete(world.fingerprintOf(offerId, key))
  if (missing.size > 0)
    note({ kind: 'lost', what: `${missing.size} withdrawn keys are not in the vault` })
}
