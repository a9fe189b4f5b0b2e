import type { Import } from '../../../../contract/keys/import-records.ts'
import type { Said } from '../../../ui/feedback/moves.ts'
import { formatCount } from '../../../ui/format.ts'
import { type Frozen, useFrozen } from '../../../ui/hooks/use-frozen.ts'

type Totals = Import['sums']

const parts = [
  ['ready', 'Ready'],
  ['noOffer', 'No offer'],
  ['setAside', 'Set aside'],
  ['duplicate', 'Duplicates'],
  ['refused', 'Rejected'],
  ['requests', 'Requests'],
] as const

/** The totals of a draft as texts. */
export const totalTexts = (totals: Totals): Said[] =>
  parts.map(([subject, name]) => ({ subject, text: `${name} ${formatCount(totals[subject])}` }))
const totalKey = (totals: Totals): string => JSON.stringify(totalTexts(totals))

/**
 * The totals of a draft as the person read them. The person's own edits show other totals; anything
 * else that changes them, such as another import that uploaded the same keys, has to be accepted.
 */
export function useSeenTotals({ sums, sumsBefore }: Import): Frozen<Totals | null> {
  const edited = sumsBefore ?? sums
  return useFrozen<Totals>(sums, totalKey(edited), totalKey, edited)
}
