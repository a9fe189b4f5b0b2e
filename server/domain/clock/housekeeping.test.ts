import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createTestService,
  dashboard,
  partnerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

let test: TestService
let shop: ReturnType<typeof createShop>
beforeEach(() => {
  test = createTestService()
  shop = createShop(test)
})
afterEach(() => test.close())

const advance = (ms: number) => test.run('advanceClock', dashboard, { body: { ms } })

it('deletes a stored response at the first full minute after its 24 hours', async () => {
  const partner = await shop.partner()
  const product = await shop.product()
  await shop.offer(await shop.seller(), product, 1000, 1)
  test.clock.move(1)
  const body = shop.request(product)
  await test.run('createOrder', partnerCaller(partner), { body }, { key: 'order-1' })
  expect(test.store.idempotency.nextExpiry()).toBe(test.clock.now() + DAY)
  await advance(DAY + MINUTE - 2)
  expect(test.store.idempotency.nextExpiry()).not.toBeNull()
  await advance(1)
  expect(test.store.idempotency.nextExpiry()).toBeNull()
})

it('stores once a minute when keys were last used', async () => {
  const params = { id: await shop.partner({}, 0) }
  const { key } = (
    await test.run('createPartnerKey', dashboard, { params, body: { mode: 'live' } })
  ).body
  const use = () =>
    test.service.access.partner(createHash('sha256').update(key).digest('hex'), '127.0.0.1')
  const lastUse = () => test.store.accounts.keysOf(params.id)[0]?.lastUsedAt
  const start = test.service.clock.now()

  test.clock.move(5000)
  use()
  await advance(MINUTE - 5001)
  expect(lastUse()).toBeNull()
  await advance(1)
  expect(lastUse()).toBe(start + 5000)

  use()
  await advance(MINUTE - 1)
  expect(lastUse()).toBe(start + 5000)
  await advance(1)
  expect(lastUse()).toBe(start + MINUTE)
})
