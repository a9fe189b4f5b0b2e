import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { createTestService, dashboard, type TestService } from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

let test: TestService
let shop: ReturnType<typeof createShop>
beforeEach(() => {
  test = createTestService()
  shop = createShop(test)
})
afterEach(() => test.close())

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')
const asPartner = (key: string, address = '127.0.0.1') =>
  test.service.access.partner(sha256(key), address)
const asSeller = (key: string) => test.service.access.seller(sha256(key), '127.0.0.1')

describe('partners', () => {
  it('applies the default limits unless others are given; null means no limit', async () => {
    const create = async (body: object) =>
      (await test.run('createPartner', dashboard, { body: { name: 'P', ...body } })).body
    expect(await create({})).toMatchObject({
      status: 'active',
      perOrderLimit: 25e4,
      dailyLimit: 1e6,
      priceFactor: 1,
      ipAllowlist: [],
      email: null,
    })
    expect(await create({ perOrderLimit: null, dailyLimit: cents(5) })).toMatchObject({
      perOrderLimit: null,
      dailyLimit: 5,
    })
  })

  it('lists partners newest first and changes single fields', async () => {
    const first = await shop.partner({ name: 'First', email: 'a@b.example' }, 0)
    test.clock.move(1)
    const second = await shop.partner({ name: 'Second' }, 0)
    const { body } = await test.run('listPartners', dashboard, { query: {} })
    expect(body.results.map(({ id }) => id)).toEqual([second, first])
    const change = { dailyLimit: null, status: 'suspended', ipAllowlist: ['10.0.0.0/8'] } as const
    const changed = await test.run('changePartner', dashboard, {
      params: { id: first },
      body: { ...change, ipAllowlist: ['10.0.0.0/8'] },
    })
    expect(changed.body).toMatchObject({
      name: 'First',
      email: 'a@b.example',
      perOrderLimit: 250_000,
      ...change,
      balances: { live: 0, test: 0 },
    })
    await expect(
      test.run('getPartner', dashboard, { params: { id: 'nobody' } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a key', () => {
  const create = async (body: object = {}) => {
    const partner = await shop.partner({}, 0)
    const made = (
      await test.run('createPartnerKey', dashboard, {
        params: { id: partner },
        body: { mode: 'test', ...body },
      })
    ).body
    return { partner, ...made }
  }

  it('is shown once; only its hash is stored', async () => {
    const { key, partner, id } = await create()
    expect(key).toMatch(/^svc_test_[\w-]{40}$/)
    const { results } = (await test.run('listPartnerKeys', dashboard, { params: { id: partner } }))
      .body
    expect(results).toMatchObject([
      {
        id,
        prefix: 'svc_test_',
        lastFour: key.slice(-4),
        mode: 'test',
        lastUsedAt: null,
        revokedAt: null,
      },
    ])
    expect(JSON.stringify(results)).not.toContain(key)
    for (const file of ['keydesk.sqlite', 'keydesk.sqlite-wal']) {
      expect(readFileSync(join(test.folder, file)).includes(key.slice('svc_test_'.length))).toBe(
        false,
      )
    }
  })

  it('opens its account with its mode and scopes, and nothing of the other API', async () => {
    const { key, partner, id } = await create({ mode: 'live', scopes: ['orders:read'] })
    expect(asPartner(key)).toEqual({
      caller: {
        kind: 'partner',
        partnerId: partner,
        keyId: id,
        mode: 'live',
        scopes: ['orders:read'],
      },
      accountStatus: 'active',
      addressAllowed: true,
    })
    expect(asSeller(key)).toBeNull()
    expect(asPartner('svc_live_guess')).toBeNull()
    const seller = await shop.seller()
    const made = (
      await test.run('createSellerKey', dashboard, { params: { id: seller }, body: {} })
    ).body
    expect(made.key).toMatch(/^svcs_/)
    expect(asSeller(made.key)).toEqual({
      caller: { kind: 'seller', sellerId: seller, keyId: made.id },
      accountStatus: 'active',
      addressAllowed: true,
    })
    expect([partner, seller, id, made.id].map((each) => each.slice(0, 4))).toEqual([
      'ptr_',
      'sel_',
      'apk_',
      'apk_',
    ])
    expect(asPartner(made.key)).toBeNull()
  })

  it('stops working as soon as it is revoked, even when it was just used', async () => {
    const { key, partner, id } = await create()
    expect(asPartner(key)).not.toBeNull()
    await expect(
      test.run('revokePartnerKey', dashboard, {
        params: { id: await shop.partner({}, 0), keyId: id },
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      await test.run('revokePartnerKey', dashboard, { params: { id: partner, keyId: id } }),
    ).toMatchObject({ status: 204 })
    expect(asPartner(key)).toBeNull()
  })

  it('stops working when it expires', async () => {
    const { key } = await create({ expiresAt: '2026-03-01T12:00:10.000Z' })
    test.clock.move(9_999)
    expect(asPartner(key)).not.toBeNull()
    test.clock.move(1)
    expect(asPartner(key)).toBeNull()
  })

  it('reports the account’s current status and allowed addresses', async () => {
    const { key, partner } = await create()
    const change = (body: object) =>
      test.run('changePartner', dashboard, { params: { id: partner }, body })
    await change({ status: 'suspended' })
    expect(asPartner(key)).toMatchObject({ accountStatus: 'suspended' })
    await change({ ipAllowlist: ['192.0.2.0/24'] })
    expect(asPartner(key, '192.0.2.7')).toMatchObject({ addressAllowed: true })
    expect(asPartner(key, '192.0.3.7')).toMatchObject({ addressAllowed: false })
  })

  it('remembers when it was last used, even after a restart', async () => {
    const { key, partner } = await create()
    test.clock.move(5000)
    asPartner(key)
    await test.service.stop()
    const lastUsed = () => test.store.accounts.keysOf(partner).map(({ lastUsedAt }) => lastUsedAt)
    expect(lastUsed()).toEqual([Date.parse('2026-03-01T12:00:05.000Z')])
    // What is stored isn't stored again.
    const [stored] = test.store.accounts.keysOf(partner)
    test.store.accounts.setLastUsed(stored?.id ?? '', 1)
    await test.service.stop()
    expect(lastUsed()).toEqual([1])
  })
})

describe('top-ups', () => {
  it('credit the balance, use up their reference, and write an e-mail', async () => {
    const partner = await shop.partner({ email: 'buyer@shop.example' }, 0)
    const params = { id: partner }
    const { reference } = (
      await test.run('createTopUpReference', dashboard, { params, body: { mode: 'live' } })
    ).body
    const topUp = (amount: number, given?: string) =>
      test.run('createTopUp', dashboard, {
        params,
        body: { mode: 'live', amount: cents(amount), reference: given },
      })
    expect((await topUp(12_345, reference)).body).toMatchObject({
      reference,
      amount: 12_345,
      balance: 12_345,
    })
    await expect(topUp(1, reference)).rejects.toMatchObject({ code: 'REFERENCE_USED' })
    expect((await topUp(5, 'my own words')).body).toMatchObject({
      reference: 'my own words',
      balance: 12_350,
    })
    await expect(topUp(5, 'my own words')).rejects.toMatchObject({ code: 'REFERENCE_USED' })
    const other = (
      await test.run('createTopUpReference', dashboard, {
        params: { id: await shop.partner({}, 0) },
        body: { mode: 'live' },
      })
    ).body
    await expect(topUp(5, other.reference)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const emails = (await test.run('listPartnerEmails', dashboard, { params, query: {} })).body
    expect(emails).toMatchObject({
      total: 2,
      results: [{ to: 'buyer@shop.example' }, { text: expect.stringContaining('123.45') }],
    })
    expect(emails.results[1]?.text).toContain(reference)
    expect(await shop.balance(partner)).toBe(12_350)
    expect(await shop.balance(partner, 'test')).toBe(0)
  })
})
