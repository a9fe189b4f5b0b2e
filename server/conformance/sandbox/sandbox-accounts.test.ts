import { afterAll, describe, expect, it } from 'vitest'
import { type RawService, rawShop, refused, startRaw } from '../testing/raw-service.ts'

const service = await startRaw({ limits: true })
const shop = rawShop(service)
afterAll(() => service.stop())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ask: RawService['dashboard'] = (...given) => service.dashboard(...given)

describe('partners', () => {
  it('are created with a name alone: active, with the default limits, no allowlist, factor 1', async () => {
    const answer = await ask('POST', '/partners', { name: 'Plain' })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Plain',
        email: null,
        status: 'active',
        perOrderLimit: 2500,
        dailyLimit: 1e4,
        ipAllowlist: [],
        priceFactor: 1,
        createdAt: instant,
      },
    ])
    expect((await ask('GET', `/partners/${answer.body.id}`)).body).toEqual({
      ...answer.body,
      balances: { live: 0, test: 0 },
    })
  })

  it("accept every field; null removes a limit, omitted fields and priceFactor don't change", async () => {
    const given = {
      name: 'Full',
      email: 'shop@full.example',
      status: 'pending',
      perOrderLimit: null,
      dailyLimit: 12.5,
      ipAllowlist: ['192.0.2.0/24', '2001:db8::1'],
      priceFactor: 1.07,
    }
    const {
      body: { id, ...made },
    } = await ask('POST', '/partners', given)
    expect(made).toEqual({ ...given, createdAt: instant })
    const changed = await ask('PATCH', `/partners/${id}`, {
      dailyLimit: null,
      status: 'suspended',
      perOrderLimit: 0,
      email: null,
    })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...made,
        id,
        dailyLimit: null,
        status: 'suspended',
        perOrderLimit: 0,
        email: null,
        balances: { live: 0, test: 0 },
      },
    ])
    expect(refused(await ask('PATCH', `/partners/${id}`, { priceFactor: 1.07 }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'priceFactor',
    ])
    expect((await ask('PATCH', `/partners/${id}`, {})).body).toEqual(changed.body)
  })

  it('are rejected with each bad field named', async () => {
    const bad = {
      name: ' ',
      email: 'nobody',
      status: 'new',
      perOrderLimit: -1,
      dailyLimit: 1.005,
      ipAllowlist: ['10.0.0.0/33'],
      priceFactor: 0,
    }
    const [status, code, ...fields] = refused(await ask('POST', '/partners', bad))
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(fields.toSorted()).toEqual([
      'dailyLimit',
      'email',
      'ipAllowlist[0]',
      'name',
      'perOrderLimit',
      'priceFactor',
      'status',
    ])
    for (const priceFactor of [-1, null, '1'])
      expect(refused(await ask('POST', '/partners', { name: 'x', priceFactor }))).toEqual([
        400,
        'VALIDATION_ERROR',
        'priceFactor',
      ])
  })

  it('have a priceFactor of at most 1000 and a name of at most 200 characters', async () => {
    const largest = await ask('POST', '/partners', { name: 'Largest', priceFactor: 1000 })
    expect([largest.status, largest.body.priceFactor]).toEqual([201, 1000])
    const above = await ask('POST', '/partners', { name: 'Above', priceFactor: 1000.01 })
    expect(refused(above)).toEqual([400, 'VALIDATION_ERROR', 'priceFactor'])
    expect((await ask('POST', '/partners', { name: 'n'.repeat(200) })).status).toBe(201)
    expect(refused(await ask('POST', '/partners', { name: 'n'.repeat(201) }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'name',
    ])
  })

  it('get a key for a mode: all four scopes by default, shown once, and listed with its secret masked', async () => {
    const { id } = (await ask('POST', '/partners', { name: 'Keyed' })).body
    const first = await ask('POST', `/partners/${id}/keys`, { mode: 'test' })
    expect([first.status, first.body]).toEqual([
      201,
      expect.objectContaining({
        id: expect.any(String),
        key: expect.stringMatching(/^svc_test_/),
        mode: 'test',
        scopes: ['catalog:read', 'orders:write', 'orders:read', 'balance:read'],
      }),
    ])
    const expiresAt = '2999-01-01T00:00:00+01:00'
    const second = (
      await ask('POST', `/partners/${id}/keys`, {
        mode: 'live',
        scopes: ['catalog:read'],
        expiresAt,
      })
    ).body
    expect(second).toMatchObject({
      key: expect.stringMatching(/^svc_live_/),
      mode: 'live',
      scopes: ['catalog:read'],
      expiresAt: '2998-12-31T23:00:00.000Z',
    })
    await service.partnerLine(second.key)('GET', '/ping')
    const listed = await ask('GET', `/partners/${id}/keys`)
    expect(listed.text).not.toContain(second.key.slice(9))
    expect(listed.body.results.find((key: { id: string }) => key.id === second.id)).toEqual({
      id: second.id,
      prefix: 'svc_live_',
      lastFour: second.key.slice(-4),
      mode: 'live',
      scopes: ['catalog:read'],
      createdAt: instant,
      lastUsedAt: instant,
      expiresAt: '2998-12-31T23:00:00.000Z',
      revokedAt: null,
    })
    expect(
      listed.body.results.find((key: { id: string }) => key.id === first.body.id),
    ).toMatchObject({ lastUsedAt: null, expiresAt: null, revokedAt: null })
    const revoked = await ask('DELETE', `/partners/${id}/keys/${second.id}`)
    expect([revoked.status, revoked.text]).toEqual([204, ''])
    expect(refused(await service.partnerLine(second.key)('GET', '/ping'))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
    expect(
      (await ask('GET', `/partners/${id}/keys`)).body.results.find(
        (key: { id: string }) => key.id === second.id,
      ).revokedAt,
    ).toEqual(instant)
    for (const body of [
      {},
      { mode: 'both' },
      { mode: 'live', scopes: [] },
      { mode: 'live', scopes: ['all'] },
      { mode: 'live', expiresAt: 'soon' },
    ]) {
      expect(
        refused(await ask('POST', `/partners/${id}/keys`, body)).slice(0, 2),
        JSON.stringify(body),
      ).toEqual([400, 'VALIDATION_ERROR'])
    }
    const { id: other } = (await ask('POST', '/partners', { name: 'Other' })).body
    expect(refused(await ask('DELETE', `/partners/${other}/keys/${first.body.id}`))).toEqual([
      404,
      'NOT_FOUND',
    ])
  })
})

describe('sellers', () => {
  it('are created, changed and listed; an omitted commission is the default', async () => {
    const answer = await ask('POST', '/sellers', { name: 'Shop', commission: { keys: 7.25 } })
    const commission = { keys: 7.25, accounts_and_gifts: 15, special_subscriptions: 20 }
    expect([answer.status, answer.body]).toEqual([
      201,
      { id: expect.any(String), name: 'Shop', status: 'active', commission, createdAt: instant },
    ])
    const { id } = answer.body
    expect(await ask('GET', `/sellers/${id}`)).toMatchObject({ status: 200, body: answer.body })
    const changed = (
      await ask('PATCH', `/sellers/${id}`, {
        status: 'suspended',
        commission: { special_subscriptions: 0 },
      })
    ).body
    expect(changed).toEqual({
      ...answer.body,
      status: 'suspended',
      commission: { ...commission, special_subscriptions: 0 },
    })
    for (const body of [
      {},
      { name: 'x', status: 'gone' },
      { name: 'x', commission: { keys: -1 } },
      { name: 'x', commission: { games: 1 } },
      { name: 'x', commission: { keys: 10.299999999999999 } },
      { name: 'x', commission: { keys: 0.30000000000000004 } },
      { name: 'x', commission: { keys: 1e-18 } },
    ]) {
      expect(
        refused(await ask('POST', '/sellers', body)).slice(0, 2),
        JSON.stringify(body),
      ).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  it('get keys that start with svcs_, shown once, listed and revoked like partners’ keys', async () => {
    const { id } = (await ask('POST', '/sellers', { name: 'Keyed' })).body
    const made = await ask('POST', `/sellers/${id}/keys`, { expiresAt: null })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        key: expect.stringMatching(/^svcs_/),
        createdAt: instant,
        expiresAt: null,
      },
    ])
    expect((await ask('GET', `/sellers/${id}/keys`)).body).toEqual({
      results: [
        {
          id: made.body.id,
          prefix: 'svcs_',
          lastFour: made.body.key.slice(-4),
          createdAt: instant,
          lastUsedAt: null,
          expiresAt: null,
          revokedAt: null,
        },
      ],
    })
    expect((await ask('DELETE', `/sellers/${id}/keys/${made.body.id}`)).status).toBe(204)
    expect((await ask('GET', `/sellers/${id}/keys`)).body.results[0].revokedAt).toEqual(instant)
  })
})

describe('top-ups', () => {
  it('credit the balance of their mode with any unused reference, and write a ledger entry and e-mail', async () => {
    const { id } = (await ask('POST', '/partners', { name: 'Payer', email: 'shop@payer.example' }))
      .body
    const reserved = await ask('POST', `/partners/${id}/top-up-references`, { mode: 'live' })
    expect(reserved).toMatchObject({
      status: 201,
      body: { reference: expect.stringMatching(/^\S{8,}$/) },
    })
    const { reference } = reserved.body
    const first = await ask('POST', `/partners/${id}/top-ups`, {
      mode: 'live',
      amount: 100.5,
      reference,
    })
    expect([first.status, first.body]).toEqual([
      201,
      { id: expect.any(String), reference, amount: 100.5, balance: 100.5 },
    ])
    const second = (await ask('POST', `/partners/${id}/top-ups`, { mode: 'live', amount: 0.01 }))
      .body
    expect(second).toMatchObject({ amount: 0.01, balance: 100.51 })
    expect(second.reference).not.toBe(reference)
    expect((await ask('GET', `/partners/${id}`)).body.balances).toEqual({ live: 100.51, test: 0 })
    expect((await ask('GET', `/partners/${id}/ledger?mode=live`)).body.results).toEqual([
      {
        id: second.id,
        type: 'top_up',
        amount: 0.01,
        balanceAfter: 100.51,
        orderId: null,
        createdAt: instant,
        mode: 'live',
      },
      {
        id: first.body.id,
        type: 'top_up',
        amount: 100.5,
        balanceAfter: 100.5,
        orderId: null,
        createdAt: instant,
        mode: 'live',
      },
    ])
    const emails = (await ask('GET', `/partners/${id}/emails`)).body
    expect(emails).toMatchObject({
      total: 2,
      results: [
        { to: 'shop@payer.example' },
        { to: 'shop@payer.example', subject: expect.stringContaining('100.50'), at: instant },
      ],
    })
    expect(Object.keys(emails.results[1]).toSorted()).toEqual(['at', 'subject', 'text', 'to'])
    expect(emails.results[1].text).toContain(reference)
    expect(emails.results[1].text).toMatch(/EUR 100\.50 .*live balance/)
    for (const amount of [0, -5, 0.001, '5', null, undefined])
      expect(
        refused(await ask('POST', `/partners/${id}/top-ups`, { mode: 'live', amount })),
      ).toEqual([400, 'VALIDATION_ERROR', 'amount'])
  })

  it('with a used reference are 409 REFERENCE_USED and move nothing, even if sent simultaneously', async () => {
    const { id } = (await ask('POST', '/partners', { name: 'Twice' })).body
    const { id: other } = (await ask('POST', '/partners', { name: 'Third' })).body
    const { reference } = (await ask('POST', `/partners/${id}/top-up-references`, { mode: 'live' }))
      .body
    const statuses = (
      await Promise.all(
        Array.from({ length: 5 }, () =>
          ask('POST', `/partners/${id}/top-ups`, { mode: 'live', amount: 10, reference }),
        ),
      )
    ).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409, 409, 409, 409])
    for (const [of, mode] of [
      [id, 'test'],
      [other, 'live'],
    ] as const) {
      expect(
        refused(await ask('POST', `/partners/${of}/top-ups`, { mode, amount: 10, reference })),
      ).toEqual([409, 'REFERENCE_USED'])
    }
    expect((await ask('GET', `/partners/${id}`)).body.balances).toEqual({ live: 10, test: 0 })
  })

  it("don't apply to the test balance, which is set and recorded in the ledger as reset", async () => {
    const { id, call } = await shop.partner({}, { mode: 'test', amount: 30 })
    expect(
      await ask('POST', `/partners/${id}/test-balance/reset`, { amount: 12.34 }),
    ).toMatchObject({ status: 200, body: { balance: 12.34 } })
    expect((await call('GET', '/balance')).body).toEqual({
      balance: 12.34,
      currency: 'EUR',
      mode: 'test',
    })
    expect((await ask('GET', `/partners/${id}/ledger`)).body.results[0]).toMatchObject({
      type: 'reset',
      amount: -17.66,
      balanceAfter: 12.34,
      orderId: null,
    })
    expect(await ask('POST', `/partners/${id}/test-balance/reset`, { amount: 0 })).toMatchObject({
      body: { balance: 0 },
    })
    expect(
      refused(await ask('POST', `/partners/${id}/test-balance/reset`, { amount: -1 })),
    ).toEqual([400, 'VALIDATION_ERROR', 'amount'])
  })
})
