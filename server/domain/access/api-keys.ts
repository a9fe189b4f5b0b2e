import { createHash } from 'node:crypto'
import type { Access, KeyHolder } from '../../api/access.ts'
import { ApiError } from '../../api/errors.ts'
import type { PartnerCaller, SellerCaller } from '../../api/handlers.ts'
import { keyPrefixes } from '../../api/key-prefix.ts'
import { type Mode, type Scope, scopes as allScopes } from '../../api/schemas/enums.ts'
import { allowlist } from './allowlist.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { ApiKeyRecord } from '../ports/accounts.ts'
import type { Repositories } from '../ports/repositories.ts'

export interface NewApiKey {
  owner: 'partner' | 'seller'
  accountId: string
  mode: Mode
  scopes?: readonly Scope[]
  expiresAt?: number | null
  origin?: ApiKeyRecord['origin']
}

export interface ApiKeys extends Access {
  /** Creates a key. Only its hash is stored, so `key` can't be read again later. */
  issue(wanted: NewApiKey): { key: string; record: ApiKeyRecord }
  /** The account's keys, newest first. */
  list(accountId: string): ApiKeyRecord[]
  /** Revokes a key immediately. NOT_FOUND when it belongs to another account. */
  revoke(accountId: string, keyId: string): void
  revokeFrom(origin: ApiKeyRecord['origin']): void
  /** Clears the cached callers, because accounts or keys changed. */
  forget(): void
  /** Also drops what isn't flushed, because another state replaced the accounts and keys. */
  reload(): void
  /** Stores when keys were last used. */
  flush(): void
  /** How many keys were used since the last flush. */
  unflushed(): number
}

type Holder =
  | {
      kind: 'partner'
      key: ApiKeyRecord
      holder: Omit<KeyHolder<PartnerCaller>, 'addressAllowed'>
      allows: (address: string) => boolean
    }
  | { kind: 'seller'; key: ApiKeyRecord; holder: Omit<KeyHolder<SellerCaller>, 'addressAllowed'> }

const REMEMBERED = 10_000

/** Reads a key and its account from the store; null when either is missing or the key is revoked. */
function loadHolder(store: Repositories, keySha256: string): Holder | null {
  const key = store.accounts.keyByHash(Buffer.from(keySha256, 'hex'))
  if (!key || key.revokedAt !== null) return null
  if (key.owner === 'seller') {
    const seller = store.accounts.seller(key.accountId)
    if (!seller) return null
    const caller: SellerCaller = { kind: 'seller', sellerId: seller.id, keyId: key.id }
    return { kind: 'seller', key, holder: { caller, accountStatus: seller.status } }
  }
  const partner = store.accounts.partner(key.accountId)
  if (!partner) return null
  const { id: keyId, mode, scopes } = key
  const caller: PartnerCaller = { kind: 'partner', partnerId: partner.id, keyId, mode, scopes }
  return {
    kind: 'partner',
    key,
    holder: { caller, accountStatus: partner.status },
    allows: allowlist(partner.ipAllowlist),
  }
}

/** A new key made of random bytes, and its record, which has only the key's hash. */
function newKey(
  { owner, accountId, mode, scopes = allScopes, expiresAt = null, origin = 'dashboard' }: NewApiKey,
  bytes: Uint8Array,
  id: string,
  createdAt: number,
): { key: string; record: ApiKeyRecord } {
  const prefix = owner === 'seller' ? keyPrefixes.seller : keyPrefixes[mode]
  const key = `${prefix}${Buffer.from(bytes).toString('base64url')}`
  const record: ApiKeyRecord = {
    id,
    owner,
    accountId,
    mode,
    prefix,
    scopes: [...scopes],
    origin,
    expiresAt,
    hash: createHash('sha256').update(key).digest(),
    lastFour: key.slice(-4),
    createdAt,
    lastUsedAt: null,
    revokedAt: null,
  }
  return { key, record }
}

/**
 * API keys (Partner API, Authentication; Seller API, Authentication). Known key holders are cached
 * until something about them changes.
 */
export function createApiKeys({ store, clock, ids, random }: Context): ApiKeys {
  const holders = new Map<string, Holder>()
  const used = new Map<string, number>()

  function find(keySha256: string): Holder | null {
    let holder = holders.get(keySha256) ?? null
    if (!holder) {
      holder = loadHolder(store, keySha256)
      if (!holder) return null
      if (holders.size >= REMEMBERED) holders.clear()
      holders.set(keySha256, holder)
    }
    const now = clock.now()
    if (holder.key.expiresAt !== null && holder.key.expiresAt <= now) return null
    used.set(holder.key.id, now)
    return holder
  }

  function flush(): void {
    if (used.size === 0) return
    const noted = [...used]
    used.clear()
    store.transaction(() => {
      for (const [id, at] of noted) store.accounts.setLastUsed(id, at)
    })
  }

  return {
    partner(keySha256, address) {
      const found = find(keySha256)
      return found?.kind === 'partner'
        ? { ...found.holder, addressAllowed: found.allows(address) }
        : null
    },
    seller(keySha256) {
      const found = find(keySha256)
      return found?.kind === 'seller' ? { ...found.holder, addressAllowed: true } : null
    },
    issue(wanted) {
      const { key, record } = newKey(wanted, random.bytes(30), ids.next('apk'), clock.now())
      store.transaction(() => store.accounts.insertKey(record))
      reachCrashPoint('key.issued')
      return { key, record }
    },
    list(accountId) {
      flush()
      return store.accounts.keysOf(accountId)
    },
    revoke(accountId, keyId) {
      const key = store.accounts.key(keyId)
      if (!key || key.accountId !== accountId) throw new ApiError('NOT_FOUND', 'Key not found.')
      store.transaction(() => store.accounts.revokeKey(keyId, clock.now()))
      holders.clear()
    },
    revokeFrom(origin) {
      store.transaction(() => store.accounts.revokeKeysFrom(origin, clock.now()))
      holders.clear()
    },
    forget: () => holders.clear(),
    reload() {
      holders.clear()
      used.clear()
    },
    flush,
    unflushed: () => used.size,
  }
}
