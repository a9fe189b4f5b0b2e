import { changeReasons } from '../../../contract/price-watch/price-rules.ts'
import type { ChangeReason } from '../../../contract/price-watch/price-rules.ts'

/** Whether a reason is one for changing a price. */
export const isChange = (reason: string): reason is ChangeReason =>
  (changeReasons as readonly string[]).includes(reason)
