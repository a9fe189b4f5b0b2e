import { afterEach, beforeEach, expect, test } from 'vitest'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { orderFacts } from '../sync/order-facts.ts'
import { createFakeWorld, orderable, wireOrder } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'

const accountId = 'account'
const deliveredAt = Date.UTC(2026, 0, 5, 8)
const key = (orderId: string, keyId: string) => ({ orderId, keyId })

let world: FakeWorld
beforeEach(async () => {
  world = createFakeWorld([orderable('p1', { name: 'Ironwharf 3', region: 'Europe' })])
  for (const orderId of ['o1', 'o2']) {
    const order = wireOrder(orderId, { externalId: `R-${orderId}` })
    world.store.write(orderFacts(order as never, deliveredAt))
    world.respond['getOrder'] = () => order
    world.respond['getOrderKeys'] = () => ({
      keys: ['a', 'b'].map((name) => ({
        id: `${orderId}-${name}`,
        line: 1,
        productId: 'p1',
        deliveryType: 'key',
        contentType: 'text/plain',
        value: `VALUE-${orderId}-${name}`,
        deliveredAt: new Date(deliveredAt).toISOString(),
      })),
    })
    await world.orders.downloadKeys({ accountId, orderId, acknowledged: true })
  }
})
afterEach(() => world.close())

const mark = (keys: ReturnType<typeof key>[], note = 'shop order 17') =>
  world.orders.markHandedOver({ accountId, keys, note })
const list = (view: 'handed' | 'unhanded') => world.orders.keys({ accountId, view })
const namesOf = async (view: 'handed' | 'unhanded') =>
  (await list(view)).rows.map(({ keyId }) => keyId).sort()
const fileOf = ({ base64 }: { base64: string }): string => Buffer.from(base64, 'base64').toString()

test('marks keys as handed over with time and note, in their own view', async () => {
  expect((await list('unhanded')).counts).toMatchObject({ handed: 0, unhanded: 4 })
  const { marked } = mark([key('o1', 'o1-a'), key('o2', 'o2-b'), key('o2', 'unknown')])
  expect(marked).toBe(2)
  expect(await namesOf('handed')).toEqual(['o1-a', 'o2-b'])
  expect(await namesOf('unhanded')).toEqual(['o1-b', 'o2-a'])
  expect((await list('handed')).counts).toMatchObject({ all: 4, handed: 2, unhanded: 2 })
  expect(world.orders.order({ accountId, orderId: 'o1' }).keys).toMatchObject([
    { keyId: 'o1-a', handedAt: world.clock.now(), handedNote: 'shop order 17' },
    { keyId: 'o1-b', handedAt: null, handedNote: '' },
  ])
  expect(world.changes).toContainEqual({ topic: 'orders', id: null })
})

test('keeps claimed keys out of the keys to hand over', async () => {
  world.claimLabels.set('o1-a', 'Claim filed')
  expect(await namesOf('unhanded')).toEqual(['o1-b', 'o2-a', 'o2-b'])
})

test.each(['draft', 'refused'])(
  'doesn’t count a key as claimed by a claim that is %s',
  async (state) => {
    world.claimLabels.set('o1-a', state)
    world.claimLabels.set('o1-b', 'filed')
    const { counts, rows } = await world.orders.keys({ accountId, view: 'claimed' })
    expect([counts.claimed, counts.unhanded]).toEqual([1, 3])
    expect(rows).toMatchObject([{ keyId: 'o1-b', claim: 'filed' }])
  },
)

test('restores the marks as they were, so that a mark can be undone', async () => {
  mark([key('o1', 'o1-a')], 'first')
  const at = world.clock.now()
  world.clock.advance(1000)
  const { before } = mark([key('o1', 'o1-a'), key('o1', 'o1-b')], 'second')
  world.orders.restoreHandedOver({ accountId, marks: before })
  expect(world.orders.order({ accountId, orderId: 'o1' }).keys).toMatchObject([
    { handedAt: at, handedNote: 'first' },
    { handedAt: null, handedNote: '' },
  ])
})

test('keeps the marks when the keys are downloaded again', async () => {
  mark([key('o2', 'o2-a')])
  await world.orders.downloadKeys({ accountId, orderId: 'o2', acknowledged: true })
  expect(await namesOf('handed')).toEqual(['o2-a'])
})

test('records a mark in the activity without the key', () => {
  mark([key('o1', 'o1-a')])
  expect(world.activity.at(-1)).toMatchObject({
    what: { code: 'orders.keys-handed-over', values: { keys: 1 } },
    detail: { code: 'orders.note', values: { note: 'shop order 17' } },
  })
})

test('writes the keys of several orders into one file, with their marks', async () => {
  mark([key('o1', 'o1-a')])
  const file = world.orders.exportSelectedKeys({
    accountId,
    keys: [key('o2', 'o2-b'), key('o1', 'o1-a')],
    form: 'table',
    typed: PLAIN_EXPORT_PHRASE,
  })
  expect(file.fileName).toBe('keys-of-2-orders.csv')
  const [head, ...rows] = fileOf(file).trimEnd().split('\r\n')
  expect(head).toContain(',value,handed over (UTC),note')
  expect(rows).toEqual([
    expect.stringMatching(/^o2,R-o2,1,p1,Ironwharf 3,Steam,Europe,.*,VALUE-o2-b,,$/),
    expect.stringMatching(/^o1,R-o1,.*,VALUE-o1-a,2026-01-05T09:00:00.000Z,shop order 17$/),
  ])
  for (const orderId of ['o1', 'o2'])
    expect(world.orders.order({ accountId, orderId }).uses.at(-1)).toMatchObject({
      what: 'exported',
      keys: 1,
    })
})

test('exports keys unencrypted only after the typed words', async () => {
  const problem = await problemOfFailure(
    Promise.resolve().then(() =>
      world.orders.exportSelectedKeys({
        accountId,
        keys: [key('o1', 'o1-a')],
        form: 'lines',
        typed: 'yes',
      } as never),
    ),
  )
  expect(problem.effect).toBe('Nothing was exported.')
})

test('selects every key of a view, and every stored key of chosen orders', async () => {
  mark([key('o1', 'o1-a')])
  const all = await world.orders.keyRefs({ accountId, view: 'unhanded' })
  expect(all.keys.map(({ keyId }) => keyId).sort()).toEqual(['o1-b', 'o2-a', 'o2-b'])
  expect(world.orders.keysOfOrders({ accountId, orderIds: ['o1', 'none'] })).toEqual({
    keys: [key('o1', 'o1-a'), key('o1', 'o1-b')],
    missing: 0,
  })
})

test('describes a selection by its products and marks, without keys that aren’t stored', async () => {
  world.respond['getOrderKeys'] = () => ({
    keys: ['c', 'd', 'e'].map((name) => ({
      id: `o2-${name}`,
      line: 2,
      productId: 'unknown',
      deliveryType: 'gift',
      contentType: 'text/plain',
      value: `VALUE-${name}`,
      deliveredAt: new Date(deliveredAt).toISOString(),
    })),
  })
  await world.orders.downloadKeys({ accountId, orderId: 'o2', acknowledged: true })
  mark([key('o1', 'o1-a'), key('o2', 'o2-e')])
  const keys = ['o1-a', 'o1-b', 'o2-c', 'o2-d', 'o2-e', 'o2-none']
  expect(
    world.orders.describeKeys({ accountId, keys: keys.map((id) => key(id.slice(0, 2), id)) }),
  ).toMatchObject({
    handed: 2,
    products: [
      { name: 'unknown', platform: '', region: '', deliveryType: 'gift', keys: 3 },
      { name: 'Ironwharf 3', platform: 'Steam', region: 'Europe', deliveryType: 'key', keys: 2 },
    ],
  })
  expect(world.orders.describeKeys({ accountId, keys: [key('o1', 'o1-b')] })).toMatchObject({
    handed: 0,
    products: [{ name: 'Ironwharf 3', keys: 1 }],
  })
})
