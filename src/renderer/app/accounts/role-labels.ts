import type { Role } from '../../../contract/app/accounts.ts'

export const roleLabels: Record<Role, string> = { partner: 'Partner', seller: 'Seller' }
