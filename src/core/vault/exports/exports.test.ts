import { expect, test, vi } from 'vitest'
import type { Account } from '../../../contract/app/accounts.ts'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import type { VaultContext } from '../context.ts'
import type { SealedValue } from '../values/sealed-values.ts'
import { systemRandomness } from '../../randomness.ts'
import { sealExport } from './export-file.ts'
import { createExports } from './exports.ts'

const accounts = ['one', 'two'].map((id) => ({ id, name: `Shop ${id}`, mode: 'live' }) as Account)
const sealed = (accountId: string): SealedValue[] => [
  {
    kind: 'delivered-key',
    recordId: 'r',
    sealed: Buffer.from(`KEY-${accountId}`),
    facts: { product: '=1+1' },
  },
]

function start() {
  const added: { accountId: string | null }[] = []
  const context = {
    vault: {
      assertUnlocked: () => {},
      open: (_id: string, _record: string, value: Buffer) => value,
    },
    clock: { now: () => 0 },
    random: systemRandomness,
    activity: { add: (entry: { accountId: string | null }) => void added.push(entry) },
  } as unknown as VaultContext
  const exports = createExports(context, () => accounts, sealed)
  const text = (accountId?: string): string =>
    Buffer.from(exports.plain(PLAIN_EXPORT_PHRASE, accountId).base64, 'base64').toString()
  return { exports, text, added }
}

test('exports the keys of all accounts, or of one, and records whose they were', () => {
  const { text, added } = start()
  expect(text()).toContain('KEY-one')
  expect(text()).toContain('KEY-two')
  expect(text('two')).not.toContain('KEY-one')
  expect(added.map(({ accountId }) => accountId)).toEqual([null, null, 'two'])
})

test('escapes the cells beside a key, never the key', () => {
  expect(start().text('one')).toContain(`"'=1+1",KEY-one`)
})

test('wipes the values of an opened export when it is closed', async () => {
  const file = await sealExport(
    [
      {
        account: 'One',
        mode: 'live',
        kind: 'delivered-key',
        value: 'KEY-ONE-IN-MEMORY',
        facts: {},
      },
    ],
    'a passphrase',
    { random: systemRandomness, cost: { N: 2 ** 10, r: 8, p: 1 }, now: 0 },
  )
  const from = vi.spyOn(Buffer, 'from')
  const { exports } = start()
  const { exportId } = await exports.open(file, 'a passphrase')
  expect(exports.reveal(exportId, 0)).toEqual({ value: 'KEY-ONE-IN-MEMORY' })
  const kept = from.mock.results.flatMap(({ value }) =>
    Buffer.isBuffer(value) && value.toString() === 'KEY-ONE-IN-MEMORY' ? [value] : [],
  )
  from.mockRestore()
  exports.close()
  expect(kept.map((value) => value.toString('hex'))).toEqual([
    '00'.repeat('KEY-ONE-IN-MEMORY'.length),
  ])
  expect(() => exports.reveal(exportId, 0)).toThrow('This export is closed.')
})
