import type { Settings } from '../../../contract/app/app.ts'
import type { BatchDisputes } from '../../../contract/disputes/dispute-records.ts'
import type { DisputesContext } from '../context.ts'
import type { DisputeDependencies, DisputeOffer } from '../settle/effects.ts'

/** Batches with more disputes than the settings allow, worst first. */
export function alarmingBatches<Batch extends Pick<BatchDisputes, 'keys' | 'claimed'>>(
  batches: readonly Batch[],
  { alarmClaims, alarmPercent }: Pick<Settings, 'alarmClaims' | 'alarmPercent'>,
): Batch[] {
  const shareOf = ({ keys, claimed }: Batch): number => claimed / Math.max(1, keys)
  return batches
    .filter(
      (batch) => batch.claimed >= alarmClaims && batch.claimed * 100 >= batch.keys * alarmPercent,
    )
    .toSorted((a, b) => shareOf(b) - shareOf(a))
}

/** Batches with an alarm, worst first, and a lookup of offers' stock at the same moment. */
export async function readAlarms(
  { settings }: Pick<DisputesContext, 'settings'>,
  { disputedBatches }: Pick<DisputeDependencies, 'disputedBatches'>,
  accountId: string,
): Promise<{ alarms: BatchDisputes[]; stockOf: (offerId: string) => number | null }> {
  const { batches, stockOf } = await disputedBatches(accountId, settings.get().alarmClaims)
  return { alarms: alarmingBatches(batches, settings.get()), stockOf }
}

/**
 * The offer of a dispute with its stock, and the batches with an alarm that have keys in that
 * stock, all counted at the same moment.
 */
export async function readOfferStock(
  context: Pick<DisputesContext, 'settings'>,
  dependencies: Pick<DisputeDependencies, 'offer' | 'disputedBatches'>,
  accountId: string,
  offerId: string | null,
): Promise<{ offer: DisputeOffer | null; alarmsInStock: BatchDisputes[] }> {
  const { alarms, stockOf } = await readAlarms(context, dependencies, accountId)
  const offer = offerId === null ? null : dependencies.offer(accountId, offerId)
  if (offer === null) return { offer, alarmsInStock: [] }
  return {
    offer: { ...offer, stock: stockOf(offer.offerId) ?? offer.stock },
    alarmsInStock: alarms.filter((each) => each.offerId === offerId && each.forSale > 0),
  }
}
