import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import { createCore } from '../create-core.ts'
import { temporaryFolder, testHost } from '../testing/context.ts'
import { problemOf, until } from '../testing/core.ts'

/**
 * One core and its sandbox for all actions of the sandbox's pages. Each test creates the accounts
 * it changes.
 */
const folder = temporaryFolder()
let core: Awaited<ReturnType<typeof createCore>>
let token = ''
const ask = () => createRouterClient(core.router, { context: {} })
const hourMs = 3_600_000

beforeAll(async () => {
  const host = testHost(folder.path)
  core = await createCore({
    ...host,
    backends: {
      async start(options) {
        const backend = await host.backends.start(options)
        token = backend.ready.dashboardToken
        return backend
      },
    },
  })
  await ask().sandbox.start({})
}, 60_000)
afterAll(async () => {
  await core.close()
  folder.remove()
})

const newPartner = (name: string) =>
  ask().sandbox.accounts.createPartner({ name, email: 'orders@shop.example' })

test('goes back to the state before the clock moved, and forward again @long', async () => {
  const { control } = ask().sandbox
  const { offsetMs } = await control.clock()
  await control.advance({ ms: hourMs })
  const [before] = (await control.points()).results
  expect(before).toMatchObject({ reason: 'clock' })
  expect((await control.snapshots()).results).toEqual([])
  expect(
    (await control.compareSnapshot({ name: before?.name ?? '' })).results.map(({ area }) => area),
  ).toContain('clock')

  await control.goBack({ name: before?.name ?? '' })
  expect((await control.clock()).offsetMs).toBe(offsetMs)
  const [present, ...others] = (await control.points()).results
  expect(present).toMatchObject({ reason: 'back' })
  expect(others).toEqual([before])
  await control.goBack({ name: present?.name ?? '' })
  expect((await control.clock()).offsetMs).toBe(offsetMs + hourMs)
})

test('creates, limits, suspends and tops up a partner, once per reference; ledger and proof agree', async () => {
  const { accounts, money } = ask().sandbox
  const { id } = await newPartner('Lighthouse Games')
  expect(
    await accounts.changePartner({
      id,
      change: {
        dailyLimit: cents(12_345),
        perOrderLimit: null,
        status: 'suspended',
        ipAllowlist: ['10.0.0.0/8'],
      },
    }),
  ).toMatchObject({
    dailyLimit: 12_345,
    perOrderLimit: null,
    status: 'suspended',
    ipAllowlist: ['10.0.0.0/8'],
  })
  const { reference } = await money.topUpReference({ id, mode: 'live' })
  expect(await money.topUp({ id, mode: 'live', amount: cents(10_050), reference })).toMatchObject({
    reference,
    amount: 10_050,
    balance: 10_050,
  })
  expect(
    await problemOf(money.topUp({ id, mode: 'live', amount: cents(1), reference })),
  ).toMatchObject({
    code: 'REFERENCE_USED',
    status: 409,
  })
  await money.setTestBalance({ id, amount: cents(700) })
  expect(await accounts.partner({ id })).toMatchObject({
    name: 'Lighthouse Games',
    balances: { live: 10_050, test: 700 },
  })
  expect((await money.emails({ id })).results).toMatchObject([
    {
      to: 'orders@shop.example',
      subject: expect.stringContaining('100.50'),
      at: expect.any(Number),
    },
  ])
  expect(await money.ledger({ id, mode: 'live' })).toMatchObject({
    total: 1,
    results: [
      { type: 'top_up', amount: 10_050, balanceAfter: 10_050, createdAt: expect.any(Number) },
    ],
  })
  expect(await money.verifyLedger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
})

test('shows keys once, lists them by their last four characters, and expires and revokes them', async () => {
  const { accounts, control } = ask().sandbox
  const { id } = await newPartner('Keys')
  const { now } = await control.clock()
  const made = await accounts.createPartnerKey({
    id,
    key: { mode: 'test', scopes: ['catalog:read'], expiresAt: now + 48 * hourMs },
  })
  expect(made.key).toMatch(/^svc_test_/)
  expect((await accounts.partnerKeys({ id })).results).toEqual([
    expect.objectContaining({
      id: made.id,
      prefix: 'svc_test_',
      lastFour: made.key.slice(-4),
      expiresAt: now + 48 * hourMs,
      revokedAt: null,
      scopes: ['catalog:read'],
    }),
  ])
  await accounts.revokePartnerKey({ id, keyId: made.id })
  expect((await accounts.partnerKeys({ id })).results).toMatchObject([
    { revokedAt: expect.any(Number) },
  ])
  const seller = await accounts.createSeller({ name: 'Harbour Keys', commission: { keys: 7.5 } })
  expect(
    await accounts.changeSeller({ id: seller.id, change: { status: 'pending' } }),
  ).toMatchObject({ status: 'pending', commission: { keys: 7.5 } })
  const key = await accounts.createSellerKey({ id: seller.id, key: {} })
  expect(key.key).toMatch(/^svcs_/)
  await accounts.revokeSellerKey({ id: seller.id, keyId: key.id })
  expect((await accounts.sellerKeys({ id: seller.id })).results).toMatchObject([
    { lastFour: key.key.slice(-4), revokedAt: expect.any(Number) },
  ])
})

test('lists an unanswered webhook as due next; advancing the clock retries it, and it can be resent', async () => {
  const { money, control } = ask().sandbox
  const { id } = await newPartner('Hooks')
  expect(await money.webhook({ id })).toBeNull()
  expect((await money.setWebhook({ id, url: 'http://127.0.0.1:9/hook' })).secret).toMatch(/^whsec_/)
  const { deliveryId } = await money.testWebhook({ id, mode: 'live' })
  const attempts = async () =>
    (await money.deliveries({ id })).results.find((each) => each.id === deliveryId)
  await until(attempts, (delivery) => delivery?.attempts.length === 1)
  const next = (await attempts())?.nextAttemptAt ?? 0
  expect(await control.due()).toContainEqual({
    at: next,
    kind: 'webhook',
    what: 'webhook.test',
    count: 2,
  })
  expect((await control.advance({ to: next })).now).toBeGreaterThanOrEqual(next)
  expect((await attempts())?.attempts.map(({ status }) => status)).toEqual([null, null])
  expect((await money.resend({ id, deliveryId })).deliveryId).toBe(deliveryId)
  await until(attempts, (delivery) => delivery?.attempts.length === 3)
  await money.removeWebhook({ id })
  expect(await money.webhook({ id })).toBeNull()
})

test('lists escalations and releases as due next; a sold unit is claimed, escalated and rejected', async () => {
  const { world, control } = ask().sandbox
  const kinds = new Set((await control.due()).map(({ kind }) => kind))
  expect([...kinds]).toEqual(expect.arrayContaining(['dispute']))
  const { results } = await world.soldUnits({ limit: 100 })
  const claimed = new Set((await world.disputes({ limit: 100 })).results.map(({ keyId }) => keyId))
  const unit = results.find(({ keyId, status }) => status === 'pending' && !claimed.has(keyId))
  const { disputeId } = await world.claim({
    orderId: unit?.orderId ?? '',
    keyId: unit?.keyId ?? '',
    message: 'The code is refused.',
  })
  await world.say({ id: disputeId, message: { author: 'customer', body: 'Anybody there?' } })
  await world.escalate({ id: disputeId })
  const of = async () =>
    (await world.disputes({ limit: 100 })).results.find(({ id }) => id === disputeId)
  expect(await of()).toMatchObject({ status: 'escalated', reason: 'The code is refused.' })
  await world.reject({ id: disputeId, reason: 'It was redeemed.' })
  expect(await of()).toMatchObject({ status: 'resolved', outcome: 'rejected' })
})

test('creates, finds, changes and removes a product', async () => {
  const { world } = ask().sandbox
  const { id } = await world.createProduct({
    name: 'Tidewater Zeta',
    platform: 'Steam',
    region: 'Global',
    productType: 'game',
    deliveryType: 'key',
  })
  await world.changeProduct({
    id,
    change: { region: 'Europe', supplyUnknown: true, removed: true },
  })
  expect(await world.products({ search: 'Tidewater Zeta' })).toMatchObject({
    total: 1,
    unread: false,
    results: [{ id, region: 'Europe', qty: null, removed: true }],
  })
})

test('sets faults that take effect, starts and stops the market, and logs the masked exchange', async () => {
  const { control } = ask().sandbox
  await control.setFaults([
    {
      match: { method: 'GET', path: '/v1/meta*' },
      times: 2,
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
    },
  ])
  expect(await control.faults()).toMatchObject([{ times: 2, status: 503, hits: 0 }])
  await control.setFaults([])
  expect(await control.startMarket({ seed: 'pages', intensity: 0 })).toMatchObject({
    running: true,
    seed: 'pages',
  })
  expect(await control.stopMarket()).toMatchObject({ running: false })
  const { id } = await newPartner('Log')
  const { key } = await ask().sandbox.accounts.createPartnerKey({ id, key: { mode: 'live' } })
  const { results } = await control.requests({ path: `/dashboard/partners/${id}/*` })
  expect(results).toMatchObject([
    {
      method: 'POST',
      status: 201,
      request: { mode: 'live' },
      response: { key: '***' },
      at: expect.any(Number),
    },
  ])
  expect(JSON.stringify(results)).not.toContain(key)
  const others = await control.requests({ path: `/dashboard/partners/${id}/*`, own: false })
  expect(others).toMatchObject({ total: 0, ownHidden: 1 })
  expect((await control.requests({ method: 'put', path: '/dashboard/faults' })).total).toBe(2)
})

test('explains a rejected request, by its id or as the latest one of another program', async () => {
  const { control, accounts } = ask().sandbox
  expect(await control.explain({})).toBeNull()
  const { id } = await newPartner('Why')
  const { key } = await accounts.createPartnerKey({ id, key: { mode: 'test' } })
  const { partnerUrl } = await ask().sandbox.addresses()
  const answer = await fetch(`${partnerUrl}/products?limit=0`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const requestId = answer.headers.get('x-request-id')
  const why = await control.explain({})
  expect(why).toMatchObject({
    requestId,
    at: expect.any(Number),
    code: 'VALIDATION_ERROR',
    rule: { link: expect.stringMatching(/^\/docs#/) },
    suggestion: { status: 200, changes: [{ where: 'query limit', from: '"0"' }] },
  })
  expect(why?.checks.filter(({ result }) => result === 'failed')).toHaveLength(1)
  expect(JSON.stringify(why)).not.toContain(key)
  expect((await control.explain({ id: requestId }))?.requestId).toBe(requestId)
  const run = { id: requestId ?? '', fingerprint: why?.suggestion?.fingerprint ?? '' }
  expect(await problemOf(control.runSuggestion({ ...run, fingerprint: 'another' }))).toMatchObject({
    code: 'CHANGED_MEANWHILE',
    what: 'Not sent: this request no longer passes in the sandbox.',
  })
  expect(await control.runSuggestion(run)).toMatchObject({ status: 200, code: null })
  expect(await problemOf(control.explain({ id: 'req_gone' }))).toMatchObject({ code: 'NOT_FOUND' })
})

test('creates a branch whose keys are copied one at a time, and ends it', async () => {
  const { branches, accounts, control } = ask().sandbox
  expect(await branches.list()).toEqual({ results: [] })
  const made = await branches.create({ name: 'a test' })
  expect(made).toMatchObject({
    name: 'a test',
    replay: null,
    hasDemoKeys: true,
    createdAt: expect.any(Number),
  })
  expect(await branches.list()).toEqual({ results: [made] })
  const { value: token } = await branches.secret({ id: made.id, which: 'dashboard' })
  const { value: key } = await branches.secret({ id: made.id, which: 'partnerTest' })
  expect(JSON.stringify(made)).not.toMatch(new RegExp(`${token}|${key}`))
  const ping = (path: string, secret: string) =>
    fetch(path, { headers: { authorization: `Bearer ${secret}` } })
  expect((await ping(`${made.partnerUrl}/ping`, key)).status).toBe(200)
  const inBranch = await fetch(`${made.dashboardUrl}/partners`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Only in the branch' }),
  })
  expect(inBranch.status).toBe(201)
  expect((await accounts.partners({ limit: 100 })).results.map(({ name }) => name)).not.toContain(
    'Only in the branch',
  )
  expect(JSON.stringify(await control.requests({ path: '/dashboard/branches' }))).not.toContain(
    token,
  )

  await branches.end({ id: made.id })
  expect(await branches.list()).toEqual({ results: [] })
  await expect(ping(`${made.partnerUrl}/ping`, key)).rejects.toThrow('fetch failed')
  expect(await problemOf(branches.secret({ id: made.id, which: 'seller' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('opens a world file as a branch, and says why another file is not one', async () => {
  const { branches } = ask().sandbox
  const request = {
    method: 'GET',
    path: '/healthz',
    key: 'none',
    headers: {},
    body: null,
    answer: { status: 200, sha256: '', body: { ok: true } },
  }
  const world = {
    format: 'keydesk-world',
    version: 1,
    repeatable: 'one',
    at: '2026-05-01T00:00:00.000Z',
    seed: 'empty',
    products: 1,
    changed: 0,
    requests: [request, request],
  }
  const text = JSON.stringify(world)
  expect(await branches.inspect({ text })).toEqual({
    seed: 'empty',
    products: 1,
    at: Date.UTC(2026, 4, 1),
    requests: [1, 2].map(() => ({ method: 'GET', path: '/healthz', status: 200 })),
  })
  const made = await branches.open({ text, name: 'bug', requests: 1 })
  expect(made).toMatchObject({
    name: 'bug',
    hasDemoKeys: false,
    replay: { requests: 1, different: 1 },
  })
  await branches.end({ id: made.id })
  for (const [given, what, next] of [
    ['hello', /isn’t a world file/, /Choose a file/],
    [text.slice(0, 90), /damaged/, /Ask for it again/],
    [JSON.stringify({ ...world, version: 2 }), /newer version/, /Update Keydesk/],
  ] as const)
    for (const asked of [
      branches.inspect({ text: given }),
      branches.open({ text: given, name: 'bug' }),
    ])
      expect(await problemOf(asked)).toMatchObject({
        code: 'WORLD_FILE',
        what: expect.stringMatching(what),
        effect: 'Nothing was opened.',
        next: expect.stringMatching(next),
      })
  expect((await branches.list()).results).toEqual([])
})

test('a restored snapshot syncs accounts again; a reset connects the new demo accounts @long', async () => {
  const harness = ask()
  const { control, accounts } = harness.sandbox
  await control.saveSnapshot({ name: 'before' })
  const { id } = await newPartner('Too late')
  await harness.sandbox.money.topUp({ id, mode: 'live', amount: cents(100) })
  const { total, results } = await control.compareSnapshot({ name: 'before' })
  expect(results).toHaveLength(total)
  expect(results.map(({ text }) => text).join('\n')).toContain('1.00')
  await control.saveSnapshot({ name: 'after' })
  expect((await control.compareSnapshot({ name: 'before', to: 'after' })).total).toBe(total)
  await control.deleteSnapshot({ name: 'after' })
  const seller =
    (await harness.sandbox.state()).accounts.find(({ role }) => role === 'seller')?.id ?? ''
  await harness.app.changeSettings({ currentAccountId: seller })
  await until(
    () => harness.offers.list({ accountId: seller }),
    ({ total }) => total === 40,
  )
  await control.restoreSnapshot({ name: 'before' })
  expect(await problemOf(accounts.partner({ id }))).toMatchObject({ code: 'NOT_FOUND' })
  await until(
    () => harness.offers.list({ accountId: seller }),
    ({ total }) => total === 40,
  )
  expect((await control.snapshots()).results).toMatchObject([{ name: 'before' }])
  await control.deleteSnapshot({ name: 'before' })
  expect((await control.snapshots()).results).toEqual([])

  await control.reset({ products: 60 })
  const after = await harness.sandbox.state()
  expect(after.accounts.map(({ name }) => name)).toEqual(['Demo seller', 'Demo partner'])
  expect((await harness.app.settings()).currentAccountId).toBe(after.accounts[0]?.id)
  expect(after.accounts[0]?.id).not.toBe(seller)
  expect((await control.clock()).offsetMs).toBe(0)
  await until(
    () => harness.offers.list({ accountId: after.accounts[0]?.id ?? '' }),
    ({ total }) => total === 40,
  )
})

test('builds an empty world from nothing on the pages; it survives a restart @long', async () => {
  const harness = ask()
  const { control, accounts, world } = harness.sandbox
  await control.reset({ seed: 'empty' })
  expect(await accounts.partners({})).toMatchObject({ total: 0 })
  expect(await world.products({})).toEqual({ total: 0, results: [], unread: true })
  expect(await world.soldUnits({})).toEqual({ total: 0, results: [] })
  await newPartner('The first')
  const { id } = await world.createProduct({
    name: 'Tidewater One',
    platform: 'Steam',
    region: 'Global',
    productType: 'game',
    deliveryType: 'key',
  })
  expect(await world.products({})).toMatchObject({ total: 1, unread: false, results: [{ id }] })
  await harness.sandbox.stop()
  expect(await harness.sandbox.start({})).toMatchObject({ state: 'running' })
  expect(await accounts.partners({})).toMatchObject({ total: 1 })
  expect(await problemOf(harness.sandbox.secret({ which: 'seller' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('lists its addresses without secrets, and returns a secret that a person copies', async () => {
  const { sandbox } = ask()
  const addresses = await sandbox.addresses()
  expect(addresses.docsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs$/)
  expect((await fetch(addresses.docsUrl)).status).toBe(200)
  const { value } = await sandbox.secret({ which: 'dashboard' })
  expect(JSON.stringify(addresses)).not.toContain(value)
  const headers = { authorization: `Bearer ${value}` }
  expect((await fetch(`${addresses.dashboardUrl}/clock`, { headers })).status).toBe(200)
})

test("every action fails with a clear message while the sandbox isn't running", async () => {
  const harness = ask()
  await harness.sandbox.stop()
  expect(await problemOf(harness.sandbox.control.clock())).toMatchObject({
    code: 'SANDBOX_STOPPED',
    effect: 'Nothing was changed.',
  })
})

test('keeps the dashboard’s token out of every file and out of the data the screen receives', async () => {
  const harness = ask()
  expect(token.length).toBeGreaterThan(20)
  const told = JSON.stringify([
    await harness.sandbox.state(),
    await harness.app.info(),
    await harness.app.activity({}),
    await harness.accounts.list(),
  ])
  expect(told).not.toContain(token)
  const holders = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder.path, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(token))
  expect(holders).toEqual([])
})
