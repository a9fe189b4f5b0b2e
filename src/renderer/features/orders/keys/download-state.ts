import type { OrderDetail } from '../../../../contract/order-records.ts'

export type DownloadState = {
  /** How many delivered keys aren't on this computer. */
  missing: number
  /** When the first download was recorded, by the service or on this computer; null if never. */
  recordedAt: number | null
  /** Where keys were downloaded before. */
  before: 'nowhere' | 'here' | 'elsewhere'
}

/** Which keys of an order a download adds, and whether it is the first one. */
export function downloadState({
  deliveredUnits,
  keys,
  firstDownloadedAt,
  downloadedHereAt,
}: Pick<OrderDetail, 'deliveredUnits' | 'firstDownloadedAt' | 'downloadedHereAt'> & {
  keys: readonly unknown[]
}): DownloadState {
  const recordedAt = firstDownloadedAt ?? downloadedHereAt
  return {
    missing: Math.max(0, deliveredUnits - keys.length),
    recordedAt,
    before: keys.length > 0 ? 'here' : recordedAt === null ? 'nowhere' : 'elsewhere',
  }
}
