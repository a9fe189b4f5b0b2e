import { vaultPassphrase } from '../../../e2e/support/vault-passphrase.ts'

/**
 * Every planted secret ends with this group, so one search finds any of them, whatever its kind.
 * The group appears nowhere else. A masked key, of which people see the first group, doesn't match.
 */
export const markedGroup = 'ZQ7XKJ3VWM'

/** The pattern of any leaked API key: a prefix and more characters than a masked key shows. */
const apiKey = /svcs?_(?:live_|test_)?[A-Za-z0-9]{12,}/g

/** Other encodings of a text: the part that is the same regardless of the surrounding text. */
function formsOf(text: string): { name: string; bytes: Buffer }[] {
  const plain = Buffer.from(text, 'utf8')
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), plain])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and last characters also encode bits of the adjacent text.
    return {
      name: `base64, shifted by ${shift}`,
      bytes: Buffer.from(encoded.slice(Math.ceil((shift * 4) / 3), -1)),
    }
  })
  return [
    { name: 'plain', bytes: plain },
    { name: 'utf-16', bytes: Buffer.from(text, 'utf16le') },
    { name: 'hex', bytes: Buffer.from(plain.toString('hex')) },
    { name: 'HEX', bytes: Buffer.from(plain.toString('hex').toUpperCase()) },
    ...base64,
  ]
}

const forms = [
  ...formsOf(markedGroup).map((form) => ({ ...form, of: 'a planted key' })),
  ...formsOf(vaultPassphrase).map((form) => ({ ...form, of: 'the passphrase' })),
]

/** A secret in a forbidden place: its kind and its encoding. Never contains the secret itself. */
export type Leak = { where: string; what: string }

/** A planted key: three groups and the marked one. */
const planted = new RegExp(`[A-Z2-9]{5}-[A-Z2-9]{5}-${markedGroup}`)

/**
 * Searches for planted keys and API keys in any form. `shown` are the keys that a person has
 * revealed, which the page may contain.
 */
export function find(where: string, bytes: Buffer, shown: ReadonlySet<string> = new Set()): Leak[] {
  const leaks: Leak[] = []
  for (const { name, bytes: form, of } of forms) {
    for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, at + 1)) {
      if (
        name === 'plain' &&
        shown.has(planted.exec(bytes.toString('latin1', at - 12, at + form.length))?.[0] ?? '')
      )
        continue
      leaks.push({ where, what: `${of}, ${name}, at ${at}` })
      break
    }
  }
  const text = bytes.toString('latin1')
  const key = apiKey.exec(text)
  apiKey.lastIndex = 0
  if (key !== null) leaks.push({ where, what: `an API key at ${key.index}` })
  if (bytes.includes(Buffer.from('svcs_', 'utf16le')))
    leaks.push({ where, what: 'an API key, utf-16' })
  return leaks
}
