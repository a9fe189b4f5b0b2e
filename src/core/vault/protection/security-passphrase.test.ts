import { createHmac, scryptSync } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from '../../mirror/database/migrate.ts'
import { systemRandomness } from '../../randomness.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ScryptCost } from '../keys/passphrase.ts'
import { createSecurityPassphraseStore, vaultSchema } from '../store.ts'
import { createSecurityPassphrase } from './security-passphrase.ts'

const costOf = (power: number): ScryptCost => ({ N: 2 ** power, r: 8, p: 1 })

let database: Database
let store: ReturnType<typeof createSecurityPassphraseStore>
const clock = manualClock()
const passphraseAt = (cost: ScryptCost) =>
  createSecurityPassphrase({ store, clock, random: systemRandomness, cost })

beforeEach(() => {
  database = new SqliteDatabase(':memory:')
  migrate(database, [vaultSchema])
  store = createSecurityPassphraseStore(database)
})
afterEach(() => database.close())

it('accepts a passphrase that an earlier version stored', async () => {
  const salt = Buffer.alloc(16, 3)
  const verifier = createHmac('sha256', scryptSync('violin', salt, 32, costOf(10)))
    .update('keydesk security passphrase')
    .digest()
  store.write({ salt, cost: costOf(10), verifier, setAt: 5 })
  await passphraseAt(costOf(10)).verify('violin')
  expect(await problemOfFailure(passphraseAt(costOf(10)).verify('viola'))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
    what: 'The security passphrase is wrong.',
    next: expect.stringContaining('recovery copy'),
  })
})

it('accepts no passphrase when none is set', async () => {
  expect(await problemOfFailure(passphraseAt(costOf(10)).verify(''))).toMatchObject({
    code: 'WRONG_PASSPHRASE',
  })
})

it.each([
  ['a lower cost again, at the present cost', 9, true],
  ['the present cost unchanged', 10, false],
  ['a higher cost unchanged', 11, false],
])('stores a passphrase of %s', async (_cost, power, isStoredAgain) => {
  await passphraseAt(costOf(power)).set('violin')
  const before = store.read()
  clock.advance(1000)
  await passphraseAt(costOf(10)).verify('violin')
  const after = store.read()
  expect(after?.cost).toEqual(costOf(isStoredAgain ? 10 : power))
  expect(after?.salt.equals(before?.salt ?? Buffer.alloc(0))).toBe(!isStoredAgain)
  expect(after?.setAt).toBe(before?.setAt)
  await passphraseAt(costOf(10)).verify('violin')
})
