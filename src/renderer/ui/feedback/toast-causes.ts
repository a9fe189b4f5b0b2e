import type { Problem } from '../../../contract/base.ts'
import { isVaultCode } from '../../../contract/problem-codes.ts'

/** States that problems report and that end without the person: then their toasts close. */
export const toastCauses = ['offline', 'vault', 'disk'] as const
export type ToastCause = (typeof toastCauses)[number]

/**
 * The state that a problem reports; null if it is about one action, such as a lost response: that
 * may or may not have done something, whatever happens later.
 */
export function causeOf({ code }: Pick<Problem, 'code'>): ToastCause | null {
  if (isVaultCode(code)) return 'vault'
  switch (code) {
    case 'OFFLINE':
    case 'SERVICE_UNAVAILABLE':
      return 'offline'
    case 'DISK_FULL':
      return 'disk'
    default:
      return null
  }
}
