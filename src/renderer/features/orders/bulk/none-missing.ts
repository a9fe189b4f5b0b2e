import { t } from '../../../../contract/localization/localized.ts'
import type { BulkOrder } from '../../../../contract/order-records.ts'

/** The text instead of the lines of a bulk order that weren't placed, while there are none. */
export function noneMissing({ waiting, open }: BulkOrder['counts']): string {
  const count = waiting + open
  return count === 0
    ? 'Every line was placed.'
    : `No line was rejected so far. ${t('screens.orders-unsettled', { count })}`
}
