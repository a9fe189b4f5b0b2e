import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { rawShop, refused, startRaw } from '../testing/raw-service.ts'

const service = await startRaw()
const shop = rawShop(service)
afterAll(() => service.stop())

function picture(type: string, bytes: number, head: readonly number[]): string {
  const rest = Buffer.alloc(bytes - head.length, shop.next())
  const base64 = Buffer.concat([Buffer.from(head), rest]).toString('base64')
  return `data:image/${type};base64,${base64}`
}
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** A seller with one offer, and helpers for its stock. */
async function stocked(keys: readonly string[] = []) {
  const seller = await shop.seller()
  const productId = await shop.product()
  const id = await shop.offer(seller, productId, 10, keys)
  const upload = (given: unknown, key?: string) =>
    seller.call(
      'POST',
      `/offers/${id}/keys`,
      { keys: given },
      key === undefined ? {} : { 'idempotency-key': key },
    )
  const withdraw = (body?: object, key?: string) =>
    seller.call(
      'POST',
      `/offers/${id}/withdraw`,
      body,
      key === undefined ? {} : { 'idempotency-key': key },
    )
  return { seller, productId, id, upload, withdraw }
}

describe('an upload', () => {
  it('returns only added, duplicates and stock', async () => {
    const { upload } = await stocked(['A-1'])
    const answer = await upload([' A-2 ', 'A-2', 'A-1', '\tA-3\r\n'])
    expect([answer.status, answer.body]).toEqual([200, { added: 2, duplicates: 2, stock: 3 }])
  })

  it('accepts 1 to 1000 keys', async () => {
    const { upload } = await stocked()
    const keys = Array.from({ length: 1001 }, (_, i) => `N-${i}`)
    expect((await upload(keys.slice(0, 1000))).body).toEqual({
      added: 1000,
      duplicates: 0,
      stock: 1000,
    })
    for (const given of [keys, [], 'A', null, undefined, { 0: 'A' }, 'A,B'])
      expect(refused(await upload(given))).toEqual([400, 'VALIDATION_ERROR', 'keys'])
  })

  it('is refused completely if a key is invalid, naming its index and never the key', async () => {
    const { upload, seller, id } = await stocked()
    const answer = await upload([
      'GOOD-1',
      '',
      'SECRET\u0000KEY',
      'GOOD-2',
      'SECRET'.repeat(700),
      'SEC\nRET',
    ])
    expect(refused(answer)).toEqual([
      400,
      'VALIDATION_ERROR',
      'keys[1]',
      'keys[2]',
      'keys[4]',
      'keys[5]',
    ])
    expect(answer.text).not.toContain('SEC')
    expect(refused(await upload(['GOOD-1', '\ud800SECRET'])).slice(0, 2)).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    expect((await seller.call('GET', `/offers/${id}`)).body.stock).toBe(0)
    expect(refused(await upload(['GOOD-1', 7, null]))).toEqual([
      400,
      'VALIDATION_ERROR',
      'keys[1]',
      'keys[2]',
    ])
  })

  it('accepts keys of 1 and of 4096 characters, whatever their size in bytes', async () => {
    const { upload } = await stocked()
    expect((await upload(['K', 'é'.repeat(4096), '🗝️'.repeat(2048)])).body.added).toBe(3)
    expect(refused(await upload(['x'.repeat(4097)]))).toEqual([400, 'VALIDATION_ERROR', 'keys[0]'])
  })

  it('counts as duplicates all keys already used for the product, by any seller', async () => {
    const [mine, rival] = [await shop.seller(), await shop.seller()]
    const productId = await shop.product()
    const offer = await shop.offer(mine, productId, 10, ['SOLD', 'STOCK', 'SENT-FROM-STOCK'])
    const partner = await shop.partner()
    const {
      id: orderId,
      keys: [sold],
    } = await shop.buy(partner, productId)
    expect(sold?.value).toBe('SOLD')
    const claimed = await shop.claim(orderId, sold?.id)
    await mine.call('POST', `/disputes/${claimed}/replace`, { key: ' SENT ' })
    const soon = await shop.product({ releaseDate: '2999-01-01' })
    const ahead = await shop.offer(mine, soon, 10, ['RESERVED'])
    await partner.call('POST', '/orders', {
      externalId: `ahead-${soon}`,
      items: [{ productId: soon, qty: 1, maxUnitPrice: 100 }],
    })
    expect((await mine.call('GET', `/offers/${ahead}`)).body.stock).toBe(0)

    const theirs = await shop.offer(rival, productId, 20)
    expect(
      (
        await rival.call('POST', `/offers/${theirs}/keys`, {
          keys: ['SOLD', 'STOCK', 'SENT', 'NEW', 'NEW'],
        })
      ).body,
    ).toEqual({ added: 1, duplicates: 4, stock: 1 })
    const soonToo = await shop.offer(rival, soon, 20)
    expect(
      (await rival.call('POST', `/offers/${soonToo}/keys`, { keys: ['RESERVED'] })).body,
    ).toEqual({ added: 0, duplicates: 1, stock: 0 })
    expect((await mine.call('POST', `/offers/${offer}/withdraw`)).body.keys).toEqual([
      'STOCK',
      'SENT-FROM-STOCK',
    ])
    expect(
      (await rival.call('POST', `/offers/${theirs}/keys`, { keys: ['STOCK'] })).body,
    ).toMatchObject({ added: 1, duplicates: 0 })
    expect(
      (
        await mine.call('POST', `/offers/${await shop.offer(mine, await shop.product(), 1)}/keys`, {
          keys: ['SOLD'],
        })
      ).body.added,
    ).toBe(1)
  })

  it('accepts valid PNG, JPEG and GIF pictures up to 512 KiB, and delivers them with their type', async () => {
    const { upload, productId, seller, withdraw } = await stocked()
    const limit = 512 * 1024
    const good = [
      picture('png', limit, png),
      picture('jpeg', 100, [0xff, 0xd8, 0xff, 0xe0]),
      picture('gif', 100, [...Buffer.from('GIF89a')]),
      picture('gif', 100, [...Buffer.from('GIF87a')]),
    ]
    const bad = [
      picture('png', limit + 1, png),
      picture('png', 100, [0xff, 0xd8, 0xff]),
      picture('webp', 100, [...Buffer.from('RIFF')]),
      picture('svg+xml', 100, [...Buffer.from('<svg')]),
      'data:image/png;base64,',
      'data:image/png;base64,%%%',
    ]
    expect(refused(await upload(bad))).toEqual([
      400,
      'VALIDATION_ERROR',
      ...bad.map((_, index) => `keys[${index}]`),
    ])
    expect((await upload(good)).body).toEqual({ added: 4, duplicates: 0, stock: 4 })
    const { keys } = await shop.buy(await shop.partner(), productId, 3)
    expect(keys.map(({ contentType }) => contentType)).toEqual([
      'image/png',
      'image/jpeg',
      'image/gif',
    ])
    expect(keys.map(({ value }, index) => good[index]?.endsWith(`,${value}`))).toEqual([
      true,
      true,
      true,
    ])
    const sale = (await seller.call('GET', '/sales')).body.results.find(
      ({ keyId }: { keyId: string }) => keyId === keys[0]?.id,
    )
    expect(sale.keySha256).toBe(
      createHash('sha256')
        .update(good[0] ?? '')
        .digest('hex'),
    )
    expect((await withdraw()).body).toEqual({ count: 1, keys: good.slice(3), stock: 0 })
  })

  it('of 16 MiB is accepted @long', async () => {
    const { upload } = await stocked()
    const keys = Array.from({ length: 23 }, () => picture('png', 512 * 1024, png))
    expect(JSON.stringify({ keys }).length).toBeGreaterThan(15 * 1024 * 1024)
    expect((await upload(keys)).body).toEqual({ added: 23, duplicates: 0, stock: 23 })
    const answer = await upload([...keys, 'x'.repeat(2 * 1024 * 1024)])
    expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR', 'body'])
  })
})

describe('a withdrawal', () => {
  it('returns the oldest first, the given number or all, as text, with count and remaining stock', async () => {
    const { withdraw, upload } = await stocked(['W-1', 'W-2'])
    await upload(['W-3', 'W-4'])
    const first = await withdraw({ count: 3 })
    expect([first.status, first.body]).toEqual([
      200,
      { count: 3, keys: ['W-1', 'W-2', 'W-3'], stock: 1 },
    ])
    await upload(['W-1'])
    expect((await withdraw()).body).toEqual({ count: 2, keys: ['W-4', 'W-1'], stock: 0 })
    expect((await withdraw({})).body).toEqual({ count: 0, keys: [], stock: 0 })
  })

  it('of more than the stock is 409 INSUFFICIENT_STOCK, and withdraws nothing', async () => {
    const { withdraw, seller, id } = await stocked(['W-1', 'W-2'])
    expect(refused(await withdraw({ count: 3 }))).toEqual([409, 'INSUFFICIENT_STOCK'])
    expect((await seller.call('GET', `/offers/${id}`)).body.stock).toBe(2)
    for (const count of [0, -1, 1.5, '1', null])
      expect(refused(await withdraw({ count })), String(count)).toEqual([
        400,
        'VALIDATION_ERROR',
        'count',
      ])
  })

  it('never returns reserved or sold units', async () => {
    const seller = await shop.seller()
    const productId = await shop.product({ releaseDate: '2999-01-01' })
    const id = await shop.offer(seller, productId, 10, ['R-1', 'R-2'])
    const partner = await shop.partner()
    await partner.call('POST', '/orders', {
      externalId: `r-${productId}`,
      items: [{ productId, qty: 1, maxUnitPrice: 100 }],
    })
    expect(refused(await seller.call('POST', `/offers/${id}/withdraw`, { count: 2 }))).toEqual([
      409,
      'INSUFFICIENT_STOCK',
    ])
    expect((await seller.call('POST', `/offers/${id}/withdraw`)).body).toEqual({
      count: 1,
      keys: ['R-2'],
      stock: 0,
    })
  })
})

describe('Idempotency-Key on the Seller API', () => {
  it('returns the same response, byte for byte, without a second effect: for uploads and withdrawals', async () => {
    const { upload, withdraw, seller, id } = await stocked()
    const up = [
      await upload(['I-1', 'I-2'], 'upload-0001'),
      await upload(['I-1', 'I-2'], 'upload-0001'),
    ]
    expect(up.map(({ status, text }) => [status, text])).toEqual([
      [200, '{"added":2,"duplicates":0,"stock":2}'],
      [200, '{"added":2,"duplicates":0,"stock":2}'],
    ])
    const out = [
      await withdraw({ count: 1 }, 'withdraw-1'),
      await withdraw({ count: 1 }, 'withdraw-1'),
    ]
    expect(out[1]?.text).toBe(out[0]?.text)
    expect(out[0]?.body).toEqual({ count: 1, keys: ['I-1'], stock: 1 })
    expect((await seller.call('GET', `/offers/${id}`)).body.stock).toBe(1)
  })

  it('replays a 409 that would succeed now, and is IDEMPOTENCY_CONFLICT with another body', async () => {
    const { upload, withdraw } = await stocked(['C-1'])
    const first = await withdraw({ count: 2 }, 'withdraw-2')
    await upload(['C-2'])
    expect((await withdraw({ count: 2 }, 'withdraw-2')).text).toBe(first.text)
    expect(refused(await withdraw({ count: 1 }, 'withdraw-2'))).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
    ])
    expect((await withdraw({ count: 2 }, 'withdraw-3')).body.count).toBe(2)
  })

  it('stores no 400: a corrected request can use the same key', async () => {
    const { upload } = await stocked()
    expect((await upload([''], 'again-0001')).status).toBe(400)
    expect((await upload(['E-1'], 'again-0001')).body.added).toBe(1)
    for (const key of ['short', 'x'.repeat(101)])
      expect(refused(await upload(['E-2'], key))).toEqual([
        400,
        'VALIDATION_ERROR',
        'Idempotency-Key',
      ])
  })

  it('belongs to the seller and the offer, and expires after 24 hours', async () => {
    const [one, two] = [await stocked(), await stocked()]
    await one.upload(['O-1'], 'shared-key')
    expect((await two.upload(['O-2'], 'shared-key')).body.added).toBe(1)
    const other = await shop.offer(one.seller, await shop.product(), 1)
    expect(
      (
        await one.seller.call(
          'POST',
          `/offers/${other}/keys`,
          { keys: ['O-3'] },
          { 'idempotency-key': 'shared-key' },
        )
      ).body.added,
    ).toBe(1)
    await shop.advance(86_400_000 - 60_000)
    expect((await one.upload(['O-1'], 'shared-key')).body).toMatchObject({ added: 1 })
    await shop.advance(60_000)
    expect((await one.upload(['O-1'], 'shared-key')).body).toMatchObject({
      added: 0,
      duplicates: 1,
    })
  })

  it('of a replacement and a refund returns the same dispute again, and sends and credits once', async () => {
    const { seller, productId } = await stocked(['P-1', 'P-2', 'P-3'])
    const partner = await shop.partner()
    const { id: orderId, keys } = await shop.buy(partner, productId, 2)
    for (const [index, [path, body]] of (
      [
        ['replace', { fromStock: true }],
        ['refund', undefined],
      ] as const
    ).entries()) {
      const dispute = await shop.claim(orderId, keys[index]?.id)
      const ask = () =>
        seller.call('POST', `/disputes/${dispute}/${path}`, body, {
          'idempotency-key': `settle-${path}`,
        })
      const [first, second] = [await ask(), await ask()]
      expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    }
    expect((await partner.call('GET', `/orders/${orderId}/keys`)).body.keys).toHaveLength(3)
    expect((await partner.call('GET', '/balance')).body.balance).toBe(10_000 - 22 + 11)
  })
})
