import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { userInfo } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failure } from '../../failure.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { orderFacts } from '../sync/order-facts.ts'
import { createFakeWorld, orderable, wireOrder } from '../testing/fake-service.ts'
import type { FakeWorld } from '../testing/fake-service.ts'

const accountId = 'account'
const who = userInfo().username
const week = 7 * 24 * 3_600_000
const deliveredAt = Date.UTC(2026, 0, 5, 8)

let world: FakeWorld
beforeEach(() => {
  world = createFakeWorld([
    orderable('p1', { name: 'Catalogue name', activationDetails: 'Games › Activate.' }),
  ])
})
afterEach(() => world.close())

const wireKey = (id: string, value: string, changes: Record<string, unknown> = {}) => ({
  id,
  line: 1,
  productId: 'p1',
  deliveryType: 'key',
  contentType: 'text/plain',
  value,
  deliveredAt: new Date(deliveredAt).toISOString(),
  ...changes,
})
const line = (number: number, changes: Record<string, unknown> = {}) => ({
  line: number,
  productId: `p${number}`,
  name: `Game ${number}`,
  deliveryType: 'key',
  qty: 1,
  unitPrice: 1000,
  status: 'completed',
  deliveredQty: 1,
  ...changes,
})
/** Mirrors an order and lets the service deliver these keys for it. */
function delivers(
  orderId: string,
  keys: readonly ReturnType<typeof wireKey>[],
  changes: Record<string, unknown> = {},
): void {
  const order = wireOrder(orderId, { externalId: `R/${orderId}`, items: [line(1)], ...changes })
  world.store.write(orderFacts(order as never, deliveredAt))
  world.respond['getOrderKeys'] = () => ({ keys })
  world.respond['getOrder'] = () => order
}
const download = (orderId = 'o1') =>
  world.orders.downloadKeys({ accountId, orderId, acknowledged: true })
const attempt = (work: () => unknown) => problemOfFailure(Promise.resolve().then(work))
const keysOf = (orderId = 'o1') => world.orders.order({ accountId, orderId }).keys
const text = (file: { base64: string }): string => Buffer.from(file.base64, 'base64').toString()
const lastUse = (orderId = 'o1') => world.orders.order({ accountId, orderId }).uses.at(-1)

describe('a download', () => {
  test('stores every key encrypted and masked, in the order of lines and delivery', async () => {
    delivers(
      'o1',
      [
        wireKey('k3', 'CCCCC-CCCCC-CCCCC', { line: 2, productId: 'p2' }),
        wireKey('k2', 'BBBBB-BBBBB-BBBBB', {
          deliveredAt: new Date(deliveredAt + 1000).toISOString(),
        }),
        wireKey('k1', 'AAAAA-AAAAA-AAAAA'),
        wireKey('k4', 'DDDDD-DDDDD-DDDDD', { line: 3, deliveredAt: 'unknown' }),
      ],
      { items: [line(1), line(2)] },
    )
    const detail = await download()
    const stored = {
      line: 1,
      productId: 'p1',
      deliveryType: 'key',
      contentType: 'text/plain',
      replacement: false,
      seenAt: null,
      handedAt: null,
      handedNote: '',
    }
    expect(detail.keys).toEqual([
      {
        ...stored,
        keyId: 'k1',
        masked: 'AAAAA-•••••-•••••',
        deliveredAt,
        claimUntil: deliveredAt + week,
      },
      {
        ...stored,
        keyId: 'k2',
        masked: 'BBBBB-•••••-•••••',
        deliveredAt: deliveredAt + 1000,
        claimUntil: deliveredAt + 1000 + week,
        // One unit more than the line's delivered quantity.
        replacement: true,
      },
      {
        ...stored,
        keyId: 'k3',
        line: 2,
        productId: 'p2',
        masked: 'CCCCC-•••••-•••••',
        deliveredAt,
        claimUntil: deliveredAt + week,
      },
      {
        ...stored,
        keyId: 'k4',
        line: 3,
        masked: 'DDDDD-•••••-•••••',
        deliveredAt: world.clock.now(),
        claimUntil: world.clock.now() + week,
      },
    ])
    expect(JSON.stringify(detail)).not.toContain('AAAAA-AAAAA')
    expect(detail.downloadedHereAt).toBe(world.clock.now())
    expect(detail.keysKept).toBe(4)
    expect(world.calls).toMatchObject([
      {
        operation: 'getOrderKeys',
        input: { params: { id: 'o1' } },
        options: { priority: 'person' },
      },
      { operation: 'getOrder', input: { params: { id: 'o1' } } },
    ])
    expect(world.changes).toEqual([
      { topic: 'orders', id: 'o1' },
      { topic: 'vault', id: null },
      { topic: 'orders', id: 'o1' },
    ])
    expect(formatMessages(world.activity)).toMatchObject([{ what: 'Keys downloaded' }])
  })

  test('requests no key while the vault is locked', async () => {
    delivers('o1', [wireKey('k1', 'A')])
    world.state.locked = true
    expect(await problemOfFailure(download())).toMatchObject({ code: 'VAULT_LOCKED' })
    expect(world.calls).toEqual([])
  })

  test('of an unknown order requests nothing', async () => {
    expect(await problemOfFailure(download('none'))).toMatchObject({ code: 'NOT_FOUND' })
    expect(world.calls).toEqual([])
  })

  test('without keys is reported, and not recorded', async () => {
    delivers('o1', [])
    expect(await problemOfFailure(download())).toMatchObject({
      code: 'NO_KEYS',
      what: 'The service has no keys for this order yet.',
      next: 'Try again when the order is delivered.',
      effect: 'No download was recorded.',
    })
    expect(world.orders.order({ accountId, orderId: 'o1' })).toMatchObject({
      downloadedHereAt: null,
      uses: [],
    })
  })

  test('succeeds even if the order cannot be read after it', async () => {
    delivers('o1', [wireKey('k1', 'A')])
    world.respond['getOrder'] = () => {
      throw failure('OFFLINE', 'No network.', 'Wait.')
    }
    expect((await download()).keys).toHaveLength(1)
  })

  test('again adds and counts only new keys, and keeps the time of the first', async () => {
    delivers('o1', [wireKey('k1', 'A')])
    expect(await world.orders.access.refetchKeys(accountId, 'o1')).toBe(0)
    expect(world.calls).toEqual([])
    await download()
    const first = world.clock.now()
    world.clock.advance(1000)
    delivers('o1', [wireKey('k1', 'A'), wireKey('k2', 'B')])
    expect(await world.orders.access.refetchKeys(accountId, 'o1')).toBe(1)
    expect(keysOf().map(({ keyId }) => keyId)).toEqual(['k1', 'k2'])
    expect(world.orders.order({ accountId, orderId: 'o1' })).toMatchObject({
      downloadedHereAt: first,
      uses: [
        { what: 'downloaded', keys: 1, keyId: 'k1', at: first, who },
        { what: 'downloaded', keys: 1, keyId: 'k2', at: first + 1000, who },
      ],
    })
  })
})

describe('a stored key', () => {
  beforeEach(async () => {
    delivers('o1', [wireKey('k1', 'https://gift.example.com/c'), wireKey('k2', 'BBBBB')])
    await download()
    world.calls.length = 0
    world.changes.length = 0
    world.activity.length = 0
  })

  test.each([
    [undefined, 'revealed', 'Key revealed'],
    ['copied', 'copied', 'Keys copied'],
    ['opened', 'opened', 'Key link opened'],
  ] as const)('revealed for the use %s is recorded as %s', (use, what, message) => {
    world.clock.advance(500)
    expect(
      world.orders.revealKey({ accountId, orderId: 'o1', keyId: 'k1', use } as Parameters<
        typeof world.orders.revealKey
      >[0]),
    ).toEqual({
      value: 'https://gift.example.com/c',
      contentType: 'text/plain',
      kind: 'link',
      host: 'gift.example.com',
      account: null,
      fault: null,
    })
    const at = world.clock.now()
    expect(lastUse()).toEqual({ at, what, who, keys: 1, keyId: 'k1' })
    expect(keysOf().map(({ seenAt }) => seenAt)).toEqual([at, null])
    expect(formatMessages(world.activity)).toEqual([
      {
        accountId,
        what: message,
        detail: expect.stringMatching(new RegExp(`k1.*o1.*${who}`)),
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      },
    ])
    expect(world.changes).toEqual([{ topic: 'orders', id: 'o1' }])
    expect(world.calls).toEqual([])
  })

  test('keeps the time when it was first seen', () => {
    const reveal = () =>
      world.orders.revealKey({ accountId, orderId: 'o1', keyId: 'k1', use: 'revealed' })
    const first = world.clock.now()
    reveal()
    world.clock.advance(500)
    reveal()
    expect(keysOf()[0]?.seenAt).toBe(first)
  })

  test('is neither revealed nor recorded while the vault is locked, or if it is not stored', async () => {
    const reveal = (keyId: string) => () =>
      world.orders.revealKey({ accountId, orderId: 'o1', keyId, use: 'revealed' })
    expect(await attempt(reveal('none'))).toMatchObject({
      code: 'NOT_FOUND',
      what: 'This key isn’t stored on this computer.',
      next: 'Download the keys of the order first.',
    })
    world.state.locked = true
    expect(await attempt(reveal('k1'))).toMatchObject({ code: 'VAULT_LOCKED' })
    expect(lastUse()).toMatchObject({ what: 'downloaded' })
    expect(world.activity).toEqual([])
  })
})

describe('the keys of an order as a text or a file', () => {
  beforeEach(async () => {
    delivers(
      'o1',
      [
        wireKey('k1', 'AAAAA'),
        wireKey('k2', '=BBBBB', { line: 2, productId: 'p2' }),
        wireKey('k3', 'iVBO', { line: 3, productId: 'p3', contentType: 'image/png' }),
      ],
      { items: [line(1), line(2)] },
    )
    await download()
    world.activity.length = 0
    world.changes.length = 0
  })
  const keysText = (form: 'lines' | 'message', keyIds?: string[]) =>
    world.orders.keysText({ accountId, orderId: 'o1', form, keyIds } as Parameters<
      typeof world.orders.keysText
    >[0])
  const exportKeys = (form: 'lines' | 'table', keyIds?: string[], typed = PLAIN_EXPORT_PHRASE) =>
    world.orders.exportKeys({ accountId, orderId: 'o1', form, keyIds, typed } as Parameters<
      typeof world.orders.exportKeys
    >[0])

  test('are copied one per line, without pictures', () => {
    expect(keysText('lines')).toEqual({ text: 'AAAAA\n=BBBBB', keys: 3, pictures: 1 })
    expect(lastUse()).toMatchObject({ what: 'copied', keys: 2, keyId: null })
    expect(formatMessages(world.activity)).toMatchObject([
      { what: 'Keys copied', detail: expect.stringMatching(new RegExp(`2.*o1.*${who}`)) },
    ])
    const at = world.clock.now()
    expect(keysOf().map(({ seenAt }) => seenAt)).toEqual([at, at, null])
    expect(world.changes).toEqual([{ topic: 'orders', id: 'o1' }])
    expect(keysText('lines', ['k2'])).toEqual({ text: '=BBBBB', keys: 1, pictures: 0 })
    expect(lastUse()).toMatchObject({ keys: 1, keyId: 'k2' })
  })

  test('record no copy if all of them are pictures', () => {
    expect(keysText('lines', ['k3'])).toEqual({ text: '', keys: 1, pictures: 1 })
    expect(lastUse()).toMatchObject({ what: 'downloaded' })
    expect(world.activity).toEqual([])
  })

  test('are copied as a message with the name of each order line and its instructions', () => {
    expect(keysText('message')).toEqual({
      text: [
        'Game 1 (Steam, Global)',
        'Key: AAAAA',
        '',
        'How to redeem:',
        'Games › Activate.',
        '',
        'Game 2',
        'Key: =BBBBB',
        '',
        'p3',
        'Picture: see the attached picture',
      ].join('\n'),
      keys: 3,
      pictures: 1,
    })
    expect(lastUse()).toMatchObject({ what: 'message' })
    expect(formatMessages(world.activity)).toMatchObject([
      { what: 'Keys copied with instructions' },
    ])
  })

  test('are exported exactly as delivered, one per line or as a table', () => {
    const lines = exportKeys('lines')
    expect(lines.fileName).toBe('keys-of-R_o1.txt')
    expect(text(lines)).toBe('AAAAA\n=BBBBB\niVBO\n')
    expect(lastUse()).toMatchObject({ what: 'exported', keys: 3 })
    expect(formatMessages(world.activity)).toMatchObject([{ what: 'Keys exported' }])
    const table = exportKeys('table', ['k2', 'k3'])
    expect(table.fileName).toBe('keys-of-R_o1.csv')
    expect(text(table)).toBe(
      [
        'order id,reference,line,product id,product,platform,region,delivery,content type,key id,' +
          'value,handed over (UTC),note',
        'o1,R/o1,2,p2,Game 2,,,key,text/plain,k2,=BBBBB,,',
        'o1,R/o1,3,p3,p3,,,key,image/png,k3,iVBO,,',
        '',
      ].join('\r\n'),
    )
  })

  test('are exported only after the confirmation was typed', async () => {
    for (const typed of ['', 'export', 'Export unencrypted'])
      expect(await attempt(() => exportKeys('lines', undefined, typed))).toMatchObject({
        code: 'INVALID_INPUT',
        effect: 'Nothing was exported.',
        next: 'Type “export unencrypted”.',
      })
    expect(world.activity).toEqual([])
  })

  test('are reported as missing if none of them is stored', async () => {
    const missing = {
      code: 'NOT_FOUND',
      what: 'No keys of this order are stored on this computer.',
      next: 'Download the keys of the order first.',
    }
    expect(await attempt(() => keysText('lines', ['none']))).toMatchObject(missing)
    expect(await attempt(() => exportKeys('lines', []))).toMatchObject({
      ...missing,
      what: 'None of these keys is stored on this computer.',
    })
    expect(world.activity).toEqual([])
  })
})

describe('the list of all keys', () => {
  const list = (query: Record<string, unknown> = {}) =>
    world.orders.keys({ accountId, ...query } as Parameters<typeof world.orders.keys>[0])
  const ids = async (query: Record<string, unknown> = {}) =>
    (await list(query)).rows.map(({ keyId }) => keyId)

  beforeEach(async () => {
    delivers('o1', [
      wireKey('k1', 'AAAAA-11111'),
      wireKey('k2', 'BBBBB-22222', { deliveredAt: new Date(deliveredAt + 1).toISOString() }),
    ])
    await download('o1')
    delivers(
      'o2',
      [wireKey('k3', 'AAAAA-11111', { deliveredAt: new Date(deliveredAt + 2).toISOString() })],
      {
        items: [line(1, { name: 'Hollow Tide' })],
      },
    )
    await download('o2')
  })

  test('has the newest first, with the order, the product and the state of a claim', async () => {
    world.claimLabels.set('k2', 'Open')
    const { rows, ...rest } = await list()
    expect(rows).toMatchObject([
      { keyId: 'k3', orderId: 'o2', externalId: 'R/o2', name: 'Hollow Tide', claim: null },
      { keyId: 'k2', orderId: 'o1', externalId: 'R/o1', name: 'Game 1', claim: 'Open' },
      { keyId: 'k1', orderId: 'o1', externalId: 'R/o1', name: 'Game 1', claim: null },
    ])
    expect(rest).toEqual({
      total: 3,
      counts: { all: 3, unhanded: 2, handed: 0, claimable: 3, ending: 0, claimed: 1, new: 1 },
      uncompared: 0,
    })
    expect(await ids({ view: 'claimed' })).toEqual(['k2'])
    expect(await ids({ view: 'new' })).toEqual(['k2'])
    expect(await ids({ window: { offset: 1, limit: 1 } })).toEqual(['k2'])
    expect((await list({ window: { offset: 3, limit: 1 } })).total).toBe(3)
  })

  test('counts a replacement as new until it is seen', async () => {
    world.orders.revealKey({ accountId, orderId: 'o1', keyId: 'k2', use: 'revealed' })
    expect(await list({ view: 'new' })).toMatchObject({ total: 0, rows: [], counts: { all: 3 } })
  })

  test('counts a key as claimable for 7 days', async () => {
    world.clock.advance(deliveredAt + week - world.clock.now())
    expect(await list({ view: 'claimable' })).toMatchObject({ total: 3 })
    world.clock.advance(1)
    expect(await list({ view: 'claimable' })).toMatchObject({
      total: 2,
      rows: [{ keyId: 'k3' }, { keyId: 'k2' }],
    })
  })

  test('counts a key as ending in the last 24 hours of its claim window, the first to end first', async () => {
    const day = 24 * 3_600_000
    world.clock.advance(deliveredAt + week - day - 1 - world.clock.now())
    expect(await list({ view: 'ending' })).toMatchObject({ total: 0, counts: { ending: 0 } })
    world.clock.advance(1)
    expect(await ids({ view: 'ending' })).toEqual(['k1'])
    world.clock.advance(2)
    expect(await ids({ view: 'ending' })).toEqual(['k1', 'k2', 'k3'])
    world.clock.advance(day)
    expect(await ids({ view: 'ending' })).toEqual(['k3'])
    world.clock.advance(1)
    expect(await ids({ view: 'ending' })).toEqual([])
  })

  test('matches all words of a query with the reference or the name, in any case', async () => {
    expect(await ids({ query: ' TIDE  hollow ' })).toEqual(['k3'])
    expect(await ids({ query: 'r/o1' })).toEqual(['k2', 'k1'])
    expect(await ids({ query: 'hollow o1' })).toEqual([])
  })

  test('finds identical keys, regardless of surrounding spaces', async () => {
    expect(await ids({ query: ' AAAAA-11111\n' })).toEqual(['k3', 'k1'])
    expect(await ids({ query: 'AAAAA-1111' })).toEqual([])
    expect(await ids({ query: '  ' })).toEqual(['k3', 'k2', 'k1'])
  })

  test('finds nothing while the vault is locked, and counts the keys not compared', async () => {
    world.state.locked = true
    expect(await list({ query: 'AAAAA-11111' })).toMatchObject({
      rows: [],
      total: 0,
      uncompared: 3,
    })
    expect(await list()).toMatchObject({ total: 3, uncompared: 0 })
  })

  describe('with keys that an earlier version stored without a fingerprint', () => {
    const copies = 450
    beforeEach(() => {
      const copy = world.db.prepare(
        `INSERT INTO order_keys (order_id, key_id, line, product_id, delivery_type, content_type,
          masked, sealed, delivered_at) VALUES ('o2', ?, 1, 'p1', 'key', 'text/plain', 'x', ?, 1)`,
      )
      for (let index = 0; index < copies; index += 1)
        copy.run(
          `old-${index}`,
          world.context.vault.seal(accountId, `order-key:o2:old-${index}`, Buffer.from('OLD')),
        )
      copy.run('damaged', Buffer.from('[]'))
    })

    test('finds them, except damaged ones', async () => {
      expect((await list({ query: 'OLD' })).total).toBe(copies)
      expect((await list({ query: 'AAAAA-11111' })).total).toBe(2)
    })

    test('still finds them if the vault was locked during the first search', async () => {
      const search = list({ query: 'OLD' })
      world.state.locked = true
      expect(await search).toMatchObject({ total: 0, uncompared: copies + 4 })
      world.state.locked = false
      expect((await list({ query: 'OLD' })).total).toBe(copies)
    })
  })

  test('names a key whose order is not mirrored by its identifiers', async () => {
    world.db.exec(
      "DELETE FROM order_lines WHERE order_id = 'o2'; DELETE FROM orders WHERE order_id = 'o2'",
    )
    expect((await list()).rows[0]).toMatchObject({ keyId: 'k3', externalId: 'o2', name: 'p1' })
  })
})
