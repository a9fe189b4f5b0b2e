import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Localized } from '../../contract/localization/localized.ts'
import type { StoredKey } from '../../contract/order-records.ts'
import { failure } from '../failure.ts'
import { IN_FLIGHT_MS } from '../journaled-send/journaled-send.ts'
import { manualClock } from '../testing/manual-clock.ts'
import type { ManualClock } from '../testing/manual-clock.ts'
import { createFollowing } from './following.ts'
import { claimsSchema } from './schema.ts'
import { createClaimStore } from './store.ts'
import type { ClaimStore, DisputeState } from './store.ts'

const open: DisputeState = {
  disputeId: 'dsp_1',
  status: 'open',
  escalatesAt: 9000,
  outcome: null,
  settledAt: null,
}
const credited: DisputeState = { ...open, status: 'resolved', outcome: 'refunded', settledAt: 20 }

let db: Database.Database
let store: ClaimStore
let notices: Localized[]
/** What the service reports, by key, after `held` resolves. */
let reported: Map<string, DisputeState>
let held: Promise<void>
let clock: ManualClock

beforeEach(() => {
  db = new Database(':memory:')
  for (const step of claimsSchema.steps) if (typeof step === 'string') db.exec(step)
  store = createClaimStore(db)
  store.write({
    claimId: 'clm_1',
    orderId: 'ord_1',
    keyId: 'key_1',
    message: Buffer.from('sealed'),
    at: 1,
  })
  notices = []
  reported = new Map()
  held = Promise.resolve()
  clock = manualClock()
})
afterEach(() => db.close())

const stored = (keyId: string, replacement: boolean): StoredKey => ({
  keyId,
  line: 1,
  productId: 'p1',
  deliveryType: 'key',
  contentType: 'text/plain',
  masked: '•••••',
  deliveredAt: 0,
  claimUntil: 0,
  replacement,
  seenAt: null,
  handedAt: null,
  handedNote: '',
})

const following = ({
  filesHere = true,
  keys = [] as StoredKey[],
  refetchKeys = async (_accountId: string, _orderId: string): Promise<number> => 0,
} = {}) =>
  createFollowing({
    context: {
      vault: { assertUnlocked() {} },
      changes: { notify() {} },
      notices: { notify: ({ title }) => void notices.push(title) },
      clock,
    },
    orders: { readBalance: async () => true, refetchKeys, keysOf: () => keys },
    sandbox: {
      async ofKeys() {
        const now = new Map(reported)
        await held
        return now
      },
    },
    storeOf: () => store,
    filesHere: () => filesHere,
    toClaim: () => ({ name: 'A game' }),
    note() {},
  })

test('announces the result of a claim once, also when two checks read it at the same time', async () => {
  store.follow('clm_1', open)
  reported.set('key_1', credited)
  const { checkOpenClaims } = following()
  await Promise.all([checkOpenClaims('partner'), checkOpenClaims('partner')])
  expect(store.one('clm_1')).toMatchObject({ status: 'resolved', outcome: 'refunded' })
  expect(notices.map(({ code }) => code)).toEqual(['claims.settled-name'])
})

test('returns a claim that the service doesn’t have to the person, once it can’t arrive any more', async () => {
  store.become('clm_1', 'unknown', null, 5)
  const { checkOpenClaims } = following()
  await checkOpenClaims('partner')
  clock.advance(IN_FLIGHT_MS - 1)
  const read = Promise.withResolvers<void>()
  held = read.promise
  const checked = checkOpenClaims('partner')
  // It lands during this reading, which can miss it.
  clock.advance(1)
  read.resolve()
  await checked
  expect(store.one('clm_1')).toMatchObject({ state: 'unknown', problem: null })
  await checkOpenClaims('partner')
  expect(store.one('clm_1')).toMatchObject({
    state: 'refused',
    problem: { code: 'NEVER_ARRIVED' },
  })
})

test('leaves a claim open that was filed again after the service was asked', async () => {
  store.become('clm_1', 'unknown', null, 5)
  const read = Promise.withResolvers<void>()
  held = read.promise
  const checked = following().checkOpenClaims('partner')
  store.become('clm_1', 'unknown', null, 6)
  read.resolve()
  await checked
  expect(store.one('clm_1')).toMatchObject({ state: 'unknown', problem: null })
})

test('leaves a claim alone whose response another part of Keydesk awaits', async () => {
  store.become('clm_1', 'sending', null, 5)
  const { inFlight, checkOpenClaims } = following()
  inFlight.add('clm_1')
  await checkOpenClaims('partner')
  expect(store.one('clm_1')).toMatchObject({ state: 'sending' })
})

test('assigns a downloaded replacement to a claim that a person sent', async () => {
  store.become('clm_1', 'told', null, 5)
  store.setOutcome('clm_1', 'replaced', 6)
  const keys = [stored('key_1', false)]
  const { followOpenClaims } = following({ filesHere: false, keys })
  await followOpenClaims('partner')
  expect(store.one('clm_1')).toMatchObject({ newKeyId: null })
  keys.push(stored('key_2', true))
  await followOpenClaims('partner')
  expect(store.one('clm_1')).toMatchObject({ newKeyId: 'key_2' })
})

test('updates the other claims and reports the failure if a replacement can’t be downloaded', async () => {
  store.write({
    claimId: 'clm_0',
    orderId: 'ord_0',
    keyId: 'key_0',
    message: Buffer.from('sealed'),
    at: 2,
  })
  store.follow('clm_0', open)
  store.follow('clm_1', open)
  reported.set('key_0', { ...open, status: 'resolved', outcome: 'replaced', settledAt: 20 })
  reported.set('key_1', credited)
  const { checkOpenClaims } = following({
    refetchKeys: async () => {
      throw failure('NOT_FOUND', 'Order not found.', 'Sync the orders.')
    },
  })
  await expect(checkOpenClaims('partner')).rejects.toMatchObject({ problem: { code: 'NOT_FOUND' } })
  expect(store.one('clm_0')).toMatchObject({ outcome: 'replaced', newKeyId: null })
  expect(store.one('clm_1')).toMatchObject({ outcome: 'refunded' })
})
