import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ActivityEntry } from '../../contract/app/app.ts'
import { formatMessage, localized } from '../../contract/localization/localized.ts'
import { createChanges } from '../changes.ts'
import { openDatabase } from '../mirror/database/open-database.ts'
import { systemRandomness } from '../randomness.ts'
import { temporaryFolder } from '../testing/context.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { joined } from '../testing/text-parts.ts'
import { activitySchema, createActivity, createRedactor } from './activity.ts'
import { createActivityStore } from './store.ts'
import { HOUR_MS } from '../../../server/api/time.ts'

let folder: ReturnType<typeof temporaryFolder>
let database: ReturnType<typeof openDatabase>
const clock = manualClock()
const choice = { accountId: null, view: 'all', query: '', from: null } as const

const entry = (id: number, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: `e${id}`,
  at: id * HOUR_MS,
  accountId: id % 2 === 0 ? 'even-1' : 'odd-1',
  what: localized('activity.request', { method: 'GET', path: '/products' }),
  detail: null,
  outcome: 'ok',
  code: null,
  status: 200,
  requestId: `req_${id}Xy`,
  durationMs: 3,
  ...more,
})

beforeEach(() => {
  folder = temporaryFolder()
  database = openDatabase(join(folder.path, 'keydesk.db'), [activitySchema])
})
afterEach(() => {
  database.close()
  folder.remove()
})

it('finds entries by word prefixes, code, status and request, and counts them by outcome', () => {
  const store = createActivityStore(database)
  store.add([
    entry(1),
    entry(2, {
      what: localized('activity.request', { method: 'POST', path: '/orders' }),
      detail: localized('text', { text: 'Ironwharf 3: EUR 12.40' }),
      outcome: 'failed',
      code: 'PRICE_CHANGED',
      status: 409,
    }),
    entry(3, {
      what: localized('text', { text: 'Pokémon Café Tycoon ordered' }),
      outcome: 'unknown',
    }),
    entry(4),
    entry(5, { accountId: null, what: localized('text', { text: 'Settings changed' }) }),
  ])
  const ids = (more: object): string[] =>
    store.list({ ...choice, ...more }, 0, 10).rows.map(({ id }) => id)
  expect(ids({})).toEqual(['e5', 'e4', 'e3', 'e2', 'e1'])
  expect(ids({ accountId: 'even-1' })).toEqual(['e4', 'e2'])
  expect(ids({ query: 'iron price' })).toEqual(['e2'])
  expect(ids({ query: 'price_ch 409' })).toEqual(['e2'])
  expect(ids({ query: 'req_3x' })).toEqual(['e3'])
  expect(ids({ query: 'pokemon cafe' })).toEqual(['e3'])
  expect(ids({ query: 'get', accountId: 'odd-1' })).toEqual(['e1'])
  expect(ids({ query: '"* OR (' })).toEqual(['e3', 'e2'])
  expect(ids({ query: ' - ' })).toHaveLength(5)
  expect(ids({ from: 4 * HOUR_MS + 5 })).toEqual(['e5', 'e4'])
  expect(ids({ view: 'failed' })).toEqual(['e2'])
  expect(store.list({ ...choice, query: 'or' }, 0, 10)).toMatchObject({
    total: 2,
    views: { all: 2, failed: 1, unknown: 1 },
    countedUpTo: null,
  })
  expect(store.list(choice, 3, 1)).toMatchObject({
    total: 5,
    views: { all: 5, failed: 1, unknown: 1 },
    rows: [{ id: 'e2' }],
  })
  expect(store.list({ ...choice, accountId: 'even-1', from: 3 * HOUR_MS }, 0, 10).views).toEqual({
    all: 1,
    failed: 0,
    unknown: 0,
  })
})

it('drops the oldest entries when there are too many or they are too old, also from the index and the counts', () => {
  const store = createActivityStore(database, 10)
  store.add(Array.from({ length: 25 }, (_, at) => entry(at + 1)))
  expect(store.list(choice, 0, 50)).toMatchObject({
    total: 10,
    rows: Array.from({ length: 10 }, (_, at) => ({ id: `e${25 - at}` })),
  })
  expect(store.list({ ...choice, query: 'req_3x' }, 0, 10).total).toBe(0)
  store.add([entry(26)], 24 * HOUR_MS)
  expect(store.list(choice, 0, 50).rows.map(({ id }) => id)).toEqual(['e26', 'e25', 'e24'])
})

it('stops counting matches at the limit', () => {
  const store = createActivityStore(database)
  store.add(Array.from({ length: 2050 }, (_, at) => entry(at + 1)))
  expect(store.list({ ...choice, query: 'products' }, 0, 1)).toMatchObject({
    total: 2000,
    countedUpTo: 2000,
    rows: [{ id: 'e2050' }],
  })
})

it('a window far down the list equals the one found by counting every entry', () => {
  const store = createActivityStore(database)
  store.add(
    Array.from({ length: 3000 }, (_, at) =>
      entry(at + 1, {
        at: (Math.floor(at / 7) * HOUR_MS) / 3,
        outcome: at % 3 === 0 ? 'failed' : 'ok',
      }),
    ),
  )
  const all = Array.from({ length: 6 }, (_, at) => store.list(choice, at * 500, 500).rows).flat()
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, at) => `e${3000 - at}`))
  for (const accountId of ['even-1', null]) {
    const fits = all.filter(
      (each) => each.outcome === 'failed' && (accountId === null || each.accountId === accountId),
    )
    expect(store.list({ ...choice, accountId, view: 'failed' }, fits.length - 3, 10).rows).toEqual(
      fits.slice(-3),
    )
  }
  expect(store.list(choice, 5000, 10).rows).toEqual([])
})

it('finds entries of an older data folder, and exports no secret', async () => {
  database.close()
  const path = join(folder.path, 'before.db')
  const [first = ''] = activitySchema.steps
  const old = openDatabase(path, [{ feature: 'activity', steps: [first] }])
  old
    .prepare(
      `INSERT INTO activity (id, at, account_id, what, detail, outcome)
        VALUES ('old', ${HOUR_MS}, 'ab-1', 'Keys downloaded', '', 'ok')`,
    )
    .run()
  old.close()
  database = openDatabase(path, [activitySchema])
  const redactor = createRedactor()
  redactor.addSecret('THE-GAME-KEY')
  const activity = createActivity({
    database,
    clock,
    random: systemRandomness,
    changes: createChanges(),
    redactor,
  })
  activity.add({
    accountId: 'ab-1',
    what: localized('text', { text: '=Key downloaded' }),
    detail: localized('orders.keys', {
      keys: 2,
      orderId: 'svc_live_abcdef123456',
      user: 'THE-GAME-KEY',
    }),
    outcome: 'ok',
    code: null,
    status: null,
    requestId: null,
    durationMs: null,
  })
  expect(activity.list({ ...choice, accountId: 'ab-1', query: 'downl' }, 0, 10)).toMatchObject({
    total: 2,
    views: { all: 2 },
  })
  const { rows } = activity.list({ ...choice, query: 'keys' }, 0, 10)
  expect(rows.map(({ what }) => formatMessage(what))).toEqual([
    '=Key downloaded',
    'Keys downloaded',
  ])
  expect(JSON.stringify(rows)).not.toMatch(/abcdef123456|THE-GAME-KEY/)
  const { entries, text } = await joined(await activity.export(choice))
  expect(entries).toBe(2)
  expect(text).toContain(`"'=Key downloaded","2 keys of order `)
  expect(text).not.toMatch(/abcdef123456|THE-GAME-KEY/)
  activity.removeAccount('ab-1')
  expect(activity.list(choice, 0, 10)).toMatchObject({ total: 0, rows: [] })
  activity.close()
})

it.each(['', 'products'])(
  'exports each entry once while others are added, matching “%s”',
  async (query) => {
    const stored = 2500
    createActivityStore(database).add(Array.from({ length: stored }, (_, at) => entry(at + 1)))
    const activity = createActivity({
      database,
      clock,
      random: systemRandomness,
      changes: createChanges(),
      redactor: createRedactor(),
    })
    const exporting = activity.export({ ...choice, query })
    // The first window is written now.
    createActivityStore(database).add(Array.from({ length: 9 }, (_, at) => entry(stored + at + 1)))
    const { entries, text } = await joined(await exporting)
    expect(entries).toBe(stored)
    expect(text.match(/req_\d+/g) ?? []).toEqual(
      Array.from({ length: stored }, (_, at) => `req_${stored - at}`),
    )
    activity.close()
  },
)

it('writes nothing after it is closed: a response can arrive while Keydesk quits', () => {
  const activity = createActivity({
    database,
    clock,
    random: systemRandomness,
    changes: createChanges(),
    redactor: createRedactor(),
  })
  activity.close()
  database.close()
  activity.add({
    accountId: null,
    what: localized('text', { text: 'GET /me' }),
    detail: null,
    outcome: 'ok',
    code: null,
    status: 200,
    requestId: null,
    durationMs: 1,
  })
  expect(() => clock.advance(60_000)).not.toThrow()
})

it('writes the entries of an action immediately, but collects reads and bulk changes', () => {
  const activity = createActivity({
    database,
    clock,
    random: systemRandomness,
    changes: createChanges(),
    redactor: createRedactor(),
  })
  const stored = (): number =>
    database.prepare<[], number>('SELECT count(*) FROM activity').pluck().get() ?? 0
  const add = (method: string): void => {
    const { id: _, at: __, ...rest } = entry(1)
    const what = localized('activity.request', { method, path: '/orders' })
    activity.add({ ...rest, what })
  }
  add('GET')
  expect(stored()).toBe(0)
  // A kill right after the action must lose neither its entry nor earlier ones.
  add('POST')
  expect(stored()).toBe(2)
  for (let more = 0; more < 9; more += 1) add('PATCH')
  expect(stored()).toBe(4)
  clock.advance(60_000)
  expect(stored()).toBe(11)
  // An entry of a transaction that is rolled back is written later.
  const undone = database.transaction(() => {
    add('POST')
    throw new Error('rolled back')
  })
  expect(undone).toThrow('rolled back')
  expect(stored()).toBe(11)
  add('POST')
  expect(stored()).toBe(13)
  activity.close()
})

it('keeps the entry of an action although Keydesk is killed right after it', () => {
  const {
    id: _,
    at: __,
    ...action
  } = entry(1, {
    what: localized('activity.request', { method: 'POST', path: '/orders' }),
  })
  const modules = {
    openDatabase: '../mirror/database/open-database.ts',
    'activitySchema, createActivity, createRedactor': './activity.ts',
    createChanges: '../changes.ts',
    systemClock: '../clock.ts',
    systemRandomness: '../randomness.ts',
  }
  const imports = Object.entries(modules).map(
    ([names, path]) => `import { ${names} } from '${new URL(path, import.meta.url).href}'`,
  )
  const path = join(folder.path, 'killed.db')
  const killed = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    `${imports.join('\n')}
    const activity = createActivity({
      database: openDatabase(${JSON.stringify(path)}, [activitySchema]),
      clock: systemClock,
      random: systemRandomness,
      changes: createChanges(),
      redactor: createRedactor(),
    })
    activity.add(${JSON.stringify(action)})
    process.kill(process.pid, 'SIGKILL')`,
  ])
  expect(killed.signal, killed.stderr.toString()).toBe('SIGKILL')
  const opened = openDatabase(path, [activitySchema])
  const { rows } = createActivityStore(opened).list(choice, 0, 10)
  expect(rows.map(({ what }) => what)).toEqual([action.what])
  opened.close()
})
