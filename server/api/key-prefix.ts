/**
 * Reads the kind of an API key from its prefix, and masks keys for display: at most the last four
 * characters are shown.
 */
import type { Mode } from './schemas/enums.ts'

export const keyPrefixes = { test: 'svc_test_', live: 'svc_live_', seller: 'svcs_' } as const

export type KeyKind =
  | { readonly api: 'partner'; readonly mode: Mode; readonly prefix: string }
  | { readonly api: 'seller'; readonly prefix: string }

/** The kind of the key, or null when it starts with no known prefix. */
export function keyKind(key: string): KeyKind | null {
  if (key.startsWith(keyPrefixes.test))
    return { api: 'partner', mode: 'test', prefix: keyPrefixes.test }
  if (key.startsWith(keyPrefixes.live))
    return { api: 'partner', mode: 'live', prefix: keyPrefixes.live }
  if (key.startsWith(keyPrefixes.seller)) return { api: 'seller', prefix: keyPrefixes.seller }
  return null
}

/**
 * A masked key for screens and logs: `svc_test_…4f2c`. Keys too short to hide anything are masked
 * completely.
 */
export function maskKey(key: string): string {
  const prefix = keyKind(key)?.prefix ?? ''
  return key.length - prefix.length < 12 ? `${prefix}…` : `${prefix}…${key.slice(-4)}`
}
