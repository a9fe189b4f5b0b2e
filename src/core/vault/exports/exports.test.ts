import { expect, test, vi } from 'vitest'
import type { Account } from '../../../contract/app/accounts.ts'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import type { VaultContext } from '../context.ts'
import { damagedFailure, lockedFailure } from '../failures.ts'
import type { SealedValue } from '../values/sealed-values.ts'
import { systemRandomness } from '../../randomness.ts'
import { sealExport } from './export-file.ts'
import { createExports } from './exports.ts'

const cheap = { N: 2 ** 10, r: 8, p: 1 }
const accounts = ['one', 'two'].map((id) => ({ id, name: `Shop ${id}`, mode: 'live' }) as Account)
const sealed = (accountId: string): SealedValue[] => [
  {
    kind: 'delivered-key',
    recordId: 'r',
    sealed: Buffer.from(`KEY-${accountId}`),
    facts: { product: '=1+1' },
  },
]

const problemOf = (work: () => unknown) => problemOfFailure(Promise.resolve().then(work))

/** `damaged`: the account whose keys can't be decrypted. */
function start({ locked = false, damaged = '', stored = sealed } = {}) {
  const added: Parameters<VaultContext['activity']['add']>[0][] = []
  const context = {
    vault: {
      assertUnlocked: () => {
        if (locked) throw lockedFailure()
      },
      open(id: string, _record: string, value: Buffer) {
        if (id === damaged) throw damagedFailure()
        return value
      },
    },
    clock: { now: () => Date.UTC(2026, 0, 5) },
    random: systemRandomness,
    activity: { add: (entry: (typeof added)[number]) => void added.push(entry) },
  } as unknown as VaultContext
  const exports = createExports(context, () => accounts, stored, cheap)
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

/** Opens an export and ends it. Returns the bytes in memory that held its value. */
async function bytesAfter(
  end: (exports: ReturnType<typeof createExports>, file: Buffer) => unknown,
): Promise<string[]> {
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
    { random: systemRandomness, cost: cheap, now: 0 },
  )
  const from = vi.spyOn(Buffer, 'from')
  const { exports } = start()
  const { exportId } = await exports.open(file, 'a passphrase')
  expect(exports.reveal(exportId, 0)).toEqual({ value: 'KEY-ONE-IN-MEMORY' })
  const kept = from.mock.results.flatMap(({ value }) =>
    Buffer.isBuffer(value) && value.toString() === 'KEY-ONE-IN-MEMORY' ? [value] : [],
  )
  from.mockRestore()
  await end(exports, file)
  expect(() => exports.reveal(exportId, 0)).toThrow('This export is closed.')
  return kept.map((value) => value.toString('hex'))
}
const wiped = ['00'.repeat('KEY-ONE-IN-MEMORY'.length)]

test('wipes the values of an opened export when it is closed', async () => {
  expect(await bytesAfter((exports) => exports.close())).toEqual(wiped)
})

test('wipes the values of an opened export when another is opened', async () => {
  expect(await bytesAfter((exports, file) => exports.open(file, 'a passphrase'))).toEqual(wiped)
})

test('opens an encrypted export with its passphrase, and shows a key masked until it is revealed', async () => {
  const facts = { order_id: 'ord_1', line: 2, product_id: 'prd_1', key_id: 'key_1' }
  const { exports } = start({
    stored: (accountId) => sealed(accountId).map((value) => ({ ...value, facts })),
  })
  const { fileName, base64 } = await exports.sealed('a passphrase', 'two')
  expect(fileName).toBe('keys-2026-01-05.keydesk')
  const opened = await exports.open(Buffer.from(base64, 'base64'), 'a passphrase')
  expect(opened).toEqual({
    exportId: expect.stringMatching(/./),
    exportedAt: Date.UTC(2026, 0, 5),
    entries: [
      {
        index: 0,
        account: 'Shop two',
        mode: 'live',
        kind: 'delivered-key',
        about: 'ord_1 · line 2 · prd_1',
        masked: 'K••••••',
      },
    ],
  })
  expect(exports.reveal(opened.exportId, 0)).toEqual({ value: 'KEY-two' })
})

test('describes a key only by the facts that it has', async () => {
  const { exports } = start({
    stored: (accountId) =>
      sealed(accountId).map((value) => ({ ...value, facts: { line: null, product_id: 'prd_1' } })),
  })
  const { base64 } = await exports.sealed('a passphrase', 'one')
  const { entries } = await exports.open(Buffer.from(base64, 'base64'), 'a passphrase')
  expect(entries.map(({ about }) => about)).toEqual(['prd_1'])
})

test('reveals only values of the export that was opened last', async () => {
  const { exports } = start()
  const { base64 } = await exports.sealed('a passphrase')
  const open = () => exports.open(Buffer.from(base64, 'base64'), 'a passphrase')
  const first = await open()
  const second = await open()
  expect(exports.reveal(second.exportId, 1)).toEqual({ value: 'KEY-two' })
  for (const [exportId, index] of [
    [first.exportId, 0],
    [second.exportId, 2],
  ] as const)
    expect(await problemOf(() => exports.reveal(exportId, index))).toMatchObject({
      code: 'NOT_FOUND',
      what: 'This export is closed.',
      next: 'Open the file again.',
    })
})

test('exports unencrypted keys only after the confirmation text, into a file that says so', async () => {
  const { exports, added } = start()
  expect(exports.plain(` ${PLAIN_EXPORT_PHRASE} `).fileName).toBe('keys-2026-01-05-unencrypted.csv')
  expect(await problemOf(() => exports.plain('export'))).toMatchObject({
    code: 'INVALID_INPUT',
    what: 'The confirmation text doesn’t match.',
    next: 'Type “export unencrypted”.',
    effect: 'Nothing was exported.',
  })
  expect(added).toHaveLength(1)
})

test.each([
  ['VAULT_LOCKED', 'while the vault is locked', { locked: true }],
  ['NOTHING_KEPT', 'when there are no keys', { stored: () => [] }],
])('fails with %s %s', async (code, _when, state) => {
  const { exports, added } = start(state)
  const problem = await problemOf(() => exports.plain(PLAIN_EXPORT_PHRASE))
  expect(problem.code).toBe(code)
  if (code === 'NOTHING_KEPT')
    expect(problem).toMatchObject({
      what: 'There are no stored keys to export.',
      next: 'Download the keys of an order first.',
      effect: 'Nothing was exported.',
    })
  await expect(exports.sealed('a passphrase')).rejects.toThrow(code)
  expect(added).toEqual([])
})

test('exports the other keys when one is damaged, and records both counts', async () => {
  const { exports, text, added } = start({ damaged: 'one' })
  expect(text()).not.toContain('KEY-one')
  await exports.sealed('a passphrase', 'two')
  expect(formatMessages(added)).toMatchObject([
    {
      accountId: null,
      what: 'Keys exported',
      detail: '1 key unencrypted, readable by anyone; 1 could not be read',
      outcome: 'ok',
    },
    { accountId: 'two', what: 'Keys exported', detail: '1 key encrypted with a passphrase' },
  ])
})
