import { cpSync, readdirSync, readlinkSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { Connection } from '../../../contract/app/accounts.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { fastClock } from '../../testing/fast-clock.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

/** Six seats let two accounts work at the same time. */
const options = { clock: fastClock(40, 25_000), accountSeats: 6 }
const shops = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh']

let backend: TestBackend
let folder: ReturnType<typeof temporaryFolder>
let keychain: ReturnType<typeof memoryKeychain>
let console_: TestCore
let ids: string[]
let productId: string

beforeAll(async () => {
  backend = await startTestBackend({ products: 30, noLimits: true })
})
afterAll(() => backend.stop())
beforeEach(async () => {
  folder = temporaryFolder()
  keychain = memoryKeychain()
  console_ = await startTestCore(folder.path, keychain, options)
  ids = []
  for (const name of shops) {
    const { id } = await backend.dashboard('POST', '/sellers', { name })
    const { key } = await backend.dashboard('POST', `/sellers/${String(id)}/keys`, {})
    const account = await console_.ask.accounts.connect({
      key: String(key),
      baseUrl: backend.ready.baseUrl,
      name,
    })
    ids.push(account.id)
  }
  await until(connections, (all) => all.every(({ synced }) => synced.sales != null))
  const found = await until(
    () => console_.ask.catalogue.search({ accountId: first() }),
    ({ rows }) => rows.length > 0,
  )
  productId = found.rows[0]?.productId ?? ''
})
afterEach(async () => {
  await console_.close()
  folder.remove()
})

const first = (): string => ids[0] ?? ''
const connections = (): Promise<Connection[]> =>
  Promise.all(ids.map((accountId) => console_.ask.accounts.connection({ accountId })))
/** Accounts whose journals this process has open. */
function openAccounts(): Set<string> {
  const paths = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
  return new Set(
    paths.flatMap((path) =>
      path.startsWith(folder.path) ? (/journals\/([^.]+)\.db/.exec(path)?.[1] ?? []) : [],
    ),
  )
}
const nextAsleep = (): Promise<string> =>
  until(
    () => ids.slice(1).find((id) => !openAccounts().has(id)) ?? '',
    (id) => id !== '',
  )
const whenAsleep = (id: string): Promise<boolean> =>
  until(
    () => !openAccounts().has(id),
    (isAsleep) => isAsleep,
  )
const offersOf = async (accountId: string): Promise<number | null> =>
  (await console_.ask.accounts.connection({ accountId })).counts.offers

it.runIf(process.platform === 'linux')(
  'syncs more accounts than can be open, and keeps their counts while they are asleep',
  async () => {
    const accountId = await nextAsleep()
    await console_.ask.offers.create({ accountId, productId, priceCents: cents(1500) })
    await until(
      () => offersOf(accountId),
      (offers) => offers === 1,
    )
    await whenAsleep(accountId)
    expect(await offersOf(accountId)).toBe(1)
    expect(openAccounts().has(accountId)).toBe(false)
    expect(openAccounts().size).toBeLessThanOrEqual(6)
    const before = (await console_.ask.accounts.connection({ accountId })).synced.sales ?? 0
    await until(connections, (all) =>
      all.every(({ synced }) => (synced.sales ?? 0) > before || synced.sales === undefined),
    )
  },
)

it.runIf(process.platform === 'linux')(
  'has the same counts after a kill, whether an account was awake or asleep',
  async () => {
    for (const accountId of ids)
      await console_.ask.offers.create({ accountId, productId, priceCents: cents(1500) })
    await whenAsleep(await nextAsleep())
    const copy = temporaryFolder()
    cpSync(folder.path, copy.path, { recursive: true })
    const next = await startTestCore(copy.path, keychain, options)
    try {
      for (const accountId of ids)
        expect((await next.ask.accounts.connection({ accountId })).counts.offers).toBe(1)
    } finally {
      await next.close()
      copy.remove()
    }
  },
)

it.runIf(process.platform === 'linux')(
  'keeps a change made offline in an account that falls asleep, and sends it after approval',
  async () => {
    const accountId = await nextAsleep()
    const { offer } = await console_.ask.offers.create({
      accountId,
      productId,
      priceCents: cents(1500),
    })
    const offerId = offer?.offerId ?? ''
    await backend.kill()
    await console_.ask.offers.change({
      accountId,
      offerId,
      priceCents: cents(1400),
      expectedPriceCents: cents(1500),
    })
    await whenAsleep(accountId)
    await backend.start()
    const { rows } = await until(
      () => console_.ask.outbox.list({ accountId }),
      (found) => found.rows[0]?.verdict === 'ready',
    )
    expect(rows).toHaveLength(1)
    await console_.ask.outbox.send({ accountId, entryIds: rows.map(({ entryId }) => entryId) })
    await until(
      () => console_.ask.offers.offer({ accountId, offerId }),
      ({ priceCents }) => priceCents === 1400,
    )
  },
)

it('stops rules in accounts that are asleep, and lists every account’s disputes', async () => {
  await console_.ask.priceWatch.stopAll()
  for (const accountId of ids)
    expect((await console_.ask.priceWatch.overview({ accountId })).stoppedAt).not.toBeNull()
  await console_.ask.priceWatch.resume()
  expect((await console_.ask.priceWatch.switch()).stoppedAt).toBeNull()
  const { total, complete } = await console_.ask.disputes.list({
    accountId: first(),
    everyAccount: true,
  })
  expect({ total, complete }).toEqual({ total: 0, complete: true })
})

it('serves requests to all accounts at the same time while they take turns', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      Promise.all(
        ids.flatMap((accountId) => [
          console_.ask.offers.list({ accountId }).then(({ complete }) => complete),
          console_.ask.balance.now({ accountId }).then(() => true),
          console_.ask.outbox.list({ accountId }).then(() => true),
        ]),
      ),
    ),
  )
  expect(answers.flat()).toHaveLength(4 * 3 * ids.length)
})
