import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { SAFETY_COPY, readSafetyCopy } from './safety-copy.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const vaultKey = (proof: string) => ({
  kept: 'passphrase',
  entry: null,
  wrapped: null,
  proof,
  fingerprint: null,
  previous: null,
  retired: null,
})
/** Writes a safety copy with this content, and returns what Keydesk reads from it. */
function read(content: object, changes: object = {}) {
  const text = JSON.stringify(content)
  const sha256 = createHash('sha256').update(text).digest('hex')
  const file = { format: 'keydesk-keep', version: 1, sha256, content: text, ...changes }
  writeFileSync(join(folder.path, SAFETY_COPY), JSON.stringify(file))
  return readSafetyCopy(folder.path)
}

test('reads the vault’s key and the accounts', () => {
  expect(read({ accounts: [], vaultKey: vaultKey('cHJvb2Y=') })).toMatchObject({
    accounts: [],
    vaultKey: { proof: Buffer.from('proof') },
  })
})

test.each([
  ['another format', {}, { format: 'other' }],
  ['a newer version', {}, { version: 2 }],
  ['a wrong digest', {}, { sha256: '0'.repeat(64) }],
  ['changed content', {}, { content: '{"accounts":[],"vaultKey":null}' }],
  ['no content', {}, { content: undefined }],
  ['no base64', { vaultKey: vaultKey('cHJvb2Y') }, {}],
  ['other characters than base64', { vaultKey: vaultKey('cHJv-2Y=') }, {}],
  ['no accounts', { accounts: undefined }, {}],
])('reads nothing from a file with %s', (_, content, changes) => {
  expect(read({ accounts: [], vaultKey: vaultKey('cHJvb2Y='), ...content }, changes)).toBeNull()
})
