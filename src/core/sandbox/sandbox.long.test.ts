import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BackendProcesses, RunningBackend } from '../../platform/backends/backend-process.ts'
import { createCore } from '../create-core.ts'
import { createRouterClient } from '@orpc/server'
import { temporaryFolder, testHost } from '../testing/context.ts'
import { problemOf, until } from '../testing/core.ts'
import { memoryKeychain, missingKeychain } from '../testing/keychains.ts'
import type { Keychain } from '../../platform/keychain/keychain.ts'

let folder: ReturnType<typeof temporaryFolder>
let running: RunningBackend[] = []
let started: number[] = []

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await Promise.all(running.map((backend) => backend.stop()))
  running = []
  started = []
  folder.remove()
})

/** Wraps the real processes and records each start. */
function watched(real: BackendProcesses): BackendProcesses {
  return {
    async start(options) {
      started.push(options.port)
      const backend = await real.start(options)
      running.push(backend)
      return backend
    },
  }
}

async function startHarness(keychain: Keychain) {
  const host = testHost(folder.path, keychain)
  const core = await createCore({ ...host, backends: watched(host.backends) })
  return { ask: createRouterClient(core.router, { context: {} }), close: core.close }
}

test('one click starts it and connects both demo accounts, which get new keys after a restart', async () => {
  const keychain = memoryKeychain()
  const harness = await startHarness(keychain)
  expect(await harness.ask.sandbox.state()).toEqual({
    state: 'stopped',
    baseUrl: null,
    since: null,
    reason: null,
    accounts: [],
  })
  const first = await harness.ask.sandbox.start({})
  expect(first).toMatchObject({
    state: 'running',
    reason: null,
    accounts: [
      { name: 'Demo seller', role: 'seller', mode: 'sandbox', state: 'ready' },
      { name: 'Demo partner', role: 'partner', mode: 'sandbox', state: 'ready' },
    ],
  })
  const [seller] = first.accounts
  if (seller === undefined) throw new Error('no demo seller')
  await until(
    () => harness.ask.offers.list({ accountId: seller.id }),
    ({ total }) => total === 40,
  )

  const stopped = await harness.ask.sandbox.stop()
  expect(stopped).toMatchObject({ state: 'stopped', baseUrl: null })
  expect(await harness.ask.accounts.connection({ accountId: seller.id })).toMatchObject({
    state: 'offline',
    since: expect.any(Number),
    problem: { what: 'The sandbox is stopped.' },
  })
  expect((await harness.ask.offers.list({ accountId: seller.id })).total).toBe(40)
  expect(await problemOf(harness.ask.accounts.syncNow({ accountId: seller.id }))).toMatchObject({
    code: 'OFFLINE',
    effect: 'Nothing was sent.',
  })

  const second = await harness.ask.sandbox.start({})
  expect(second.baseUrl).toBe(first.baseUrl)
  expect(second.accounts.map(({ id }) => id)).toEqual(first.accounts.map(({ id }) => id))
  expect(second.accounts.map(({ maskedKey }) => maskedKey)).not.toEqual(
    first.accounts.map(({ maskedKey }) => maskedKey),
  )
  await until(
    () => harness.ask.accounts.connection({ accountId: seller.id }),
    ({ state }) => state === 'online',
  )
  await harness.close()

  const next = await startHarness(keychain)
  const third = await until(
    () => next.ask.sandbox.state(),
    ({ state }) => state === 'running',
  )
  expect(third.accounts.map(({ id }) => id)).toEqual(first.accounts.map(({ id }) => id))
  await until(
    () => next.ask.accounts.connection({ accountId: seller.id }),
    ({ state }) => state === 'online',
  )
  await next.close()
  await Promise.all(running.map(({ ended }) => ended))
})

test('reports an unexpected exit with its reason, and starts again', async () => {
  const harness = await startHarness(memoryKeychain())
  await harness.ask.sandbox.start({})
  await running[0]?.stop()
  expect(
    await until(
      () => harness.ask.sandbox.state(),
      ({ state }) => state === 'failed',
    ),
  ).toMatchObject({ baseUrl: null, reason: expect.stringMatching(/.+/) })
  await expect(harness.ask.sandbox.start({})).resolves.toMatchObject({ state: 'running' })
  await harness.close()
})

test('without a keychain it asks first, keeps the keys in memory, and starts automatically next time', async () => {
  const harness = await startHarness(missingKeychain())
  expect(await problemOf(harness.ask.sandbox.start({}))).toMatchObject({ code: 'KEYCHAIN_MISSING' })
  expect(await harness.ask.sandbox.state()).toMatchObject({ state: 'running', accounts: [] })
  await expect(harness.ask.sandbox.start({ keep: 'session' })).resolves.toMatchObject({
    accounts: [{ keyKept: 'session' }, { keyKept: 'session' }],
  })
  expect(started).toHaveLength(1)
  await harness.close()
  const next = await startHarness(missingKeychain())
  expect(
    await until(
      () => next.ask.sandbox.state(),
      ({ state }) => state === 'running',
    ),
  ).toMatchObject({ accounts: [{ state: 'ready' }, { state: 'ready' }] })
  await next.close()
})

test('a removed demo account stays removed', async () => {
  const keychain = memoryKeychain()
  const harness = await startHarness(keychain)
  const { accounts } = await harness.ask.sandbox.start({})
  const partner = accounts.find(({ role }) => role === 'partner')
  await harness.ask.accounts.remove({ accountId: partner?.id ?? '' })
  await harness.close()
  const next = await startHarness(keychain)
  expect(
    await until(
      () => next.ask.sandbox.state(),
      ({ state }) => state === 'running',
    ),
  ).toMatchObject({ accounts: [{ role: 'seller' }] })
  expect(await next.ask.accounts.list()).toHaveLength(1)
  await next.close()
})
