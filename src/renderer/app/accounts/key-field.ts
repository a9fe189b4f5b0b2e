import type { KeyCheck, Mode, Role } from '../../../contract/app/accounts.ts'

/**
 * The role and mode that a key's prefix reveals, without asking the service. Null: unknown prefix.
 */
export function kindOfKey(key: string): { role: Role; mode: Exclude<Mode, 'sandbox'> } | null {
  if (key.startsWith('svc_test_')) return { role: 'partner', mode: 'test' }
  if (key.startsWith('svc_live_')) return { role: 'partner', mode: 'live' }
  return key.startsWith('svcs_') ? { role: 'seller', mode: 'live' } : null
}

const prefixes = ['svcs_', 'svc_live_', 'svc_test_']

/** Why a text can't become a key of the service; null when it still can. Judged by its start. */
export function keyError(key: string): string | null {
  const fits = prefixes.some((prefix) => prefix.startsWith(key) || key.startsWith(prefix))
  return fits ? null : 'A key starts with svcs_, svc_live_ or svc_test_'
}

/** The partner's scopes that a key lacks, as the actions that it can't perform. */
export function missingAbilities({ role, scopes }: Pick<KeyCheck, 'role' | 'scopes'>): string[] {
  if (role === 'seller') return []
  const has = (scope: string): boolean => scopes.includes(scope)
  return [
    ...(has('catalog:read') ? [] : ['read the catalogue']),
    ...(has('orders:write') ? [] : ['place orders']),
    ...(has('orders:read') ? [] : ['read orders or download keys']),
    ...(has('balance:read') ? [] : ['read the balance']),
  ]
}

/**
 * Prefix, bullets and the last four characters: enough to recognize a key, too little to use it.
 */
export function maskKey(key: string): string {
  const start = /^svc(?:s_|_test_|_live_)/.exec(key)?.[0] ?? ''
  const rest = key.slice(start.length)
  return rest.length < 12
    ? start + '•'.repeat(rest.length)
    : `${start}${'•'.repeat(24)}${rest.slice(-4)}`
}

/** Whether a key is long enough to check it with the service. */
export const isCompleteKey = (key: string): boolean =>
  kindOfKey(key) !== null && maskKey(key).includes('•'.repeat(24))

/**
 * The key after an edit of its field. A complete key is shown masked, so typing into it starts over
 * and replacing all of it sets a new key.
 */
export function editedKey(key: string, shownWhole: boolean, next: string): string {
  return shownWhole && next.includes('•')
    ? next
        .replace(maskKey(key), '')
        .replace(/•/g, '')
        .replace(/^svc.*/, '')
    : next.trim()
}

/**
 * Why an address can't belong to the service; null when it can. The scheme can be left out. Plain
 * http is allowed only for this computer.
 */
export function addressError(address: string): string | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
  const text = hasScheme ? address : `https://${address}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (!hasScheme && !/[.:]|^localhost$/.test(url.hostname)))
    return 'Enter an address such as https://api.example.com/v1'
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return null
  return url.protocol === 'http:'
    ? 'Use https; http works only on this computer'
    : 'Use an https address'
}

const kindLabel = ({ role, mode }: { role: Role; mode: Mode }): string =>
  role === 'seller' ? 'seller key' : `partner key for ${mode.toUpperCase()}`

/** Why a key can't be a new key of this account, judged by its prefix alone; null when it can. */
export function keyMismatch(
  account: { name: string; maskedKey: string },
  key: string,
): string | null {
  const given = kindOfKey(key)
  const present = kindOfKey(account.maskedKey)
  if (
    given === null ||
    present === null ||
    (given.role === present.role && given.mode === present.mode)
  )
    return null
  return `This is a ${kindLabel(given)}; ${account.name} has a ${kindLabel(present)}. Connect it as another account.`
}
