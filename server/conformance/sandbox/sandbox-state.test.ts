import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RawService, rawShop, refused, startRaw } from '../testing/raw-service.ts'

let folder = ''
let service: RawService
let shop: ReturnType<typeof rawShop>
const open = async (seed: 'demo' | 'empty' = 'empty', products = 12): Promise<RawService> => {
  service = await startRaw({ dataFolder: folder, world: { seed, products } })
  shop = rawShop(service)
  return service
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-state-'))
})
afterEach(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
const ask: RawService['dashboard'] = (...given) => service.dashboard(...given)
const save = (name: string) => ask('POST', '/snapshots', { name })
const restore = (name: string) => ask('POST', `/snapshots/${name}/restore`)
const pings = async (key: string) =>
  (key.startsWith('svcs_')
    ? await service.sellerLine(key)('GET', '/me')
    : await service.partnerLine(key)('GET', '/ping')
  ).status
const clock = async () => (await ask('GET', '/clock')).body

describe('snapshots', () => {
  it('are private files, listed by name, and replaced by a later one with the same name', async () => {
    await open()
    expect(await ask('GET', '/snapshots')).toMatchObject({ status: 200, body: { results: [] } })
    for (const name of ['b', 'A_1-x.y', 'a'.repeat(64), '-dash', '0'])
      expect(await save(name)).toMatchObject({
        status: 200,
        body: { name, bytes: expect.any(Number), createdAt: expect.stringMatching(/Z$/) },
      })
    const { results } = (await ask('GET', '/snapshots')).body
    expect(results.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      ['b', 'A_1-x.y', 'a'.repeat(64), '-dash', '0'].toSorted(),
    )
    const files = readdirSync(join(folder, 'snapshots'))
    expect(files).toHaveLength(5)
    for (const file of files)
      expect(statSync(join(folder, 'snapshots', file)).mode & 0o777).toBe(0o600)
    const { id } = await shop.partner()
    await save('b')
    await ask('POST', '/reset')
    await restore('b')
    expect((await ask('GET', `/partners/${id}`)).status).toBe(200)
    expect(readdirSync(join(folder, 'snapshots'))).toHaveLength(5)
  })

  it('reject invalid names with VALIDATION_ERROR and unknown ones with NOT_FOUND', async () => {
    await open()
    for (const name of [
      '',
      '.',
      '..',
      '.a',
      'a/b',
      'a\\b',
      'a b',
      'ä',
      'a\n',
      'a'.repeat(65),
      7,
      null,
      undefined,
    ])
      expect(refused(await ask('POST', '/snapshots', { name })), String(name)).toEqual([
        400,
        'VALIDATION_ERROR',
        'name',
      ])
    for (const name of ['%2e%2e%2fkeydesk', 'a%2Fb', '.a'])
      expect(refused(await restore(name)), name).toEqual([400, 'VALIDATION_ERROR', 'name'])
    expect(refused(await restore('none'))).toEqual([404, 'NOT_FOUND'])
    expect((await ask('GET', '/snapshots')).body.results).toEqual([])
  })

  it('are deleted one at a time', async () => {
    await open()
    for (const name of ['kept', 'gone']) await save(name)
    expect((await ask('DELETE', '/snapshots/gone')).status).toBe(204)
    expect(refused(await ask('DELETE', '/snapshots/gone'))).toEqual([404, 'NOT_FOUND'])
    expect(refused(await ask('DELETE', '/snapshots/%2e%2e%2fkeydesk'))).toEqual([
      400,
      'VALIDATION_ERROR',
      'name',
    ])
    expect(refused(await restore('gone'))).toEqual([404, 'NOT_FOUND'])
    expect((await ask('GET', '/snapshots')).body.results).toMatchObject([{ name: 'kept' }])
    expect(readdirSync(join(folder, 'snapshots'))).toHaveLength(1)
  })

  it("restore all data: accounts, keys, balances, stock, orders, and the clock's offset", async () => {
    await open()
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const productId = await shop.product()
    const offer = await shop.offer(seller, productId, 1, ['s-1', 's-2'])
    const { id: orderId } = await shop.buy(partner, productId)
    await shop.advance(5000)
    const { offsetMs } = await clock()
    const { headHash } = (await ask('GET', '/ledger/verify')).body
    await save('then')
    await shop.buy(partner, productId)
    await shop.advance(9 * 86_400_000)
    const later = await shop.partner()
    await ask('PATCH', `/sellers/${seller.id}`, { name: 'Later' })
    expect(await restore('then')).toMatchObject({ status: 200, body: { name: 'then' } })
    const restored = await clock()
    expect(restored.offsetMs).toBe(offsetMs)
    expect(Date.parse(restored.now) - offsetMs).toBeLessThanOrEqual(Date.now())
    expect((await ask('GET', '/ledger/verify')).body).toMatchObject({ ok: true, headHash })
    expect((await seller.call('GET', `/offers/${offer}`)).body).toMatchObject({ stock: 1, sold: 1 })
    expect((await seller.call('GET', '/sales')).body.results).toMatchObject([
      { orderId, status: 'pending' },
    ])
    expect((await partner.call('GET', '/balance')).body.balance).toBe(9998.9)
    expect((await ask('GET', `/sellers/${seller.id}`)).body.name).not.toBe('Later')
    expect(await pings(later.key)).toBe(401)
    expect((await shop.buy(partner, productId)).keys.map(({ value }) => value)).toEqual(['s-2'])
  })

  it("survive a reset and a restart; one from an earlier start doesn't restore that start’s demo keys", async () => {
    const { demo: old } = (await open('demo')).ready
    await save('before')
    await service.stop()
    const { demo: now } = (await open('demo')).ready
    expect(await pings(old?.sellerKey ?? '')).toBe(401)
    expect((await restore('before')).status).toBe(200)
    for (const key of Object.values(now ?? {})) expect(await pings(key)).toBe(200)
    for (const key of Object.values(old ?? {})) expect(await pings(key)).toBe(401)
    await ask('POST', '/reset')
    expect((await ask('GET', '/snapshots')).body.results).toMatchObject([{ name: 'before' }])
  })

  it('keep the demo keys of this start valid, except one that was revoked since', async () => {
    const { demo } = (await open('demo')).ready
    const keys = Object.values(demo ?? {})
    await save('now')
    expect((await restore('now')).status).toBe(200)
    for (const key of keys) expect(await pings(key)).toBe(200)
    const partner = (await service.partnerLine(demo?.partnerLiveKey ?? '')('GET', '/ping')).body
    const path = `/partners/${partner.partnerId}/keys`
    const listed: { id: string; mode: string }[] = (await ask('GET', path)).body.results
    const live = listed.find(({ mode }) => mode === 'live')?.id
    expect((await ask('DELETE', `${path}/${live}`)).status).toBe(204)
    expect((await restore('now')).status).toBe(200)
    expect(await pings(demo?.partnerLiveKey ?? '')).toBe(401)
    expect(await pings(demo?.partnerTestKey ?? '')).toBe(200)
  })

  it('contain when each key was last used', async () => {
    const { demo } = (await open('demo')).ready
    expect(await pings(demo?.sellerKey ?? '')).toBe(200)
    const used = async () => {
      const { results } = (await ask('GET', '/sellers')).body
      const keys = (await ask('GET', `/sellers/${results[0].id}/keys`)).body.results
      return keys.map(({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt)
    }
    const before = await used()
    expect(before.some((at: string | null) => at !== null)).toBe(true)
    await save('used')
    await shop.advance(3_600_000)
    expect(await pings(demo?.sellerKey ?? '')).toBe(200)
    expect((await restore('used')).status).toBe(200)
    expect(await used()).toEqual(before)
  })
})

it('a cursor is valid after a restart, and refused after a restore or a reset', async () => {
  const opened = await open('demo')
  const read = async (key: string | undefined, query: string) =>
    service.partnerLine(key ?? '')('GET', `/products?limit=5${query}`)
  const cursorOf = async (key: string | undefined): Promise<string> =>
    `&cursor=${encodeURIComponent((await read(key, '')).body.nextCursor)}`
  const first = await cursorOf(opened.ready.demo?.partnerTestKey)
  await save('cursors')
  await service.stop()
  const key = (await open('demo')).ready.demo?.partnerTestKey
  expect((await read(key, first)).status).toBe(200)
  await restore('cursors')
  const refusal = await read(key, first)
  expect(refused(refusal)).toEqual([400, 'VALIDATION_ERROR', 'cursor'])
  expect(refusal.body.error.details[0].message).toContain('start a full sync')
  const second = await cursorOf(key)
  expect((await read(key, second)).status).toBe(200)
  const { demo } = (await ask('POST', '/reset')).body
  expect(refused(await read(demo.partnerTestKey, second))).toEqual([
    400,
    'VALIDATION_ERROR',
    'cursor',
  ])
})

describe('a reset', () => {
  it('restores the initial database with offsetMs 0, and returns new demo keys in place of the old ones', async () => {
    const { ready } = await open('demo')
    const seen = async (key: string) => {
      const { results } = (await service.sellerLine(key)('GET', '/offers?limit=100')).body
      return results.map(
        ({ createdAt: _created, updatedAt: _updated, ...offer }: Record<string, unknown>) => offer,
      )
    }
    const first = await seen(ready.demo?.sellerKey ?? '')
    const own = await shop.partner()
    await shop.advance(3_600_000)
    const answer = await ask('POST', '/reset')
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        demo: {
          partnerTestKey: expect.stringMatching(/^svc_test_/),
          partnerLiveKey: expect.stringMatching(/^svc_live_/),
          sellerKey: expect.stringMatching(/^svcs_/),
        },
      },
    ])
    expect((await clock()).offsetMs).toBe(0)
    for (const key of [...Object.values(ready.demo ?? {}), own.key])
      expect(await pings(key)).toBe(401)
    for (const key of Object.values<string>(answer.body.demo)) expect(await pings(key)).toBe(200)
    expect(await seen(answer.body.demo.sellerKey)).toEqual(first)
  })

  it('accepts another seed and size; an empty service has demo null, also after a restart', async () => {
    await open('demo')
    const products = async (key: string) =>
      (await service.partnerLine(key)('GET', '/products?limit=1')).body.total
    expect(
      await products((await ask('POST', '/reset', { products: 25 })).body.demo.partnerTestKey),
    ).toBe(25)
    expect(await products((await ask('POST', '/reset', {})).body.demo.partnerTestKey)).toBe(12)
    expect((await ask('POST', '/reset', { seed: 'empty' })).body).toEqual({ demo: null })
    expect((await ask('GET', '/partners')).body.total).toBe(0)
    await service.stop()
    expect((await open('demo')).ready.demo).toBeNull()
    expect((await ask('GET', '/partners')).body.total).toBe(0)
    for (const body of [
      { seed: 'other' },
      { products: 0 },
      { products: 1.5 },
      { products: 1_000_001 },
    ])
      expect(refused(await ask('POST', '/reset', body)).slice(0, 2)).toEqual([
        400,
        'VALIDATION_ERROR',
      ])
  })

  it('leaves consistent data, whatever requests are running, as does a restored snapshot @long', async () => {
    await open()
    const [seller, partner] = [await shop.seller(), await shop.partner()]
    const productId = await shop.product()
    const offer = await shop.offer(
      seller,
      productId,
      1,
      Array.from({ length: 400 }, (_, i) => `r-${i}`),
    )
    let running = true
    const [statuses, proofs] = [new Set<number>(), new Set<boolean>()]
    const busy = async (work: () => Promise<{ status: number; body: { ok?: boolean } }>) => {
      while (running) {
        const { status, body } = await work()
        statuses.add(status)
        if (body?.ok !== undefined) proofs.add(body.ok)
      }
    }
    const load = [
      busy(() =>
        partner.call('POST', '/orders?wait=5', {
          externalId: `busy-${shop.next()}`,
          items: [{ productId, qty: 1, maxUnitPrice: 100 }],
        }),
      ),
      busy(() => partner.call('GET', '/products')),
      busy(() => seller.call('POST', `/offers/${offer}/keys`, { keys: [`more-${shop.next()}`] })),
      busy(() => ask('POST', '/clock/advance', { ms: 3_600_000 })),
      busy(() => ask('GET', '/ledger/verify')),
    ]
    await expect.poll(() => statuses.has(201), { timeout: 15_000 }).toBe(true)
    expect((await save('busy')).status).toBe(200)
    for (let round = 0; round < 3; round += 1) {
      expect((await restore('busy')).status).toBe(200)
      expect(await pings(partner.key)).toBe(200)
      expect((await ask('POST', '/reset')).body).toEqual({ demo: null })
      expect(await pings(partner.key)).toBe(401)
    }
    running = false
    await Promise.all(load)
    expect([...statuses].filter((status) => status === 500)).toEqual([])
    expect([...proofs]).toEqual([true])
    await ask('POST', '/reset')
    expect(await clock()).toMatchObject({ offsetMs: 0 })
    const [again, buyer] = [await shop.seller(), await shop.partner()]
    const fresh = await shop.product()
    await shop.offer(again, fresh, 1, ['fresh'])
    expect((await shop.buy(buyer, fresh)).order.status).toBe('completed')
    expect((await ask('GET', '/ledger/verify')).body).toMatchObject({
      ok: true,
      sums: { live: 0, test: 0 },
    })
  })
})
