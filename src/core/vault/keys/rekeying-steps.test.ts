import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { migrate } from '../../mirror/database/migrate.ts'
import { systemRandomness } from '../../randomness.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { createVaultStore, vaultSchema } from '../store.ts'
import type { StoredKey } from '../store.ts'
import { createKeyProtection, proofOf } from './key-protection.ts'
import { createKeyRing } from './key-ring.ts'
import { createRekeying } from './rekeying.ts'
import { deriveKeys, sealValue } from './sealing.ts'

const cheap = { N: 2 ** 10, r: 8, p: 1 }
const dataKey = (fill: number): Buffer => Buffer.alloc(32, fill)
const row: StoredKey = {
  kept: 'keychain',
  entry: 'vault:1',
  wrapped: null,
  proof: proofOf(dataKey(7)),
  fingerprint: null,
  previous: null,
  retired: null,
}
const sealedPrevious = sealValue(
  deriveKeys(dataKey(7)).seal,
  Buffer.alloc(12, 2),
  'vault',
  'previous-key',
  deriveKeys(dataKey(6)).seal,
)

let database: Database
beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  migrate(database, [vaultSchema])
})
afterEach(() => database.close())

/** A vault with this row whose keychain and values are in memory. */
function rekeyingHarness(stored: Partial<StoredKey> = {}) {
  const steps: string[] = []
  const reports: unknown[] = []
  const sealedStore = createVaultStore(database)
  sealedStore.write({ ...row, ...stored }, 1)
  /** Notes when the row changes and when its earlier versions are removed. */
  const store = {
    ...sealedStore,
    replace(next: StoredKey) {
      steps.push('replaced')
      sealedStore.replace(next)
    },
    forget: () => void steps.push('forgotten'),
  }
  const keychain = memoryKeychain()
  const keyRing = createKeyRing({ store, clock: manualClock(), random: systemRandomness })
  keyRing.load(dataKey(7), { ...row, ...stored })
  const harness = {
    steps,
    reports,
    keychain,
    keyRing,
    read: () => sealedStore.read(),
    accounts: ['a', 'b'],
    /** Runs when the values of an account are encrypted again. */
    reencrypting: (_accountId: string): void => {},
  }
  const rekeying = createRekeying({
    store,
    keyRing,
    keeping: createKeyProtection(keychain, systemRandomness, cheap),
    random: systemRandomness,
    changes: {
      notify: (topic) => void steps.push(`${topic} changed`),
      listen: () => expect.unreachable('nothing reads changes'),
    },
    values: {
      count: () => 0,
      accounts: () => harness.accounts,
      async reencrypt(accountId) {
        harness.reencrypting(accountId)
        steps.push(`encrypted ${accountId}`)
        return { values: 2, unreadable: 0 }
      },
      removeCopies: () => void steps.push('copies removed'),
    },
    note: (what, detail) => void steps.push(`${formatMessage(what)}: ${formatMessage(detail)}`),
    report: (where, error) => void reports.push([where, error]),
  })
  return { harness, rekeying }
}

it('forgets the previous key after all values are encrypted again, and notifies the pages', async () => {
  const { harness, rekeying } = rekeyingHarness({ previous: sealedPrevious })
  await rekeying.finish()
  expect(harness.steps).toEqual([
    'encrypted a',
    'encrypted b',
    'copies removed',
    'replaced',
    'forgotten',
    'Vault key changed: 4 values encrypted with the new key',
    'vault changed',
  ])
  expect(harness.read()?.previous).toBeNull()
  expect(harness.keyRing.isRekeying()).toBe(false)
})

it('skips an account that is removed in the meantime', async () => {
  const { harness, rekeying } = rekeyingHarness({ previous: sealedPrevious })
  harness.reencrypting = () => (harness.accounts = ['a'])
  await rekeying.finish()
  expect(harness.steps.filter((step) => step.startsWith('encrypted'))).toEqual(['encrypted a'])
  expect(harness.read()?.previous).toBeNull()
})

it('reports a failure and keeps the previous key, but not a lock in between', async () => {
  const { harness, rekeying } = rekeyingHarness({ previous: sealedPrevious })
  const error = new Error('the disk is full')
  harness.reencrypting = () => {
    throw error
  }
  await rekeying.finish()
  expect(harness.reports).toEqual([['vault rekeying', error]])
  expect(harness.read()?.previous).toEqual(sealedPrevious)
  harness.reencrypting = () => {
    harness.keyRing.lock('time')
    harness.keyRing.requireOpen()
  }
  await rekeying.finish()
  expect(harness.reports).toHaveLength(1)
})

it('reports a failure of Keydesk’s own other than a lock', async () => {
  const { harness, rekeying } = rekeyingHarness({ previous: sealedPrevious })
  harness.reencrypting = () => {
    harness.keyRing.open('a', 'r', Buffer.alloc(60))
  }
  await rekeying.finish()
  expect(harness.reports).toMatchObject([
    ['vault rekeying', { problem: { code: 'VAULT_DAMAGED' } }],
  ])
})

it.each([
  ['deletes a keychain entry that is no longer needed', 'vault:0', [], null],
  ['keeps the entry that is in use', 'vault:1', ['vault:1'], null],
])('%s, and records it', async (_title, retired, left, recorded) => {
  const { harness, rekeying } = rekeyingHarness({ retired })
  harness.keychain.entries.set(retired, 'a key')
  await rekeying.finish()
  expect([...harness.keychain.entries.keys()]).toEqual(left)
  expect(harness.read()?.retired).toBe(recorded)
})

it('tries again later to delete an entry of a keychain that didn’t respond', async () => {
  const { harness, rekeying } = rekeyingHarness({ retired: 'vault:0' })
  harness.keychain.entries.set('vault:0', 'a key')
  const { delete: remove } = harness.keychain
  harness.keychain.delete = () => Promise.reject(new Error('no keychain'))
  await rekeying.finish()
  expect(harness.read()?.retired).toBe('vault:0')
  harness.keychain.delete = remove
  await rekeying.finish()
  expect([...harness.keychain.entries.keys()]).toEqual([])
  expect(harness.read()?.retired).toBeNull()
})

it('changes nothing when no entry is to be deleted', async () => {
  const { harness, rekeying } = rekeyingHarness()
  harness.keychain.delete = () => expect.unreachable('an entry was deleted')
  await rekeying.finish()
  expect(harness.steps).toEqual([])
  expect(harness.reports).toEqual([])
})

it('keeps a newer entry recorded that replaced the deleted one in the meantime', async () => {
  const { harness, rekeying } = rekeyingHarness({ retired: 'vault:0' })
  harness.keychain.delete = async () => {
    createVaultStore(database).replace({ ...row, retired: 'vault:2' })
  }
  await rekeying.finish()
  expect(harness.read()?.retired).toBe('vault:2')
})

it('records the name of a new entry before the entry exists', async () => {
  const { harness, rekeying } = rekeyingHarness()
  const { set } = harness.keychain
  harness.keychain.set = (entry, secret) => {
    expect(harness.read()?.retired).toBe(entry)
    return set(entry, secret)
  }
  const { entry } = await rekeying.newEntry(dataKey(8))
  expect(harness.keychain.entries.get(entry ?? '')).toBe(dataKey(8).toString('base64'))
})

it('keeps the name of an entry recorded that couldn’t be deleted before a new one', async () => {
  const { harness, rekeying } = rekeyingHarness({ retired: 'vault:0' })
  harness.keychain.delete = () => Promise.reject(new Error('no keychain'))
  await rekeying.newEntry(dataKey(8))
  expect(harness.read()?.retired).toBe('vault:0')
})

it('removes the earlier row after the storage of the key changed, and notifies the pages', async () => {
  const { harness, rekeying } = rekeyingHarness()
  await rekeying.replaceStorage(row, { kept: 'keychain', entry: 'vault:2', wrapped: null })
  expect(harness.steps).toEqual(['replaced', 'forgotten', 'replaced', 'vault changed'])
  expect(harness.read()).toMatchObject({ entry: 'vault:2', retired: null })
})

it('rejects a new key while work uses the vault or while it is locked', async () => {
  const { harness, rekeying } = rekeyingHarness()
  expect(rekeying.requireIdle()).toMatchObject({ entry: 'vault:1' })
  const end = Promise.withResolvers<void>()
  const work = harness.keyRing.hold(() => end.promise)
  expect(await problemOfFailure((async () => rekeying.requireIdle())())).toMatchObject({
    code: 'CONFLICT',
    what: 'Keys are being downloaded, planned or encrypted right now.',
    effect: 'Nothing was changed.',
    next: 'Try again when that’s finished.',
  })
  end.resolve()
  await work
  harness.keyRing.lock('time')
  expect(() => rekeying.requireIdle()).toThrow('VAULT_LOCKED')
})
