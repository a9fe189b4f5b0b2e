/**
 * Access checks in the order of Decision 7: key, account, address, key rate, unknown route, scope,
 * rate of the endpoint. All of them run before a byte of the body is read, and in one turn of the
 * event loop, so that the rates are exact.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Access } from '../../api/access.ts'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { ApiError } from '../../api/errors.ts'
import type { Caller, PartnerCaller, SellerCaller } from '../../api/handlers.ts'
import { keyKind } from '../../api/key-prefix.ts'
import type { RateLimiter } from '../../domain/limits/rate-limiter.ts'
import { credentialOf } from './credentials.ts'
import type { Zone } from './zones.ts'

export type AdmissionPorts = {
  readonly access: Access
  /** Null if request rates are off. */
  readonly rates: RateLimiter | null
  readonly dashboardToken: string
}

export type Arrival = {
  readonly zone: Zone
  /** Null for an unknown route. */
  readonly endpoint: Endpoint | null
  readonly rawHeaders: readonly string[]
  readonly address: string
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

function holderOf(zone: 'partner' | 'seller', key: string, address: string, access: Access) {
  if (keyKind(key)?.api !== zone) return null
  const keySha256 = hash('sha256', key)
  return zone === 'partner' ? access.partner(keySha256, address) : access.seller(keySha256, address)
}

function admitKey(
  zone: 'partner' | 'seller',
  arrival: Arrival,
  access: Access,
): PartnerCaller | SellerCaller {
  const key = credentialOf(arrival.rawHeaders, zone === 'partner')
  const holder = holderOf(zone, key, arrival.address, access)
  if (holder === null) throw new ApiError('UNAUTHORIZED')
  if (holder.accountStatus !== 'active') throw new ApiError('ACCOUNT_NOT_ACTIVE')
  if (!holder.addressAllowed) throw new ApiError('IP_NOT_ALLOWED')
  return holder.caller
}

/**
 * Whether the key can call the endpoint at all: seller keys have full access to their seller's
 * endpoints.
 */
const permits = (caller: PartnerCaller | SellerCaller, { scope }: Endpoint): boolean =>
  scope === null || caller.kind === 'seller' || caller.scopes.includes(scope)

function admitRequest(
  caller: PartnerCaller | SellerCaller,
  endpoint: Endpoint | null,
  rates: RateLimiter | null,
): void {
  const permitted = endpoint !== null && permits(caller, endpoint)
  const rate = permitted ? endpoint.rate : null
  rates?.assertKeyRate(caller, rate)
  if (permitted && rate !== null) rates?.assertClassRate(caller, rate)
  rates?.count(caller, rate)
  if (endpoint === null) throw new ApiError('NOT_FOUND')
  if (!permitted) throw new ApiError('INSUFFICIENT_SCOPE')
}

/**
 * Returns the caller of an admitted request; null in the public zone. Throws the first refusal that
 * applies.
 */
export function createAdmission(ports: AdmissionPorts): (arrival: Arrival) => Caller | null {
  const expected = digest(ports.dashboardToken)
  return (arrival) => {
    const { zone, endpoint } = arrival
    if (zone === 'partner' || zone === 'seller') {
      const caller = admitKey(zone, arrival, ports.access)
      admitRequest(caller, endpoint, ports.rates)
      return caller
    }
    if (zone === 'dashboard') {
      if (!timingSafeEqual(digest(credentialOf(arrival.rawHeaders, false)), expected))
        throw new ApiError('UNAUTHORIZED')
      if (endpoint === null) throw new ApiError('NOT_FOUND')
      return { kind: 'dashboard' }
    }
    return null
  }
}
