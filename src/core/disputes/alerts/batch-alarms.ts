import type { Settings } from '../../../contract/app/app.ts'
import type { BatchDisputes } from '../../../contract/disputes/dispute-records.ts'

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
