import DatabaseConstructor from 'better-sqlite3'
import { expect, test } from 'vitest'
import { cents, ZERO } from '../../../server/api/money.ts'
import { startTestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import { balanceSchemas } from './balance.ts'
import { balanceStore } from './store.ts'
import { DAY_MS } from '../../../server/api/time.ts'

test('shows the service’s balance and releases, and keeps every change, also offline @long', async () => {
  const backend = await startTestBackend({ products: 60, noLimits: true })
  const folder = temporaryFolder()
  let harness = await startTestCore(folder.path)
  try {
    const { id: accountId } = await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: backend.ready.baseUrl,
      name: 'Shop',
      keep: 'session',
    })
    const served = async () =>
      (await (
        await fetch(`${backend.ready.sellerUrl}/balance`, {
          headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
        })
      ).json()) as {
        pending: number
        available: number
        upcomingReleases: { date: string; amount: number; sales: number }[]
      }
    const first = await served()
    const here = await until(
      () => harness.ask.balance.now({ accountId }),
      ({ reading }) => reading !== null,
    )
    expect(here).toMatchObject({
      currency: 'EUR',
      reading: {
        pendingCents: Math.round(first.pending * 100),
        availableCents: Math.round(first.available * 100),
      },
      upcoming: first.upcomingReleases.map(({ date, amount, sales }) => ({
        date,
        cents: Math.round(amount * 100),
        sales,
      })),
    })
    expect(first.upcomingReleases.length).toBeGreaterThan(0)
    await backend.dashboard('POST', '/clock/advance', { ms: 9 * DAY_MS })
    await harness.ask.accounts.syncNow({ accountId })
    const later = await served()
    await until(
      () => harness.ask.balance.now({ accountId }),
      ({ reading }) => reading?.availableCents === Math.round(later.available * 100),
    )
    // The pending amount is released: its sales are read again although the clock of this computer
    // is nine days behind.
    await until(
      async () => {
        await harness.ask.accounts.syncNow({ accountId })
        return harness.ask.sales.pending({ accountId })
      },
      ({ waiting }) => waiting.sales === 0,
    )
    await backend.kill()
    await harness.close()
    harness = await startTestCore(folder.path)
    const { readings, keptSince } = await harness.ask.balance.history({
      accountId,
      from: 0,
      to: Date.now() + 10 * DAY_MS,
    })
    // The history is in the service's time, whose clock is nine days ahead.
    const [before, after] = readings.map(({ at }) => at)
    expect(Math.round(((after ?? 0) - (before ?? 0)) / DAY_MS)).toBe(9)
    expect(readings.map(({ availableCents }) => availableCents)).toEqual(
      [first.available, later.available].map((amount) => Math.round(amount * 100)),
    )
    expect(keptSince).toBe(readings[0]?.at)
    expect((await harness.ask.balance.now({ accountId })).reading).toMatchObject({
      availableCents: Math.round(later.available * 100),
    })
  } finally {
    await harness.close()
    await backend.stop()
    folder.remove()
  }
}, 60_000)

test('refers a partner account to its own balance @long', async () => {
  const backend = await startTestBackend({ products: 60, noLimits: true })
  const folder = temporaryFolder()
  const harness = await startTestCore(folder.path)
  try {
    const { id: accountId } = await harness.ask.accounts.connect({
      key: backend.ready.demo?.partnerTestKey ?? '',
      baseUrl: backend.ready.baseUrl,
      name: 'Partner',
    })
    for (const asked of [
      harness.ask.balance.now({ accountId }),
      harness.ask.sales.list({ accountId }),
      harness.ask.disputes.list({ accountId }),
    ])
      expect(await problemOf(asked)).toMatchObject({ code: 'NOT_FOUND' })
  } finally {
    await harness.close()
    await backend.stop()
    folder.remove()
  }
}, 60_000)

test('keeps the first and the last reading of older days, and reports the balance at a period’s start', () => {
  const db = new DatabaseConstructor(':memory:')
  for (const { steps } of balanceSchemas) for (const step of steps) db.exec(step)
  const store = balanceStore(db)
  const start = 1000 * DAY_MS
  for (let hour = 0; hour < 24 * 60; hour += 6)
    expect(
      store.put(
        { at: start + hour * 3_600_000, pendingCents: ZERO, availableCents: cents(hour) },
        'EUR',
        [],
      ),
    ).toBe(true)
  expect(
    store.put(
      { at: start + 60 * DAY_MS, pendingCents: ZERO, availableCents: cents(24 * 60 - 6) },
      'EUR',
      [],
    ),
  ).toBe(false)
  const { readings, keptSince } = store.history(start, start + 61 * DAY_MS)
  expect(keptSince).toBe(start)
  const perDay = Map.groupBy(readings, ({ at }) => Math.floor(at / DAY_MS))
  expect(perDay.get(1000)?.map(({ availableCents }) => availableCents)).toEqual([0, 18])
  expect(perDay.get(1010)?.map(({ availableCents }) => availableCents)).toEqual([258])
  expect(perDay.get(1050)).toHaveLength(4)
  expect(store.history(start + 30 * DAY_MS + 1, start + 31 * DAY_MS).readings[0]).toMatchObject({
    at: start + 30 * DAY_MS + 1,
  })
})

test('the newest reading is the latest one, also after the service’s clock was put back', () => {
  const db = new DatabaseConstructor(':memory:')
  for (const { steps } of balanceSchemas) for (const step of steps) db.exec(step)
  const store = balanceStore(db)
  const at = 1000 * DAY_MS
  store.put({ at, pendingCents: ZERO, availableCents: cents(1) }, 'EUR', [])
  store.put({ at: at - DAY_MS, pendingCents: ZERO, availableCents: cents(2) }, 'EUR', [], 5)
  expect(store.now().reading).toEqual({ at: 5, pendingCents: ZERO, availableCents: 2 })
  expect(store.readAt()).toBe(5)
  expect(
    store.history(0, at + DAY_MS).readings.map(({ availableCents }) => availableCents),
  ).toEqual([1, 2])
})
