import { vaultPassphrase } from '../../../e2e/support/vault-passphrase.ts'

/**
 * Every planted secret ends in this group: one search for it finds any of them, whatever its kind,
 * and a masked key, of which people see the first group, is none. It stands nowhere else.
 */
export const markedGroup = 'ZQ7XKJ3VWM'

/** What a leak of any API key looks like: a prefix and more of it than a masked key shows. */
const apiKey = /svcs?_(?:live_|test_)?[A-Za-z0-9]{12,}/g

/** How text is written in other ways: what of it is the same whatever stands around it. */
function formsOf(text: string): { name: string; bytes: Buffer }[] {
  const plain = Buffer.from(text, 'utf8')
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), plain])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and last characters mix with the neighbours' bits.
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

/**
 * A secret that lies where none may: what it is and how it is written. It never repeats the secret
 * itself.
 */
export type Leak = { where: string; what: string }

/** A planted key as it was planted: three groups and the marked one. */
const planted = new RegExp(`[A-Z2-9]{5}-[A-Z2-9]{5}-${markedGroup}`)

/**
 * Looks for planted keys and API keys in any form. `shown` are the keys that a person has revealed,
 * which the page may hold.
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
