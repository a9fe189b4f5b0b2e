import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Contract } from '../../../contract/index.ts'
import type { ServedRouter } from '../../served.ts'
import { startConsole } from '../../start-console.ts'
import type { Console } from '../../start-console.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder, testHost } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { canMountDisk, mountSmallDisk } from '../../testing/small-disk.ts'
import type { SmallDisk } from '../../testing/small-disk.ts'

const keychain = memoryKeychain()
let backend: TestBackend
let used: ReturnType<typeof temporaryFolder>
let disk: SmallDisk | undefined
let console: Console | undefined

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  used = temporaryFolder()
  const core = await startTestCore(used.path, keychain)
  const { id } = await core.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Kestrel',
  })
  await until(
    () => core.ask.sales.list({ accountId: id }),
    ({ complete, total }) => complete && total > 0,
  )
  await core.close()
}, 60_000)
afterAll(async () => {
  await backend.stop()
  used.remove()
})
afterEach(async () => {
  await console?.close()
  disk?.remove()
  console = undefined
  disk = undefined
})

function mountDisk(): SmallDisk {
  disk = mountSmallDisk(6)
  cpSync(used.path, disk.path, { recursive: true })
  return disk
}
async function start(path: string) {
  console = await startConsole(testHost(path, keychain))
  const running = console
  return () => createRouterClient(running.router as ServedRouter<Contract>, { context: {} })
}

test.skipIf(!canMountDisk)('opens a folder on a read-only disk for reading', async () => {
  const { path, makeReadOnly } = mountDisk()
  makeReadOnly()
  const ask = await start(path)
  expect(await ask().recovery.state()).toMatchObject({
    mode: 'recovery',
    problem: 'read-only',
    can: { repair: false, restore: false, openReadOnly: true },
  })
  await ask().recovery.openReadOnly()
  const [account] = await ask().accounts.list()
  expect((await ask().sales.list({ accountId: account?.id ?? '' })).total).toBeGreaterThan(0)
})

test.skipIf(!canMountDisk)('reads on a full disk, and opens when there is space', async () => {
  const { path, free } = mountDisk()
  const filler = join(path, 'filler')
  writeFileSync(filler, Buffer.alloc(free()))
  const before = readdirSync(path)
  const ask = await start(path)
  expect(await ask().recovery.state()).toMatchObject({ mode: 'recovery', problem: 'disk-full' })
  await ask().recovery.openReadOnly()
  const [account] = await ask().accounts.list()
  expect((await ask().sales.list({ accountId: account?.id ?? '' })).total).toBeGreaterThan(0)
  await ask().recovery.open()
  await until(
    () => ask().recovery.state(),
    ({ mode }) => mode === 'recovery',
  )
  expect(readdirSync(path)).toEqual(expect.arrayContaining(before))
  rmSync(filler)
  await ask().recovery.open()
  expect(await ask().recovery.state()).toEqual({ mode: 'normal' })
})
