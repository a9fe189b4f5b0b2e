import type { NewPrice } from '../../../../contract/offers/offer-creation.ts'

type By = NewPrice['by']

/**
 * The rule that prices new offers: the chosen one, or the prices of the table while it has some. A
 * table without prices can't set them.
 */
export const ruleInForce = (chosen: By | null, priced: boolean): By =>
  chosen !== null && (priced || chosen !== 'given') ? chosen : priced ? 'given' : 'undercut'
