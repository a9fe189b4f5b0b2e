import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemRandomness } from '../../randomness.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { deriveFrom } from '../keys/passphrase.ts'
import { sealValue } from '../keys/sealing.ts'
import { openExport, plainExport, sealExport } from './export-file.ts'
import type { ExportedEntry } from './export-file.ts'

const cheap = { N: 2 ** 10, r: 8, p: 1 }
const entries: ExportedEntry[] = [
  { account: 'Shop', mode: 'live', kind: 'delivered-key', value: 'AAAA', facts: { line: 1 } },
  { account: 'Shop', mode: 'test', kind: 'delivered-key', value: 'B,"B', facts: { order: null } },
]
const write = () => sealExport(entries, 'right', { random: systemRandomness, cost: cheap, now: 5 })
const notAnExport = {
  code: 'INVALID_INPUT',
  what: 'This file isn’t an encrypted Keydesk export.',
  next: 'Choose a file whose name ends in .keydesk.',
  effect: 'Nothing was opened.',
}
const wrongPassphrase = {
  code: 'WRONG_PASSPHRASE',
  what: 'The passphrase is wrong, or the export file was modified.',
  next: 'Enter the passphrase that was chosen for this export.',
  effect: 'Nothing was opened.',
}

test('an encrypted export opens with its passphrase and shows only its header', async () => {
  const file = await write()
  expect(await openExport(file, 'right')).toEqual({ exportedAt: 5, entries })
  const header = file.subarray(0, file.indexOf('\n')).toString()
  expect(JSON.parse(header)).toEqual({
    format: 'keydesk-keys',
    version: 1,
    exportedAt: 5,
    kdf: { name: 'scrypt', N: 1024, r: 8, p: 1, salt: expect.stringMatching(/^.{24}$/) },
  })
  expect(file.includes('AAAA')).toBe(false)
  expect(await problemOfFailure(openExport(file, 'wrong'))).toMatchObject(wrongPassphrase)
})

test('an export with a changed header or body does not open', async () => {
  const file = await write()
  const other = Buffer.from(
    file.toString('latin1').replace('"exportedAt":5', '"exportedAt":6'),
    'latin1',
  )
  expect(await problemOfFailure(openExport(other, 'right'))).toMatchObject(wrongPassphrase)
  const cut = file.subarray(0, file.length - 1)
  expect(await problemOfFailure(openExport(cut, 'right'))).toMatchObject(wrongPassphrase)
})

test.each([
  { format: 'other' },
  { version: 2 },
  { exportedAt: 1.5 },
  { kdf: { name: 'scrypt', N: 1024, r: 8, p: 1 } },
])('a file with another header is not an export: %j', async (changes) => {
  const file = await write()
  const end = file.indexOf('\n')
  const header = { ...(JSON.parse(file.subarray(0, end).toString()) as object), ...changes }
  const changed = Buffer.concat([Buffer.from(JSON.stringify(header)), file.subarray(end)])
  expect(await problemOfFailure(openExport(changed, 'right'))).toMatchObject(notAnExport)
})

test.each(['', 'no JSON\n', '\n', '{}'])('the text %j is not an export', async (text) => {
  expect(await problemOfFailure(openExport(Buffer.from(text), 'right'))).toMatchObject(notAnExport)
})

test.each([{}, { entries: [{ account: 'Shop' }] }])(
  'an encrypted body without entries does not open: %j',
  async (body) => {
    const salt = Buffer.alloc(16)
    const head = JSON.stringify({
      format: 'keydesk-keys',
      version: 1,
      exportedAt: 5,
      kdf: { name: 'scrypt', ...cheap, salt: salt.toString('base64') },
    })
    const sealed = sealValue(
      await deriveFrom('right', salt, cheap),
      Buffer.alloc(12),
      'keydesk-keys',
      head,
      gzipSync(JSON.stringify(body)),
    )
    const file = Buffer.concat([Buffer.from(`${head}\n`), sealed])
    expect(await problemOfFailure(openExport(file, 'right'))).toMatchObject(wrongPassphrase)
  },
)

test('an unencrypted export is a CSV with a column for every fact', () => {
  expect(plainExport(entries).toString()).toBe(
    'account,mode,kind,line,order,value\r\n' +
      'Shop,live,delivered-key,1,,AAAA\r\n' +
      'Shop,test,delivered-key,,,"B,""B"\r\n',
  )
  const quoted = ['a\rb', 'a\nb', 'a"b', '=1'].map((value) => ({ ...entries[0], value, facts: {} }))
  expect(plainExport(quoted as ExportedEntry[]).toString()).toBe(
    'account,mode,kind,value\r\n' +
      'Shop,live,delivered-key,"a\rb"\r\n' +
      'Shop,live,delivered-key,"a\nb"\r\n' +
      'Shop,live,delivered-key,"a""b"\r\n' +
      'Shop,live,delivered-key,=1\r\n',
  )
})
