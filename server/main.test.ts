import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from './api/client/client.ts'
import { cents } from './api/money.ts'
import type { Ready } from './sandbox-types.ts'
import { type Ended, startBackend } from './testing/backend-process.ts'
import { fetchTransport } from './fetch-transport.ts'

let folder = ''
const running: ReturnType<typeof startBackend>[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-main-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(...args: string[]) {
  const started = startBackend(args)
  running.push(started)
  return started
}

const inFolder = () => ['--data', folder, '--port', '0', '--seed', 'empty']
const clientOf = (ready: Ready, key = ready.dashboardToken) =>
  createClient<AbortSignal>({ baseUrl: ready.baseUrl, key, send: fetchTransport })

/**
 * The single line that a failed start prints. If it printed more, or the start didn't fail, the
 * error shows the complete output.
 */
function refusalOf({ code, stdout, stderr }: Ended): string {
  const plain = code === 1 && stdout === '' && stderr.trimEnd().split('\n').length === 1
  return plain ? stderr : `not a one-line failure: ${JSON.stringify({ code, stdout, stderr })}`
}

describe('the process', () => {
  it('writes its addresses to the file of --ready-file, complete, and deletes it at the end @long', async () => {
    const file = join(folder, 'ready.json')
    const { ready, child, ended } = start(
      '--memory',
      '--port=0',
      '--seed=empty',
      '--ready-file',
      file,
    )
    await ready
    await expect.poll(() => existsSync(file)).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(await ready)
    expect(statSync(file).mode & 0o077).toBe(0)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  it("reports a --ready-file that it can't write in one line", async () => {
    const file = join(folder, 'missing', 'ready.json')
    const { ended } = start('--memory', '--port=0', '--seed=empty', '--ready-file', file)
    const { code, stderr } = await ended
    expect([code, stderr.split('\n').length]).toEqual([1, 2])
  })

  it.skipIf(process.platform === 'win32')(
    'creates every file for its user only, whatever the umask',
    async () => {
      const umask = process.umask(0)
      const { ready } = start(...inFolder())
      const dashboard = clientOf(await ready.finally(() => process.umask(umask)))
      await dashboard.createSnapshot({ body: { name: 'before' } })
      const modes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => ({
        name,
        open: statSync(join(folder, name)).mode & 0o077,
      }))
      expect(modes.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'keydesk.lock',
          'keydesk.lock-journal',
          'keydesk.sqlite',
          'seal.key',
        ]),
      )
      expect(modes.filter(({ open }) => open !== 0)).toEqual([])
    },
  )

  it('warns that it speaks unencrypted HTTP when other computers can reach it @long', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const { ready, child, ended } = start('--memory', '--port', '0', '--seed', 'empty', ...args)
      await ready
      child.kill('SIGTERM')
      return (await ended).stderr
    }
    expect(await run('--allow-remote')).toMatch(/^WARNING: http:\/\/127.* unencrypted HTTP/m)
    expect(await run()).toBe('')
  })

  it('prints its address in one line, with working keys @long', async () => {
    const { ready, child, ended } = start('--memory', '--port', '0', '--products', '40')
    const line = await ready
    const { port } = new URL(line.baseUrl)
    expect(line).toEqual({
      ready: true,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      sellerUrl: `http://127.0.0.1:${port}/v1/seller`,
      dashboardUrl: `http://127.0.0.1:${port}/dashboard`,
      dashboardToken: expect.stringMatching(/^\S{32,}$/),
      demo: {
        partnerTestKey: expect.stringMatching(/^svc_test_/),
        partnerLiveKey: expect.stringMatching(/^svc_live_/),
        sellerKey: expect.stringMatching(/^svcs_/),
      },
    })
    expect((await clientOf(line, line.demo?.partnerTestKey).ping({})).body.mode).toBe('test')
    expect((await clientOf(line, line.demo?.partnerLiveKey).ping({})).body.mode).toBe('live')
    expect((await clientOf(line, line.demo?.sellerKey).getSeller({})).body.idempotency).toBe(true)
    expect((await clientOf(line).listPartners({})).body.total).toBeGreaterThan(0)
    child.kill('SIGTERM')
    expect((await ended).stdout).toBe(`${JSON.stringify(line)}\n`)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'exits on %s with status 0, with or without open connections @long',
    async (signal) => {
      const { ready, child, ended } = start(...inFolder())
      const { baseUrl } = await ready
      await fetch(baseUrl, { headers: { connection: 'keep-alive' } })
      child.kill(signal)
      expect(await ended).toMatchObject({ code: 0, signal: null })
    },
  )

  it('responds to waiting clients with the current state when it is stopped @long', async () => {
    const { ready, child, ended } = start(...inFolder())
    const line = await ready
    const dashboard = clientOf(line)
    const product = (
      await dashboard.createProduct({
        body: {
          name: 'Tomorrow',
          platform: 'Steam',
          region: 'Global',
          productType: 'game',
          deliveryType: 'key',
          releaseDate: '2999-01-01',
        },
      })
    ).body
    const shop = (await dashboard.createSeller({ body: { name: 'Shop' } })).body
    const seller = clientOf(
      line,
      (await dashboard.createSellerKey({ params: { id: shop.id } })).body.key,
    )
    const { id } = (await seller.saveOffer({ body: { productId: product.id, price: cents(100) } }))
      .body.offer
    await seller.uploadKeys({ params: { id }, body: { keys: ['WAITING-1'] } })
    const buyer = (await dashboard.createPartner({ body: { name: 'Buyer' } })).body
    await dashboard.createTopUp({
      params: { id: buyer.id },
      body: { mode: 'live', amount: cents(1000) },
    })
    const partner = clientOf(
      line,
      (await dashboard.createPartnerKey({ params: { id: buyer.id }, body: { mode: 'live' } })).body
        .key,
    )

    const answer = partner.createOrder({
      query: { wait: 25 },
      body: {
        externalId: 'x',
        items: [{ productId: product.id, qty: 1, maxUnitPrice: cents(110) }],
      },
    })
    await expect.poll(async () => (await partner.listOrders({})).body.total).toBe(1)
    child.kill('SIGTERM')
    expect((await answer).body).toMatchObject({ status: 'processing', total: 110 })
    expect((await ended).code).toBe(0)
  })

  it('exits when its standard input closes, if that option is set @long', async () => {
    const { ready, child, ended } = start(...inFolder(), '--exit-with-parent')
    await ready
    child.stdin.end()
    expect((await ended).code).toBe(0)
  })

  it('leaves no files behind with --memory @long', async () => {
    const before = new Set(
      readdirSync(tmpdir()).filter((name) => name.startsWith('keydesk-sandbox-')),
    )
    const { ready, child, ended } = start('--memory', '--port', '0', '--seed', 'empty')
    expect((await ready).demo).toBeNull()
    const made = readdirSync(tmpdir()).filter(
      (name) => name.startsWith('keydesk-sandbox-') && !before.has(name),
    )
    expect(made.length).toBeGreaterThan(0)
    child.kill('SIGTERM')
    await ended
    // Another process of this computer can have its own folder; one of the new ones must be gone.
    expect(made.some((name) => !existsSync(join(tmpdir(), name)))).toBe(true)
  })

  it('keeps everything acknowledged when it is killed, and replaces the demo keys @long', async () => {
    const args = ['--data', folder, '--port', '0', '--products', '40']
    const first = start(...args)
    const line = await first.ready
    const dashboard = clientOf(line)
    const partner = (await dashboard.createPartner({ body: { name: 'Kept' } })).body
    await dashboard.createTopUp({
      params: { id: partner.id },
      body: { mode: 'live', amount: cents(12_345) },
    })
    const { total } = (await clientOf(line, line.demo?.partnerLiveKey).listProducts({})).body
    first.child.kill('SIGKILL')
    await first.ended

    const second = await start(...args).ready
    const found = (await clientOf(second).getPartner({ params: { id: partner.id } })).body
    expect(found).toMatchObject({ name: 'Kept', balances: { live: 12_345, test: 0 } })
    expect((await clientOf(second, second.demo?.partnerLiveKey).listProducts({})).body.total).toBe(
      total,
    )
    await expect(clientOf(second, line.demo?.partnerLiveKey).ping({})).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })
})

describe('failed starts', () => {
  it('a port in use @long', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(
      refusalOf(await start('--data', folder, '--seed', 'empty', '--port', String(port)).ended),
    ).toMatch(new RegExp(`Port ${port} .* in use`))
    other.close()
  })

  it('a data folder that another process uses @long', async () => {
    await start(...inFolder()).ready
    expect(refusalOf(await start(...inFolder()).ended)).toMatch(/in use by another process/)
  })

  it('a data folder that is a file, or has no database @long', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'x')
    expect(refusalOf(await start('--data', file, '--port', '0').ended)).toMatch(/can't be used/)
    writeFileSync(
      join(folder, 'keydesk.sqlite'),
      'not a database, but long enough to look like one at first',
    )
    expect(refusalOf(await start(...inFolder()).ended)).toMatch(/can't be used/)
  })

  it.each([
    [['--port', 'http'], /--port/],
    [['--port', '70000'], /--port/],
    [['--seed', 'huge'], /--seed/],
    [['--products', '0'], /--products/],
    [['--host', '0.0.0.0'], /--allow-remote/],
    [['--memory', '--data', '/tmp/x'], /combined/],
    [['--colour'], /--colour/],
    [['--memory', '--host', '203.0.113.1', '--allow-remote'], /belong to this computer/],
  ])('%j @long', async (args, words) => {
    expect(refusalOf(await start(...args).ended)).toMatch(words)
  })
})
