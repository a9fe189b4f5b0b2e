import type { Mode, Role } from '../../contract/accounts.ts'

/** What the beginning of a key says about it, before the service is asked. Null: no known beginning. */
export function kindOfKey(key: string): { role: Role; mode: Exclude<Mode, 'sandbox'> } | null {
  if (key.startsWith('svc_test_')) return { role: 'partner', mode: 'test' }
  if (key.startsWith('svc_live_')) return { role: 'partner', mode: 'live' }
  return key.startsWith('svcs_') ? { role: 'seller', mode: 'live' } : null
}

/** Beginning, bullets, and the last four characters: enough to recognise a key, too little to use it. */
export function maskKey(key: string): string {
  const start = /^svc(?:s_|_test_|_live_)/.exec(key)?.[0] ?? ''
  const rest = key.slice(start.length)
  return rest.length < 12 ? start + '•'.repeat(rest.length) : `${start}${'•'.repeat(24)}${rest.slice(-4)}`
}

/** Whether a key is long enough to ask the service about it. */
export const isWholeKey = (key: string): boolean => kindOfKey(key) !== null && maskKey(key).includes('•'.repeat(24))

/** Why an address can't be one of the service; null when it can. Plain http is only for this machine. */
export function wrongAddress(address: string): string | null {
  if (!URL.canParse(address)) return 'Enter an address such as https://api.example.com/v1'
  const url = new URL(address)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return null
  return url.protocol === 'http:' ? 'Only https, except on this machine' : 'Only https addresses'
}
