import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock, dashboard, type TestService } from '../../domain/testing/fixture.ts'
import {
  advance,
  DAY,
  digestOf,
  HOUR,
  passTime,
  marketOf,
  openMarketFixture,
  startMarket,
  startOfTests,
} from './testing/market-fixture.ts'

const open: TestService[] = []
afterEach(async () => {
  for (const test of open.splice(0)) await test.close()
})

async function moving(seed: string | number = 'monday'): Promise<TestService> {
  const test = await openMarketFixture()
  open.push(test)
  await startMarket(test, { seed })
  return test
}

describe('the same seed on the same data gives the same events', () => {
  it(
    'in one step, in many, and as time passes; another seed gives different ones',
    { timeout: 120_000 },
    async () => {
      const [whole, stepped, passed, other] = [
        await moving(),
        await moving(),
        await moving(),
        await moving('tuesday'),
      ]
      await advance(whole, 32 * HOUR)
      for (const ms of [1, 59_999, 9 * HOUR, 3 * HOUR + 7, 16 * HOUR, 4 * HOUR - 60_007])
        await advance(stepped, ms)
      for (const ms of [5 * HOUR, 11, DAY, 3 * HOUR - 11]) await passTime(passed, ms)
      await advance(other, 32 * HOUR)

      const digest = await digestOf(whole)
      expect(await digestOf(stepped)).toBe(digest)
      expect(await digestOf(passed)).toBe(digest)
      expect(await digestOf(other)).not.toBe(digest)
      const { counts } = await marketOf(whole)
      expect(Math.min(counts.priceChanges, counts.restocks, counts.orders)).toBeGreaterThan(5)
    },
  )

  it('when it is started again on a saved snapshot', async () => {
    const test = await openMarketFixture()
    open.push(test)
    await test.run('createSnapshot', dashboard, { body: { name: 'before' } })
    const digests: string[] = []
    for (const seed of [5, 6, 5]) {
      await test.run('restoreSnapshot', dashboard, { params: { name: 'before' } })
      await startMarket(test, { seed })
      await advance(test, 8 * HOUR)
      digests.push(await digestOf(test))
    }
    expect(digests[2]).toBe(digests[0])
    expect(digests[1]).not.toBe(digests[0])
  })

  it('after restarts midway, one of them late', async () => {
    const whole = await moving()
    await advance(whole, DAY)

    const folder = mkdtempSync(join(tmpdir(), 'keydesk-restarts-'))
    const clock = createTestClock(startOfTests)
    try {
      let test = await openMarketFixture({ folder, clock })
      await startMarket(test)
      await advance(test, 8 * HOUR + 23_456)
      await test.close()
      test = await openMarketFixture({ folder, clock })
      await advance(test, 2 * HOUR)
      await test.close()
      clock.move(4 * HOUR)
      test = await openMarketFixture({ folder, clock })
      await passTime(test, 10 * HOUR - 23_456)
      expect(await digestOf(test)).toBe(await digestOf(whole))
      await test.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a snapshot', () => {
  it('includes the market, which continues the same way after a restore', async () => {
    const test = await moving()
    await advance(test, 6 * HOUR)
    await test.run('createSnapshot', dashboard, { body: { name: 'evening' } })
    await advance(test, 8 * HOUR)
    const digest = await digestOf(test)
    await test.run('restoreSnapshot', dashboard, { params: { name: 'evening' } })
    await advance(test, 8 * HOUR)
    expect(await digestOf(test)).toBe(digest)
  })

  it('without a market removes the running market, as does a reset', async () => {
    const test = await openMarketFixture()
    open.push(test)
    await test.run('createSnapshot', dashboard, { body: { name: 'still' } })
    await startMarket(test)
    await test.run('restoreSnapshot', dashboard, { params: { name: 'still' } })
    expect(await marketOf(test)).toMatchObject({ running: false, seed: null, shops: [] })
    await startMarket(test)
    await test.run('reset', dashboard, { body: {} })
    expect(await marketOf(test)).toMatchObject({ running: false, seed: null, nextDueAt: null })
    await advance(test, DAY)
    expect((await marketOf(test)).counts.visits).toBe(0)
  })
})
