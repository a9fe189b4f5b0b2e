import { keyKind } from '../../../../server/api/key-prefix.ts'
import type { Account, KeyCheck } from '../../../contract/app/accounts.ts'
import { msSince } from '../../clock.ts'
import type { Clock } from '../../clock.ts'
import { failure } from '../../failure.ts'
import type { ServiceClient } from '../../service-client/service-client.ts'
import type { ProveSandbox } from './sandbox-proof.ts'

/**
 * `svcs_••••4f2c`: prefix, bullets, the last four characters. Shows no characters of a key that is
 * too short to hide the rest.
 */
export function maskedKey(key: string): string {
  const prefix = keyKind(key)?.prefix ?? ''
  return key.length - prefix.length < 12 ? `${prefix}••••` : `${prefix}••••${key.slice(-4)}`
}

/**
 * The role and mode in a key's prefix. Throws Failure `INVALID_INPUT` for a text that can't be a
 * key of the service.
 */
export function kindOfKey(key: string): { role: 'partner' | 'seller'; mode: 'live' | 'test' } {
  const kind = keyKind(key)
  if (kind === null || !/^[\x21-\x7e]+$/.test(key)) {
    const message =
      'A key starts with svc_test_, svc_live_ (partners) or svcs_ (sellers) and contains no spaces. ' +
      'Copy it again from the dashboard.'
    throw failure('INVALID_INPUT', 'This isn’t an API key of the service.', message, {
      effect: 'Nothing was sent.',
      fields: [{ field: 'key', message }],
    })
  }
  return kind.api === 'seller'
    ? { role: 'seller', mode: 'live' }
    : { role: 'partner', mode: kind.mode }
}

/**
 * Checks with the service whether it accepts a key (GET /ping, or the seller's GET /me), and
 * whether the service is a sandbox. Throws Failure with what to do.
 */
export async function checkKey(
  client: ServiceClient,
  clock: Clock,
  proveSandbox: ProveSandbox,
  { key, baseUrl }: { key: string; baseUrl: string },
): Promise<KeyCheck> {
  const kind = kindOfKey(key)
  const line = client.connect({
    accountId: null,
    baseUrl: () => baseUrl,
    credentials: () => ({ key, baseUrl }),
    takesIdempotencyKeys: () => false,
    refusal: () => null,
    refused: () => {},
    accepted: () => {},
    dated: () => {},
    changed: () => {},
    probe: async () => {},
  })
  const began = clock.monotonic()
  const modeAt = async (mode: 'live' | 'test'): Promise<Account['mode']> =>
    (await proveSandbox(baseUrl)).kind === 'proven' ? 'sandbox' : mode
  try {
    if (kind.role === 'seller') {
      const me = await line.call('getSeller', {})
      const latencyMs = Math.round(msSince(clock, began))
      return {
        role: kind.role,
        mode: await modeAt(kind.mode),
        latencyMs,
        shopName: me.name ?? null,
        serviceAccountId: me.sellerId ?? null,
        status: me.status ?? null,
        currency: me.currency ?? null,
        commissions: (me.commissions ?? []).map((term) => ({
          class: term.class,
          percent: term.percent,
        })),
        scopes: [],
        idempotency: me.idempotency ?? false,
      }
    }
    const ping = await line.call('ping', {})
    const latencyMs = Math.round(msSince(clock, began))
    return {
      role: kind.role,
      mode: await modeAt(ping.mode === 'test' ? 'test' : 'live'),
      latencyMs,
      shopName: null,
      serviceAccountId: ping.partnerId,
      status: null,
      currency: null,
      commissions: [],
      scopes: ping.scopes,
      idempotency: true,
    }
  } finally {
    line.close()
  }
}
