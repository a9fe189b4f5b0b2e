import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Job } from '../../../contract/app/app.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ products: 600, noLimits: true })
})
afterAll(() => backend.stop())

let folder: ReturnType<typeof temporaryFolder>
let keychain: ReturnType<typeof memoryKeychain>
let proxy: FaultyProxy
let harness: TestCore
let accountId: string
/** Number of catalogue pages served. The proxy holds further ones back. */
let given: number
const pages = 2

beforeEach(async () => {
  folder = temporaryFolder()
  keychain = memoryKeychain()
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  given = 0
  hold()
  harness = await startTestCore(folder.path, keychain, { rates: null })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.partnerLiveKey ?? '',
      baseUrl: proxy.baseUrl,
      name: 'Shop',
    })
  ).id
  await until(job, (found) => found?.done === pages * 100)
})
afterEach(async () => {
  await harness.close()
  await proxy.close()
  folder.remove()
})

/** Serves the first pages and delays the next one, so that the listing stays in flight. */
const hold = (): void => {
  proxy.decide = (_method, path) =>
    path.startsWith('/v1/products') && (given += 1) > pages ? { kind: 'delay', ms: 20_000 } : 'pass'
}
const letGo = (): void => {
  proxy.decide = () => 'pass'
}
const job = async (): Promise<Job | undefined> =>
  (await harness.ask.app.jobs()).find(({ kind }) => kind === 'catalogue-sync')
const act = async (action: 'pause' | 'resume' | 'cancel') =>
  harness.ask.app.actOnJob({ jobId: (await job())?.id ?? '', action })
const state = () => harness.ask.catalogue.sync({ accountId })

test('a paused listing stops immediately, stays paused over a restart, and resumes at its page @long', async () => {
  expect((await job())?.can).toEqual(['pause', 'cancel'])
  await act('pause')
  await until(job, (found) => found?.state === 'paused')
  expect(await job()).toMatchObject({ state: 'paused', done: 200, can: ['resume', 'cancel'] })
  expect((await state()).state).not.toBe('failed')
  letGo()

  await harness.close()
  harness = await startTestCore(folder.path, keychain, { rates: null })
  expect(await until(job, (found) => found !== undefined)).toMatchObject({
    state: 'paused',
    done: 200,
  })
  expect((await state()).done).toBe(200)
  const asked: string[] = []
  proxy.decide = (_method, path) => {
    asked.push(path)
    return 'pass'
  }
  await act('resume')
  await until(state, (sync) => sync.state === 'idle')
  expect(asked.find((path) => path.startsWith('/v1/products'))).toContain('cursor=')
  expect(await job()).toBeUndefined()
})

test('a canceled listing leaves the list; read products stay, and a requested sync resumes from there', async () => {
  await act('cancel')
  expect(await job()).toBeUndefined()
  expect(await until(state, (sync) => sync.state !== 'running')).toMatchObject({ done: 200 })
  letGo()
  await harness.ask.accounts.syncNow({ accountId })
  await until(state, (sync) => sync.state === 'idle')
})

test('a listing canceled while paused stays stopped; syncing a paused one resumes it', async () => {
  letGo()
  await act('pause')
  await until(job, (found) => found?.state === 'paused')
  const { done } = await state()
  await act('cancel')
  expect(
    await problemOf(
      harness.ask.app.actOnJob({ jobId: `catalogue-sync:${accountId}`, action: 'resume' }),
    ),
  ).toMatchObject({ code: 'NOT_FOUND' })
  expect((await state()).done).toBe(done)
  await harness.ask.accounts.syncNow({ accountId })
  await until(state, (sync) => sync.state === 'idle')
})
