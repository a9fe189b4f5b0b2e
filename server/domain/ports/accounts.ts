import type { Cents } from '../../api/money.ts'
import type { AccountStatus, CommissionClass, Mode, Scope } from '../../api/schemas/enums.ts'

/** Percent on top of the seller's price, by class. */
export type Commission = Record<CommissionClass, number>

export interface PartnerRecord {
  id: string
  name: string
  email: string | null
  status: AccountStatus
  /** Null means no limit. */
  perOrderLimit: Cents | null
  dailyLimit: Cents | null
  ipAllowlist: string[]
  priceFactor: number
  createdAt: number
}

export interface SellerRecord {
  id: string
  name: string
  status: AccountStatus
  commission: Commission
  createdAt: number
}

export interface ApiKeyRecord {
  id: string
  owner: 'partner' | 'seller'
  accountId: string
  mode: Mode
  /** SHA-256 of the key. The key itself isn't stored. */
  hash: Uint8Array
  prefix: string
  lastFour: string
  scopes: Scope[]
  /** `demo` keys are issued at each start and revoked at the next. */
  origin: 'dashboard' | 'demo'
  createdAt: number
  lastUsedAt: number | null
  expiresAt: number | null
  revokedAt: number | null
}

export interface EmailRecord {
  partnerId: string
  to: string
  subject: string
  text: string
  at: number
}

export interface TopUpReference {
  reference: string
  partnerId: string
  mode: Mode
  createdAt: number
  usedAt: number | null
}

export interface AccountRepository {
  insertPartner(partner: PartnerRecord): void
  updatePartner(partner: PartnerRecord): void
  partner(id: string): PartnerRecord | undefined
  /** Newest first, then by id. */
  partners(offset: number, limit: number): PartnerRecord[]
  countPartners(): number
  insertSeller(seller: SellerRecord): void
  updateSeller(seller: SellerRecord): void
  seller(id: string): SellerRecord | undefined
  sellers(offset: number, limit: number): SellerRecord[]
  countSellers(): number
  insertKey(key: ApiKeyRecord): void
  keyByHash(hash: Uint8Array): ApiKeyRecord | undefined
  key(id: string): ApiKeyRecord | undefined
  /** Newest first, then by id. */
  keysOf(accountId: string): ApiKeyRecord[]
  revokeKey(id: string, at: number): void
  /** Revokes every unrevoked key of that origin. */
  revokeKeysFrom(origin: ApiKeyRecord['origin'], at: number): void
  setLastUsed(id: string, at: number): void
  insertReference(reference: TopUpReference): void
  reference(reference: string): TopUpReference | undefined
  useReference(reference: string, at: number): void
  insertEmail(email: EmailRecord): void
  /** Newest first. */
  emails(partnerId: string, offset: number, limit: number): EmailRecord[]
  countEmails(partnerId: string): number
}
