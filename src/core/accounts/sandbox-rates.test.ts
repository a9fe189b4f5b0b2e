import { afterEach, expect, test } from 'vitest'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import { memoryKeychain } from '../testing/keychains.ts'

const endings: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function startHarness(): Promise<TestCore> {
  const folder = temporaryFolder()
  endings.push(folder.remove)
  const harness = await startTestCore(folder.path, memoryKeychain())
  endings.push(harness.close)
  return harness
}
async function unlimited(): Promise<TestBackend> {
  const backend = await startTestBackend({ products: 30, noLimits: true })
  endings.push(backend.stop)
  return backend
}
const limitOf = async (harness: TestCore, accountId: string) =>
  (await harness.ask.accounts.connection({ accountId })).budget.limit

test('uses no rate limit for a sandbox that counts no requests, and always limits the real service @long', async () => {
  const backend = await unlimited()
  const harness = await startHarness()
  const near = await harness.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Sandbox',
  })
  await until(
    () => limitOf(harness, near.id),
    (limit) => limit === null,
  )

  // The same service, but it can't prove that it is a sandbox: the account is LIVE.
  const door = await startFaultyProxy(backend.ready.baseUrl, {
    proof: {
      kind: 'answer',
      answer: { status: 200, headers: { 'x-svc-rates': 'off' }, body: '{}' },
    },
  })
  endings.push(door.close)
  const live = await harness.ask.accounts.connect({
    key: backend.ready.demo?.partnerLiveKey ?? '',
    baseUrl: door.baseUrl,
    name: 'Live',
  })
  expect(live.mode).toBe('live')
  await harness.ask.accounts.syncNow({ accountId: live.id })
  expect(await limitOf(harness, live.id)).toBe(600)
})
