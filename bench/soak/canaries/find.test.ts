import { expect, test } from 'vitest'
import { vaultPassphrase } from '../../../e2e/support/vault-passphrase.ts'
import { find, markedGroup } from './find.ts'

const key = `ABCDE-FGHJK-${markedGroup}`
const around = (text: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"row":"x'), Buffer.from(text), Buffer.from('"}')])

test.each<[string, string | Buffer]>([
  ['plain', key],
  ['utf-16', Buffer.from(key, 'utf16le')],
  ['hex', Buffer.from(key).toString('hex')],
  ['HEX', Buffer.from(key).toString('hex').toUpperCase()],
  ...[0, 1, 2].map(
    (shift) =>
      [
        `base64 after ${shift}`,
        Buffer.from('#'.repeat(shift) + key + '!').toString('base64'),
      ] satisfies [string, string],
  ),
])('finds a planted key as %s', (_name, written) => {
  expect(find('a file', around(written))).toHaveLength(1)
})

test("finds the vault's passphrase in any form", () => {
  for (const written of [
    vaultPassphrase,
    Buffer.from(vaultPassphrase, 'utf16le'),
    Buffer.from(`#${vaultPassphrase}!`).toString('base64'),
  ])
    expect(find('a file', around(written))).toMatchObject([
      { what: expect.stringContaining('the passphrase') },
    ])
})

test('finds an API key, but not a masked one', () => {
  expect(find('a file', around('svcs_9fK2mQx7RtYb31aZ'))).toHaveLength(1)
  expect(find('a file', around('svc_live_9fK2mQx7RtYb31aZ'))).toHaveLength(1)
  expect(find('a file', around('svcs_••••31aZ ABCDE-•••••-••••'))).toEqual([])
})

test('allows a key that a person revealed, but not another key next to it', () => {
  expect(find('the page', around(key), new Set([key]))).toEqual([])
  expect(
    find('the page', around(`${key} ZZZZZ-FGHJK-${markedGroup}`), new Set([key])),
  ).toHaveLength(1)
})
