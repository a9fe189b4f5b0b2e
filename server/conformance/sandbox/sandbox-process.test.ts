import Database from 'better-sqlite3'
import { once } from 'node:events'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend } from '../../testing/backend-process.ts'
import { linesTo, rawShop, refused, send, startRaw } from '../testing/raw-service.ts'

let folder = ''
const running: ReturnType<typeof startBackend>[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-process-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

async function start(...args: string[]) {
  const backend = startBackend(['--port', '0', ...args])
  running.push(backend)
  return { ...linesTo(await backend.ready), ...backend, ready: await backend.ready }
}
type Started = Awaited<ReturnType<typeof start>>

/** The result of a failed start: status, lines on standard output, lines on standard error. */
async function refusal(...args: string[]) {
  const backend = startBackend(['--port', '0', ...args])
  running.push(backend)
  const { code, stdout, stderr } = await backend.ended
  return { code, stdout, lines: stderr.trimEnd().split('\n').length, stderr }
}

const file = () => join(folder, 'keydesk.sqlite')

function behindItsBack(sql: string): void {
  const database = new Database(file())
  database.exec(sql)
  database.close()
}

type Row = Readonly<Record<string, unknown>>

/** Every page of a list. */
async function all(line: Started['dashboard'], path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await line(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=100&page=${page}`,
    )
    rows.push(...body.results)
    if (body.hasMore !== true) return rows
  }
}

/**
 * Removes everything that depends on the time and place of creation: times, addresses, and ledger
 * hashes over times.
 */
const timeless = (rows: readonly Row[]): string =>
  JSON.stringify(rows)
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, 'time')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'here')

/** Everything visible in the demo data. */
async function world({
  ready,
  dashboard,
  sellerLine,
  partnerLine,
}: ReturnType<typeof linesTo>): Promise<Record<string, Row[]>> {
  const [seller, live, test] = [
    sellerLine(ready.demo?.sellerKey ?? ''),
    partnerLine(ready.demo?.partnerLiveKey ?? ''),
    partnerLine(ready.demo?.partnerTestKey ?? ''),
  ]
  const partner: string = (await live('GET', '/ping')).body.partnerId
  const disputes = await all(seller, '/disputes')
  const orders = [...(await all(live, '/orders')), ...(await all(test, '/orders'))]
  return {
    products: await all(live, '/products'),
    removed: (await all(live, '/products?includeRemoved=true')).filter(({ removed }) => removed),
    sellers: await all(dashboard, '/sellers'),
    offers: await all(seller, '/offers'),
    sales: await all(seller, '/sales'),
    orders,
    disputes,
    messages: await Promise.all(
      disputes.map(async ({ id }) => (await seller('GET', `/disputes/${String(id)}`)).body),
    ),
    keys: (
      await Promise.all(
        [live, test].flatMap((of) =>
          orders.map(
            async ({ id }) => (await of('GET', `/orders/${String(id)}/keys`)).body.keys ?? [],
          ),
        ),
      )
    ).flat(),
    balances: [(await dashboard('GET', `/partners/${partner}`)).body],
    slot: [(await dashboard('GET', `/partners/${partner}/webhook`)).body],
    ledger: await all(dashboard, `/partners/${partner}/ledger`),
  }
}

describe('the demo data', () => {
  it('has 2,000 products, 8 competitors, a seller with 40 offers and a partner with 30 orders @long', async () => {
    const service = await startRaw({ world: { seed: 'demo', products: 2000 } })
    const demo = await world(service)
    await service.stop()
    const sizes = (rows: Row[] | undefined, field: string) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(rows ?? [], (row) => String(row[field]))).map(
          ([name, group]) => [name, group?.length],
        ),
      )
    expect(
      [demo['products'], demo['sellers'], demo['offers'], demo['sales'], demo['orders']].map(
        (rows) => rows?.length,
      ),
    ).toEqual([2000, 9, 40, 120, 30])
    expect(demo['removed']).toHaveLength(20)
    expect(sizes(demo['offers'], 'status')).toEqual({ active: 38, paused: 2 })
    expect(Object.keys(sizes(demo['offers'], 'isCheapest')).toSorted()).toEqual(['false', 'true'])
    expect(demo['offers']?.filter(({ stock }) => stock === 0).length).toBeGreaterThan(0)
    expect(sizes(demo['disputes'], 'status')).toEqual({ open: 2, escalated: 1, resolved: 2 })
    expect(Object.keys(sizes(demo['orders'], 'status')).toSorted()).toEqual([
      'completed',
      'failed',
      'partially_completed',
      'processing',
    ])
    expect(demo['balances']?.[0]).toMatchObject({ balances: { live: 1000, test: 1000 } })
    expect(demo['slot']).toEqual([
      {
        url: null,
        createdAt: null,
        hint: expect.stringContaining('PUT /dashboard/partners/ptr_'),
      },
    ])
  })

  it('is equal in two processes of one size, with ids, prices, keys, messages and ledger @long', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => world(await start('--memory', '--no-limits', '--products', '30'))),
    )
    for (const name of Object.keys(first ?? {})) {
      expect(first?.[name]?.length, name).toBeGreaterThan(0)
      expect(timeless(first?.[name] ?? []) === timeless(second?.[name] ?? []), name).toBe(true)
    }
  })
})

describe('a data folder', () => {
  it('is private to its owner, survives restarts and kills, and revokes earlier demo keys @long', async () => {
    folder = join(folder, 'deep', 'er')
    const first = await start('--data', folder, '--products', '12')
    expect([statSync(folder).mode & 0o777, statSync(file()).mode & 0o777]).toEqual([0o700, 0o600])
    const { id } = (await first.dashboard('POST', '/partners', { name: 'Kept' })).body
    expect((await first.dashboard('POST', '/clock/advance', { ms: 7_200_000 })).body.offsetMs).toBe(
      7_200_000,
    )
    first.child.kill('SIGKILL')
    await first.ended
    const second = await start('--data', folder, '--products', '12')
    expect((await second.dashboard('GET', `/partners/${id}`)).body.name).toBe('Kept')
    expect((await second.dashboard('GET', '/clock')).body.offsetMs).toBe(7_200_000)
    expect((await second.dashboard('GET', '/ledger/verify')).body.ok).toBe(true)
    for (const [key, status] of [
      ...Object.values(first.ready.demo ?? {}).map((old) => [old, 401] as const),
      ...Object.values(second.ready.demo ?? {}).map((own) => [own, 200] as const),
    ]) {
      expect(
        (
          await (key.startsWith('svcs_')
            ? second.sellerLine(key)('GET', '/me')
            : second.partnerLine(key)('GET', '/ping'))
        ).status,
      ).toBe(status)
    }
    expect(refused(await second.partnerLine(null)('GET', '/ping'))).toEqual([401, 'UNAUTHORIZED'])
    expect(
      refused(await send(second.origin, first.ready.dashboardToken, 'GET', '/dashboard/clock')),
    ).toEqual([401, 'UNAUTHORIZED'])
  })

  it('opens for one of two processes that start simultaneously; the other reports it in one line @long', async () => {
    const both = [
      startBackend(['--port', '0', '--data', folder, '--seed', 'empty']),
      startBackend(['--port', '0', '--data', folder, '--seed', 'empty']),
    ]
    running.push(...both)
    const outcomes = await Promise.all(
      both.map(({ ready, ended }) =>
        ready.then(
          () => null,
          () => ended,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1)
    expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]*in use by another process[^\n]*\n$/),
    })
  })

  it("of a newer version is refused in one line with status 1, and doesn't change @long", async () => {
    await (await startRaw({ dataFolder: folder })).stop()
    behindItsBack('PRAGMA user_version = 9999')
    const before = statSync(file())
    expect(await refusal('--data', folder, '--seed', 'empty')).toMatchObject({
      code: 1,
      stdout: '',
      lines: 1,
      stderr: expect.stringMatching(/version 9999.* newer program/),
    })
    expect(statSync(file())).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs })
  })

  it("with a changed ledger fails GET /ledger/verify, and doesn't start", async () => {
    const first = await startRaw({ dataFolder: folder })
    const { id } = await rawShop(first).partner()
    const proof = (await first.dashboard('GET', '/ledger/verify')).body
    expect(proof).toEqual({
      ok: true,
      entries: 1,
      headHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      sums: { live: 0, test: 0 },
    })
    behindItsBack(`UPDATE ledger_accounts SET balance = balance + 1 WHERE name = 'partner:${id}'`)
    expect((await first.dashboard('GET', '/ledger/verify')).body.ok).toBe(false)
    behindItsBack(`UPDATE ledger_accounts SET balance = balance - 1 WHERE name = 'partner:${id}'`)
    expect((await first.dashboard('GET', '/ledger/verify')).body).toEqual(proof)
    behindItsBack(
      'DROP TRIGGER ledger_entries_stay; DROP TRIGGER ledger_entries_kept; UPDATE ledger_entries SET at = at + 1',
    )
    expect((await first.dashboard('GET', '/ledger/verify')).body.ok).toBe(false)
    behindItsBack(`UPDATE ledger_accounts SET balance = balance + 1 WHERE name = 'partner:${id}'`)
    await first.stop()
    await expect(startRaw({ dataFolder: folder })).rejects.toThrow(/ledger is broken/)
  })
})

describe('stopping the service', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'exits on %s with status 0 under load, with waiting orders, delays and a half-sent body @long',
    async (signal) => {
      const backend = await start('--memory', '--seed', 'empty', '--no-limits')
      const { dashboard } = backend
      const shop = rawShop(backend)
      const [seller, partner] = [await shop.seller(), await shop.partner()]
      const soon = await shop.product({ releaseDate: '2999-01-01' })
      await shop.offer(
        seller,
        soon,
        1,
        Array.from({ length: 50 }, (_, i) => `k-${i}`),
      )
      const hangs = createServer(() => undefined)
      await once(hangs.listen(0, '127.0.0.1'), 'listening')
      await dashboard('PUT', `/partners/${partner.id}/webhook`, {
        url: `http://127.0.0.1:${(hangs.address() as AddressInfo).port}/`,
      })
      await dashboard('PUT', '/faults', [{ match: { path: '/v1/meta' }, latencyMs: 600_000 }])
      const reached = once(hangs, 'request')
      await dashboard('POST', `/partners/${partner.id}/webhook/test`, { mode: 'live' })
      await reached
      const waits = Array.from({ length: 20 }, () =>
        partner.call('POST', '/orders?wait=25', {
          externalId: `w-${shop.next()}`,
          items: [{ productId: soon, qty: 1, maxUnitPrice: 9 }],
        }),
      )
      const slow = [
        partner.call('GET', '/meta'),
        shop.advance(3_600_000),
        fetch(`${backend.origin}/dashboard/partners`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${backend.ready.dashboardToken}`,
            'content-type': 'application/json',
          },
          duplex: 'half',
          body: new ReadableStream({
            start: (stream) => stream.enqueue(new TextEncoder().encode('{')),
          }),
        } as RequestInit),
      ].map((one) =>
        one.then(
          ({ status }) => status,
          () => null,
        ),
      )
      const load = Array.from({ length: 4 }, async () => {
        for (;;) if ((await partner.call('GET', '/products').catch(() => null)) === null) return
      })
      await expect
        .poll(async () => (await partner.call('GET', '/orders')).body.total, { timeout: 15_000 })
        .toBe(20)
      backend.child.kill(signal)
      // The receiver would hang for 8 s, the orders would wait for 25 s, and the delay would last
      // 10 minutes; the service waits for none of them.
      const { code, stdout } = await backend.ended
      expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 1])
      for (const { status, body } of await Promise.all(waits))
        expect([status, body.status]).toEqual([201, 'processing'])
      expect(await Promise.all(slow)).toHaveLength(3)
      await Promise.all(load)
      hangs.closeAllConnections()
      hangs.close()
    },
  )
})

describe('options', () => {
  it('--no-limits counts no rates and keeps value limits', async () => {
    const service = await startRaw({ limits: false })
    expect((await fetch(`${service.origin}/healthz`)).headers.get('x-svc-rates')).toBe('off')
    const shop = rawShop(service)
    const { call } = await shop.partner()
    expect(
      new Set(
        (await Promise.all(Array.from({ length: 120 }, () => call('GET', '/ping')))).map(
          ({ status }) => status,
        ),
      ),
    ).toEqual(new Set([200]))
    const productId = await shop.product()
    await shop.offer(await shop.seller(), productId, 2501, ['k'])
    expect(
      refused(
        await call('POST', '/orders', {
          externalId: 'dear',
          items: [{ productId, qty: 1, maxUnitPrice: 9999 }],
        }),
      ),
    ).toEqual([422, 'ORDER_LIMIT_EXCEEDED'])
    await service.stop()
  })

  it('--allow-remote refuses webhook receivers on this computer', async () => {
    const service = await startRaw({ allowRemote: true })
    const { id } = (await service.dashboard('POST', '/partners', { name: 'Remote' })).body
    for (const url of ['http://127.0.0.1:9/', 'https://localhost/', 'https://[::1]/'])
      expect(refused(await service.dashboard('PUT', `/partners/${id}/webhook`, { url }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'url',
      ])
    expect(
      (await service.dashboard('PUT', `/partners/${id}/webhook`, { url: 'https://shop.example/' }))
        .status,
    ).toBe(200)
    await service.stop()
  })

  it('POST /sandbox-proof answers a challenge with the key file of the data folder @long', async () => {
    const service = await start('--data', folder, '--seed', 'empty')
    const ask = (body: unknown) => send(service.origin, null, 'POST', '/sandbox-proof', { body })
    const nonce = randomBytes(24).toString('base64url')
    const { status, body } = await ask({ nonce })
    const secret = Buffer.from(readFileSync(join(folder, 'proof.key'), 'utf8').trim(), 'hex')
    expect(statSync(join(folder, 'proof.key')).mode & 0o777).toBe(0o600)
    expect([status, body.hmac]).toEqual([
      200,
      createHmac('sha256', secret).update(nonce).digest('hex'),
    ])
    expect(Object.keys(body).toSorted()).toEqual(['hmac', 'publicKey', 'signature'])
    for (const bad of [{}, { nonce: 'short' }, { nonce: `${nonce}+/` }, { nonce, more: 1 }])
      expect((await ask(bad)).status, JSON.stringify(bad)).toBe(400)
    service.child.kill('SIGTERM')
    await service.ended
    const again = await start('--data', folder, '--seed', 'empty')
    const next = await send(again.origin, null, 'POST', '/sandbox-proof', { body: { nonce } })
    expect(next.body.publicKey, 'the same data folder is the same sandbox').toBe(body.publicKey)
  })

  it('only GET /healthz and the OpenAPI document are available without a key', async () => {
    const service = await startRaw({ limits: true })
    const health = await send(service.origin, null, 'GET', '/healthz')
    expect([health.status, health.text]).toEqual([200, '{"ok":true}'])
    expect((await fetch(`${service.origin}/healthz`)).headers.has('x-svc-rates')).toBe(false)
    const document = await send(service.origin, null, 'GET', '/v1/openapi.json')
    expect(document).toMatchObject({
      status: 200,
      body: { openapi: expect.stringMatching(/^3\.1\./), info: { version: '1.0.0' } },
    })
    for (const path of [
      '/v1/ping',
      '/v1/seller/me',
      '/dashboard/clock',
      '/v1/nowhere',
      '/dashboard',
    ])
      expect((await send(service.origin, null, 'GET', path)).status, path).toBe(401)
    await service.stop()
  })
})
