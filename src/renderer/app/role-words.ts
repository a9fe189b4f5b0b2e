import type { Role } from '../../contract/accounts.ts'

export const roleWords: Record<Role, string> = { partner: 'Partner', seller: 'Seller' }
