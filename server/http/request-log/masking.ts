/** Masks credentials and delivered goods in a body, so that the rest can be shown. */
import { pathOf } from '../access/zones.ts'

const MASK = '***'

/**
 * API keys and webhook secrets anywhere, also within a text; the visible prefix shows their kind.
 */
const credential = /\b(svc_live_|svc_test_|svcs_|whsec_)[\w-]+/g

/**
 * Members that hold secrets: keys and delivered values, secrets and passphrases, and the texts and
 * pictures of complaints about a key.
 */
const secretNames: ReadonlySet<string> = new Set([
  'key',
  'keys',
  'value',
  'secret',
  'passphrase',
  'password',
  'token',
  'dashboardtoken',
  'authorization',
  'partnertestkey',
  'partnerlivekey',
  'sellerkey',
  'screenshot',
  'body',
  'reason',
])

/**
 * Paths whose request bodies contain keys: even a misspelled member can hold one, and so can a
 * parameter that should be a member.
 */
const carriesKeys =
  /^\/(v1\/seller\/offers\/[^/]+\/keys|v1\/seller\/disputes\/[^/]+\/(replace|messages)|dashboard\/claims)\/?$/

/** Deeper than any of our responses; anything deeper is hostile input. */
const MAX_DEPTH = 40

const maskedText = (text: string): string =>
  text.includes('svc') || text.includes('whsec') ? text.replace(credential, `$1${MASK}`) : text

function masked(value: unknown, secret: boolean, everything: boolean, depth = 0): unknown {
  if (depth > MAX_DEPTH) return MASK
  if (typeof value === 'string') return secret || everything ? MASK : maskedText(value)
  if (typeof value === 'number') return secret ? MASK : value
  if (Array.isArray(value))
    return value.map((item: unknown) => masked(item, secret, everything, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      maskedText(name),
      masked(part, secretNames.has(name.toLowerCase()), everything, depth + 1),
    ]),
  )
}

/** A request body with every secret masked. */
export const maskedRequest = (path: string, body: unknown): unknown =>
  masked(body, false, carriesKeys.test(path))

/** A response body with every secret masked. In GET /meta, `value` holds no secret. */
export const maskedResponse = (path: string, body: unknown): unknown =>
  path === '/v1/meta' ? body : masked(body, false, false)

/** Ids and other values that aren't secret where any text can be. */
const harmless = /^[a-z]{3}_\w{1,40}$/

/** A request body with each secret replaced. Everything else stays as it is. */
export function withoutSecrets(
  path: string,
  body: unknown,
  replaced: (secret: string) => string,
): unknown {
  const everything = carriesKeys.test(path)
  const visit = (value: unknown, secret: boolean): unknown => {
    if (typeof value === 'string') {
      if (secret || (everything && !harmless.test(value))) return replaced(value)
      return value.replace(credential, replaced)
    }
    if (Array.isArray(value)) return value.map((item: unknown) => visit(item, secret))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name.replace(credential, replaced),
        visit(part, secretNames.has(name.toLowerCase())),
      ]),
    )
  }
  return visit(body, false)
}

/** A path with every secret in it masked, because a caller can put one there by mistake. */
export const maskedPath = maskedText

/** The value of a query parameter with every secret in it masked. */
export const maskedParameter = (path: string, value: string): string =>
  carriesKeys.test(path) ? MASK : maskedText(value)

/** A path and its query with every secret in them masked. */
export function maskedUrl(url: string): string {
  const path = pathOf(url)
  if (!carriesKeys.test(path)) return maskedText(url)
  const query = url.slice(path.length)
  return maskedText(path) + query.replace(/([?&][^=&?]*=)[^&]+/g, `$1${MASK}`)
}
