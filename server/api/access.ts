/** Who may call: the port by which the http layer asks for the holder of a key. */
import type { PartnerCaller, SellerCaller } from './handlers.ts'
import type { AccountStatus } from './words.ts'

/**
 * The holder of a valid key. Whether the account is active and the address allowed is told apart,
 * for the order of checks (Decision 7).
 */
export type KeyHolder<C extends PartnerCaller | SellerCaller> = {
  readonly caller: C
  readonly accountStatus: AccountStatus
  /** Whether the account's allowlist admits the client's address; true without a list. */
  readonly addressAllowed: boolean
}

/** Implemented by the domain over its store. Keys are known by their hash only. */
export interface Access {
  /**
   * The holder of a partner key, or null when it is unknown, revoked or expired. `keySha256` is the
   * lower-case hex SHA-256 of the whole key. Marks the key as used now.
   */
  partner(keySha256: string, address: string): KeyHolder<PartnerCaller> | null
  /** The holder of a seller key, likewise. */
  seller(keySha256: string, address: string): KeyHolder<SellerCaller> | null
}
