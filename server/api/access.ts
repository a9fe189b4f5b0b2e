/** The port through which the http layer looks up the holder of a key. */
import type { PartnerCaller, SellerCaller } from './handlers.ts'
import type { AccountStatus } from './schemas/enums.ts'

/**
 * The holder of a valid key. The account's status and the address check are separate fields because
 * they are checked at different steps (Decision 7).
 */
export type KeyHolder<C extends PartnerCaller | SellerCaller> = {
  readonly caller: C
  readonly accountStatus: AccountStatus
  /**
   * Whether the account's allowlist admits the client's address; true if the account has no
   * allowlist.
   */
  readonly addressAllowed: boolean
}

/** Implemented by the domain over its store. Keys are stored only as hashes. */
export interface Access {
  /**
   * Returns the holder of a partner key, or null when the key is unknown, revoked or expired.
   * `keySha256` is the lower-case hex SHA-256 of the full key. Marks the key as used now.
   */
  partner(keySha256: string, address: string): KeyHolder<PartnerCaller> | null
  /** Returns the holder of a seller key, in the same way. */
  seller(keySha256: string, address: string): KeyHolder<SellerCaller> | null
}
