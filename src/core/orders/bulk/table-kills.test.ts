import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toCents } from '../../../../server/api/money.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

let backend: TestBackend
let proxy: FaultyProxy
beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  proxy = await startFaultyProxy(backend.ready.baseUrl)
}, 60_000)
afterAll(async () => {
  await proxy.close()
  await backend.stop()
})

const key = (): string => backend.ready.demo?.partnerTestKey ?? ''
async function fromService(to: string): Promise<{
  results: {
    id: string
    externalId: string
    price: number
    qty: number | null
    deliveryType: string
  }[]
}> {
  const answer = await fetch(`${backend.ready.baseUrl}${to}`, {
    headers: { authorization: `Bearer ${key()}` },
  })
  return (await answer.json()) as Awaited<ReturnType<typeof fromService>>
}

// A kill leaves the files on disk in their current state. Nothing is written between two events, so
// a copy made then equals the state after a kill.
test.each([
  { moment: 'before the third order reaches the service', arrived: 2 },
  { moment: 'after the service placed the third order, before it responds', arrived: 3 },
])(
  'finishes a table of orders after a kill $moment, each order once @long',
  async ({ moment, arrived }) => {
    const name = `T${arrived}`
    const [folder, left] = [temporaryFolder(), temporaryFolder()]
    const keychain = memoryKeychain()
    const kill = (): void =>
      cpSync(folder.path, left.path, {
        recursive: true,
        filter: (from) => !path.basename(from).endsWith('.sock'),
      })
    let posts = 0
    let killed = false
    proxy.decide = (method) => {
      if (killed) return 'cut'
      if (method !== 'POST' || (posts += 1) < 3) return 'pass'
      if (arrived === 3) return 'lose-answer'
      killed = true
      kill()
      return 'cut'
    }
    proxy.served = ({ method }) => {
      if (method !== 'POST' || posts < 3 || killed) return
      killed = true
      kill()
    }
    const { results } = await fromService('/products?inStock=true&limit=100')
    const product = results
      .filter(({ deliveryType, qty }) => deliveryType === 'key' && (qty ?? 0) > 20)
      .toSorted((a, b) => a.price - b.price)[0]
    const orders = Array.from({ length: 6 }, (_, at) => ({
      externalId: `${name}-${at}`,
      lines: [
        {
          productId: product?.id ?? '',
          qty: 1,
          maxUnitCents: toCents(product?.price ?? 0),
        },
      ],
    }))
    const first = await startTestCore(folder.path, keychain, { rates: null })
    const { id: accountId } = await first.ask.accounts.connect({
      key: key(),
      baseUrl: proxy.baseUrl,
      name: moment,
    })
    const { bulkId } = await first.ask.orders.placeMany({
      accountId,
      name: 'orders.csv',
      orders: orders,
    })
    await until(() => killed, Boolean)
    await first.close()
    const there = async () =>
      (
        await Promise.all(
          orders.map(({ externalId }) => fromService(`/orders?externalId=${externalId}`)),
        )
      ).map((page) => page.results.length)
    expect((await there()).reduce((sum, count) => sum + count, 0)).toBe(arrived)

    proxy.decide = () => 'pass'
    const second = await startTestCore(left.path, keychain, { rates: null })
    try {
      const done = await until(
        () => second.ask.orders.bulk({ accountId, bulkId }),
        ({ state, counts }) => state === 'done' && counts.open === 0,
      )
      expect(done.counts).toEqual({ waiting: 0, open: 0, placed: 6, refused: 0, left: 0 })
      expect(await there()).toEqual([1, 1, 1, 1, 1, 1])
      expect(done.chargedCents).toBe(6 * Math.round((product?.price ?? 0) * 100))
    } finally {
      await second.close()
      folder.remove()
      left.remove()
    }
  },
  60_000,
)
