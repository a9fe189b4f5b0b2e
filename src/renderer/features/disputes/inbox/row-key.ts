import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'

/** Identifies a dispute among those of all accounts. */
export const rowKey = ({
  accountId,
  disputeId,
}: Pick<DisputeRow, 'accountId' | 'disputeId'>): string => `${accountId}/${disputeId}`
