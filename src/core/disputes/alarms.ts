import type { BatchClaims } from '../../contract/dispute-records.ts'

/** A batch is alarming from so many claims on, and from this share of its keys on: a single bad key is no bad batch. */
const LEAST_CLAIMS = 3
const SHARE = 0.03

/** Batches with more claims than is usual, the worst first. */
export function alarming<Batch extends Pick<BatchClaims, 'keys' | 'claimed'>>(batches: readonly Batch[]): Batch[] {
  const shareOf = ({ keys, claimed }: Batch): number => claimed / Math.max(1, keys)
  return batches.filter((batch) => batch.claimed >= LEAST_CLAIMS && shareOf(batch) >= SHARE).toSorted((a, b) => shareOf(b) - shareOf(a))
}
