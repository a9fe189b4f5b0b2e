/** What may be shown of a body: everything but credentials and delivered goods. */

const MASK = '***'

/**
 * API keys and webhook secrets wherever they stand, also within a text; their prefix tells what
 * they were.
 */
const credential = /\b(svc_live_|svc_test_|svcs_|whsec_)[\w-]+/g

/**
 * Members that hold secrets by what they are: keys and delivered values, secrets and passphrases,
 * and what people write and show when they complain about a key.
 */
const secretNames: ReadonlySet<string> = new Set([
  'key',
  'keys',
  'value',
  'secret',
  'passphrase',
  'password',
  'token',
  'authorization',
  'partnertestkey',
  'partnerlivekey',
  'sellerkey',
  'screenshot',
  'body',
  'reason',
])

/** Paths whose request bodies are made of keys: there a misspelt member may hold one too. */
const carriesKeys =
  /^\/(v1\/seller\/offers\/[^/]+\/keys|v1\/seller\/disputes\/[^/]+\/replace|dashboard\/claims)\/?$/

/** Deeper than any answer of ours; what is nested deeper came from outside to do harm. */
const MAX_DEPTH = 40

const maskedText = (text: string): string => text.replace(credential, `$1${MASK}`)

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

/** A request's body with every secret masked. */
export const maskedRequest = (path: string, body: unknown): unknown =>
  masked(body, false, carriesKeys.test(path))

/**
 * An answer's body with every secret masked. GET /meta calls its words `value` and holds no secret.
 */
export const maskedAnswer = (path: string, body: unknown): unknown =>
  path === '/v1/meta' ? body : masked(body, false, false)

/** A path with every secret in it masked: somebody may have put one there by mistake. */
export const maskedPath = maskedText
