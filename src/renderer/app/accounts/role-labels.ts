import type { Role } from '../../../contract/accounts.ts'

export const roleLabels: Record<Role, string> = { partner: 'Partner', seller: 'Seller' }
