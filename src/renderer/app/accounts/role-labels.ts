import type { Account, Role } from '../../../contract/app/accounts.ts'
import { kindOfKey } from './key-field.ts'

const roleLabels: Record<Role, string> = { partner: 'Partner', seller: 'Seller' }

/**
 * An account's role. In the sandbox, a partner's live and test keys have the same badge, so that
 * the kind of key is added.
 */
export function roleLabelOf({
  role,
  mode,
  maskedKey,
}: Pick<Account, 'role' | 'mode' | 'maskedKey'>): string {
  const kind = kindOfKey(maskedKey)
  return mode === 'sandbox' && role === 'partner' && kind !== null
    ? `${roleLabels[role]}, ${kind.mode}`
    : roleLabels[role]
}
