import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ORPCError, call, os } from '@orpc/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMirrors } from './mirror/files/mirrors.ts'
import { createCore, DataFolderInUse } from './create-core.ts'
import { failure } from './failure.ts'
import { guard } from './rpc.ts'
import { createTestContext, temporaryFolder, testHost } from './testing/context.ts'
import { problemOf, startTestCore } from './testing/core.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

test('rejects a second console on a data folder with the first one’s address until that closes', async () => {
  const first = await startTestCore(folder.path)
  first.core.announce('http://127.0.0.1:4701')
  const refused = await createCore(testHost(folder.path)).then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refused instanceof DataFolderInUse))
    throw new Error(`expected DataFolderInUse, got ${String(refused)}`)
  expect(refused.holder).toMatchObject({
    pid: process.pid,
    host: 'browser',
    address: 'http://127.0.0.1:4701',
  })
  await first.close()
  await (await startTestCore(folder.path)).close()
})

test('stores settings one by one, and rejects invalid ones with their field', async () => {
  const first = await startTestCore(folder.path)
  await first.ask.app.changeSettings({
    theme: 'dark',
    lowStock: 12,
    paces: { offers: 1, sales: 10, disputes: 1, orders: 1, balance: 2 },
    quietNotices: ['low-stock'],
  })
  await first.ask.app.saveTable({ tableId: 'offers', choice: '{"rowHeight":44}' })
  expect(await problemOf(first.ask.app.changeSettings({ catalogueMinutes: 4 }))).toMatchObject({
    code: 'INVALID_INPUT',
    fields: [{ field: 'catalogueMinutes' }],
  })
  await first.close()
  const second = await startTestCore(folder.path)
  expect(await second.ask.app.settings()).toEqual({
    theme: 'dark',
    density: 36,
    singleLetterShortcuts: true,
    catalogueMinutes: 5,
    lowStock: 12,
    priceGuard: 30,
    alarmClaims: 3,
    alarmPercent: 3,
    lockMinutes: 15,
    paces: { offers: 1, sales: 10, disputes: 1, orders: 1, balance: 2 },
    quietNotices: ['low-stock'],
    activityDays: 90,
    currentAccountId: null,
  })
  expect(await second.ask.app.tables()).toEqual({ offers: '{"rowHeight":44}' })
  await second.close()
})

test('starts the change stream immediately, reports each change, and stops it with its reader', async () => {
  const { ask, close } = await startTestCore(folder.path)
  const stop = new AbortController()
  const changes = await ask.app.changes(undefined, { signal: stop.signal })
  expect((await changes.next()).value).toEqual({ topic: 'connection', accountId: null, id: null })
  await ask.app.changeSettings({ theme: 'light' })
  expect((await changes.next()).value).toEqual({ topic: 'settings', accountId: null, id: null })
  stop.abort()
  await close()
})

test('reports a failure with its problem, and a defect only by a reference to the log, without secrets', async () => {
  const ground = await createTestContext({ dataDir: folder.path })
  ground.learn('hunter2-the-secret')
  const guarded = (work: () => never) => os.use(guard(ground.report)).handler(work)
  const caught = async (
    work: () => never,
  ): Promise<ORPCError<string, { code: string; requestId: string }>> => {
    const error = await call(guarded(work), undefined, { context: {} }).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(error instanceof ORPCError)) throw new Error(String(error))
    return error
  }
  expect(
    await caught(() => {
      throw failure('NOT_FOUND', 'Not found.', 'Check again.')
    }),
  ).toMatchObject({
    code: 'FAILED',
    data: { code: 'NOT_FOUND', what: 'Not found.', next: 'Check again.' },
  })
  const defect = await caught(() => {
    throw new TypeError('broken with svcs_0123456789abcdef and hunter2-the-secret')
  })
  expect(defect).toMatchObject({ code: 'FAILED', data: { code: 'INTERNAL' } })
  expect(JSON.stringify(defect.data)).not.toMatch(/broken|svcs_|hunter2/)
  const log = readFileSync(join(folder.path, 'logs', 'keydesk.log'), 'utf8')
  expect(log).toContain(`${defect.data.requestId} TypeError: broken with svcs_•••• and ••••`)
  ground.dispose()
})

test('rejects data of a newer Keydesk without changing it', async () => {
  const first = await createTestContext({
    dataDir: folder.path,
    schemas: [{ feature: 'newer', steps: ['CREATE TABLE a (b)', 'CREATE TABLE c (d)'] }],
  })
  first.context.mirrors.database('x')
  first.dispose()
  const schemas = [{ feature: 'newer', steps: ['CREATE TABLE a (b)'] }]
  const second = createTestContext({ dataDir: folder.path, schemas })
  await expect(second).rejects.toMatchObject({ kind: 'newer', file: 'mirrors/x.db' })
  const mirrors = createMirrors(folder.path, schemas)
  expect(() => mirrors.database('x')).toThrow('NEWER_DATA')
  mirrors.close()
})

test(
  'without a Secret Service, keeps keys for the session and opens the vault with its passphrase @long',
  { skip: process.platform !== 'linux', timeout: 120_000 },
  () => {
    const pathOf = (url: URL): string => JSON.stringify(fileURLToPath(url))
    const script = `
    import { startTestCore, problemOf } from ${pathOf(new URL('./testing/core.ts', import.meta.url))}
    import { createOsKeychain } from ${pathOf(new URL('../platform/keychain/os-keychain.ts', import.meta.url))}
    const start = () => startTestCore(
      ${JSON.stringify(folder.path)},
      createOsKeychain('Keydesk test'),
      { passphraseCost: { N: 256, r: 8, p: 1 } },
    )
    const first = await start()
    const { keychain } = await first.ask.app.info()
    const before = (await first.ask.vault.state()).state
    const refused = (await problemOf(first.ask.sandbox.start({}))).code
    const { accounts } = await first.ask.sandbox.start({ keep: 'session' })
    const chosen = (await first.ask.vault.choosePassphrase({ passphrase: 'correct horse battery' })).state
    await first.close()
    const next = await start()
    const locked = (await next.ask.vault.state()).state
    const wrong = (await problemOf(next.ask.vault.unlock({ passphrase: 'incorrect horse' }))).code
    const unlocked = (await next.ask.vault.unlock({ passphrase: 'correct horse battery' })).state
    await next.close()
    const kept = accounts.map((account) => account.keyKept)
    const { available } = keychain
    console.log(JSON.stringify({ available, before, refused, kept, chosen, locked, wrong, unlocked }))
  `
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 110_000,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        HOME: folder.path,
        DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder.path}/no-bus`,
        XDG_RUNTIME_DIR: folder.path,
      },
    })
    expect(JSON.parse(output)).toEqual({
      available: false,
      before: 'unset',
      refused: 'KEYCHAIN_MISSING',
      kept: ['session', 'session'],
      chosen: 'open',
      locked: 'locked',
      wrong: 'WRONG_PASSPHRASE',
      unlocked: 'open',
    })
  },
)
