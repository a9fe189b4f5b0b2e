import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyOf } from '../../api/handlers.ts'
import { dashboard, partnerCaller, type TestService } from '../testing/fixture.ts'
import { openShop, type TestShop } from '../testing/shop.ts'

let test: TestService, shop: TestShop, partner: string, seller: string
beforeEach(async () => void ({ test, shop, partner, seller } = await openShop()))
afterEach(() => test.close())

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
const issue = async (body: { mode: 'live' | 'test'; expiresAt?: string }) =>
  (await test.run('createPartnerKey', dashboard, { params: { id: partner }, body })).body
const revoke = (of: string, keyId: string) =>
  test.run('revokePartnerKey', dashboard, { params: { id: of, keyId } })
const opens = (key: string, address = '::1') => test.service.access.partner(hashOf(key), address)

describe('a partner key', () => {
  it.each(['live', 'test'] as const)('in %s mode carries its mode and all scopes', async (mode) => {
    const { id, key } = await issue({ mode })
    expect(key).toMatch(mode === 'live' ? /^svc_live_[\w-]{40}$/ : /^svc_test_[\w-]{40}$/)
    expect(opens(key)).toEqual({
      caller: {
        kind: 'partner',
        partnerId: partner,
        keyId: id,
        mode,
        scopes: ['catalog:read', 'orders:write', 'orders:read', 'balance:read'],
      },
      accountStatus: 'active',
      addressAllowed: true,
    })
    expect(test.service.access.seller(hashOf(key), '::1')).toBeNull()
    expect(opens(`${key}x`)).toBeNull()
  })

  it('is revoked by its own account only, and immediately', async () => {
    const first = await issue({ mode: 'live' })
    const second = await issue({ mode: 'live' })
    expect(opens(first.key)).not.toBeNull()
    const missing = { code: 'NOT_FOUND', message: 'Key not found.' }
    await expect(revoke(await shop.partner(), first.id)).rejects.toMatchObject(missing)
    await expect(revoke(partner, 'apk_none')).rejects.toMatchObject(missing)
    expect(opens(first.key)).not.toBeNull()
    await revoke(partner, first.id)
    expect(opens(first.key)).toBeNull()
    expect(opens(second.key)).not.toBeNull()
  })

  it('expires at the exact time, also while it is in use', async () => {
    const { key } = await issue({ mode: 'live', expiresAt: '2026-03-01T12:00:01.000Z' })
    test.clock.move(999)
    expect(opens(key)).not.toBeNull()
    test.clock.move(1)
    expect(opens(key)).toBeNull()
  })

  it('reports an address that is not on the list, and a status that changed', async () => {
    const { key } = await issue({ mode: 'live' })
    expect(opens(key)).toMatchObject({ addressAllowed: true })
    const body = { ipAllowlist: ['10.0.0.0/8'], status: 'suspended' as const }
    await test.run('changePartner', dashboard, { params: { id: partner }, body })
    expect(opens(key, '10.1.2.3')).toMatchObject({
      addressAllowed: true,
      accountStatus: 'suspended',
    })
    expect(opens(key, '11.1.2.3')).toMatchObject({ addressAllowed: false })
  })
})

describe('an account', () => {
  it('keeps every field that a change does not name', async () => {
    const before = (await test.run('getPartner', dashboard, { params: { id: partner } })).body
    const changed = (
      await test.run('changePartner', dashboard, { params: { id: partner }, body: {} })
    ).body
    expect(changed).toEqual(before)
    const commission = { accounts_and_gifts: 1 }
    const input = { params: { id: seller }, body: { commission } }
    expect((await test.run('changeSeller', dashboard, input)).body).toMatchObject({
      id: seller,
      name: 'Seller',
      status: 'active',
      commission: { keys: 10, accounts_and_gifts: 1, special_subscriptions: 20 },
    })
  })

  it('is created with every field that is given', async () => {
    const given = {
      name: 'Shop',
      email: 'a@b.example',
      status: 'suspended',
      priceFactor: 1.25,
      ipAllowlist: ['10.0.0.0/8'],
    } as const
    const made = await test.run('createPartner', dashboard, {
      body: { ...given, ipAllowlist: ['10.0.0.0/8'] },
    })
    expect(made.body).toMatchObject(given)
    const commission = { keys: 1, accounts_and_gifts: 2, special_subscriptions: 3 }
    const body = { name: 'Keys', status: 'suspended', commission } as const
    expect((await test.run('createSeller', dashboard, { body })).body).toMatchObject(body)
  })

  it('can be renamed, and lose its e-mail address', async () => {
    const input = { params: { id: partner }, body: { name: 'New', email: 'a@b.example' } }
    expect((await test.run('changePartner', dashboard, input)).body).toMatchObject(input.body)
    const without = { params: { id: partner }, body: { email: null } }
    expect((await test.run('changePartner', dashboard, without)).body).toMatchObject({
      name: 'New',
      email: null,
    })
    const renamed = { params: { id: seller }, body: { name: 'New' } }
    expect((await test.run('changeSeller', dashboard, renamed)).body).toMatchObject({ name: 'New' })
  })

  it('that does not exist is not found', async () => {
    const input = { params: { id: 'none' }, body: {} }
    await expect(test.run('changePartner', dashboard, input)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Partner not found.',
    })
    await expect(test.run('changeSeller', dashboard, input)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Seller not found.',
    })
  })
})

describe('a seller', () => {
  it('whose commission or status changes has its offers priced and offered again', async () => {
    const product = await shop.product()
    await shop.offer(seller, product, 1000, 2)
    const change = (body: BodyOf<'changeSeller'>) =>
      test.run('changeSeller', dashboard, { params: { id: seller }, body })
    const shown = async () =>
      (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body
    expect(await shown()).toMatchObject({ price: 1100, qty: 2 })
    await change({ commission: { keys: 20 } })
    expect(await shown()).toMatchObject({ price: 1200, qty: 2 })
    await change({ status: 'suspended' })
    expect(await shown()).toMatchObject({ qty: 0, inStock: false })
    await change({ status: 'active' })
    expect(await shown()).toMatchObject({ price: 1200, qty: 2, inStock: true })
  })

  it('has its own keys, which report its status and are listed with the newest first', async () => {
    const params = { id: seller }
    const issued = []
    for (const body of [{}, { expiresAt: '2026-04-01T00:00:00.000Z' }]) {
      test.clock.move(1)
      issued.push((await test.run('createSellerKey', dashboard, { params, body })).body)
    }
    const [first, second] = issued
    const open = () => test.service.access.seller(hashOf(second?.key ?? ''), '::1')
    expect(open()).toMatchObject({ accountStatus: 'active', caller: { sellerId: seller } })
    await test.run('changeSeller', dashboard, { params, body: { status: 'suspended' } })
    expect(open()).toMatchObject({ accountStatus: 'suspended' })
    const { results } = (await test.run('listSellerKeys', dashboard, { params })).body
    expect(results).toMatchObject([
      { id: second?.id, expiresAt: '2026-04-01T00:00:00.000Z', lastUsedAt: expect.any(String) },
      { id: first?.id, expiresAt: null, lastUsedAt: null },
    ])
  })
})
