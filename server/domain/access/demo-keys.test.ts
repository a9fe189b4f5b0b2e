import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Context } from '../context.ts'
import { createIds } from '../environment/ids.ts'
import { createTestRandom, type TestService } from '../testing/fixture.ts'
import { openShop } from '../testing/shop.ts'
import { createApiKeys } from './api-keys.ts'
import { demoSettings, issueDemoKeys } from './demo-keys.ts'

let test: TestService, partner: string, seller: string, context: Context
beforeEach(async () => {
  ;({ test, partner, seller } = await openShop())
  const random = createTestRandom()
  context = {
    store: test.store,
    clock: test.clock,
    machine: test.clock,
    receiverClock: test.clock,
    ids: createIds(test.clock, random),
    random,
    log: { info: () => {}, error: () => {} },
  }
})
afterEach(() => test.close())

const hashOf = (key = '') => createHash('sha256').update(key).digest('hex')

it('are issued at each start for the demo accounts, and end those of the start before', () => {
  const keys = createApiKeys(context)
  test.store.settings.set(demoSettings.partner, partner)
  test.store.settings.set(demoSettings.seller, seller)
  const mine = keys.issue({ owner: 'seller', accountId: seller, mode: 'live' })
  const first = issueDemoKeys(context, keys)
  const open = (issued: typeof first) => [
    keys.partner(hashOf(issued?.partnerLiveKey), '::1')?.caller,
    keys.partner(hashOf(issued?.partnerTestKey), '::1')?.caller,
    keys.seller(hashOf(issued?.sellerKey), '::1')?.caller,
  ]
  const callers = [
    { kind: 'partner', partnerId: partner, mode: 'live' },
    { kind: 'partner', partnerId: partner, mode: 'test' },
    { kind: 'seller', sellerId: seller },
  ]
  expect(open(first)).toMatchObject(callers)
  const second = issueDemoKeys(context, keys)
  expect(open(first)).toEqual([undefined, undefined, undefined])
  expect(open(second)).toMatchObject(callers)
  expect(keys.seller(hashOf(mine.key), '::1')).not.toBeNull()
})

it.each([demoSettings.partner, demoSettings.seller])(
  'are not issued when there is no other demo account than %s',
  (name) => {
    test.store.settings.set(name, name === demoSettings.partner ? partner : seller)
    expect(issueDemoKeys(context, createApiKeys(context))).toBeNull()
  },
)
