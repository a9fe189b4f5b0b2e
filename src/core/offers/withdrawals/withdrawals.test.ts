import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import { outboxFeature, outboxSchema } from '../../outbox/outbox.ts'
import { salesSchema } from '../../sales/sales.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { createTestContext } from '../../testing/context.ts'
import type { TestContext } from '../../testing/context.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { offersFeature, offersSchemas } from '../offers.ts'
import type { Offers } from '../offers.ts'

let backend: TestBackend
let proxy: FaultyProxy
let test: TestContext
let offers: Started<Offers>
let accountId: string
let dataDir: string
const keychain = memoryKeychain()

const atService = async (offerId: string): Promise<{ stock: number }> => {
  const answer = await fetch(`${backend.ready.sellerUrl}/offers/${offerId}`, {
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
  })
  return (await answer.json()) as { stock: number }
}
async function open(): Promise<void> {
  test = await createTestContext({
    schemas: [catalogueSchema, ...offersSchemas, outboxSchema, salesSchema],
    dataDir,
    keychain,
  })
  offers = startFeature(offersFeature, test.context, {
    outbox: startFeature(outboxFeature, test.context, {}),
    priceRules: { limitsOf: () => null },
  })
}
async function shut(): Promise<void> {
  test.quiet()
  await offers.close()
  test.close()
}
const stocked = (): OfferRow =>
  offers.list({ accountId }).rows.find((row) => row.stock >= 4) as OfferRow
const withdraw = (row: OfferRow, count: number | null) =>
  offers.withdrawals.begin({ accountId, offerId: row.offerId, count, expectedStock: row.stock })
const valuesOf = (withdrawalId: string): string[] =>
  Buffer.from(
    offers.withdrawals.export({ accountId, withdrawalId, typed: PLAIN_EXPORT_PHRASE }).base64,
    'base64',
  )
    .toString()
    .trimEnd()
    .split('\n')

beforeAll(async () => {
  backend = await startTestBackend({ products: 120, noLimits: true })
}, 60_000)
afterAll(() => backend.stop())
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'keydesk-withdraw-'))
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  await open()
  accountId = (await test.connect(backend.ready.demo?.sellerKey ?? '', proxy.baseUrl)).id
  await offers.syncNow(accountId)
})
afterEach(async () => {
  await shut()
  await proxy.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('stores withdrawn keys in the vault exactly as received, readable nowhere else', async () => {
  const row = stocked()
  let told = ''
  proxy.served = ({ path, status }) => {
    if (path.endsWith('/withdraw') && status === 200) told = path
  }
  const done = await withdraw(row, 3)
  expect(done).toMatchObject({ state: 'kept', kept: 3, asked: 3, offerId: row.offerId })
  expect(told).toContain(row.offerId)
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 3 })
  expect(offers.offer({ accountId, offerId: row.offerId }).stock).toBe(row.stock - 3)
  const values = valuesOf(done.withdrawalId)
  expect(new Set(values).size).toBe(3)
  expect(
    offers.withdrawals.reveal({ accountId, withdrawalId: done.withdrawalId, position: 1 }),
  ).toEqual({ value: values[1] })
  expect(
    offers.withdrawals
      .keys({ accountId, withdrawalId: done.withdrawalId })
      .keys.map(({ masked }) => masked),
  ).not.toContain(values[0])
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((each) =>
    /\.(?:db|db-wal|log|jsonl)$/.test(each),
  )) {
    const bytes = readFileSync(join(dataDir, name))
    for (const value of values)
      expect(bytes.includes(value), `${name} contains a withdrawn key`).toBe(false)
  }
})

/** Withdraws two keys whose response is lost, and stops Keydesk. */
async function loseWithdrawal(): Promise<OfferRow> {
  const row = stocked()
  proxy.decide = (_method, path) => (path.endsWith('/withdraw') ? 'lose-answer' : 'pass')
  const lost = withdraw(row, 2).catch((error: unknown) => error)
  await expect
    .poll(async () => (await atService(row.offerId)).stock, { timeout: 10_000 })
    .toBe(row.stock - 2)
  await shut()
  await lost
  return row
}

it('loses no key when Keydesk stops while the response with the keys is in flight', async () => {
  const row = await loseWithdrawal()
  proxy.decide = () => 'pass'
  await open()
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'sending', kept: 0 })
  // Every start does this in its first sync pass.
  await offers.withdrawals.settleOpen(accountId)
  const [found] = offers.withdrawals.list({ accountId })
  expect(found).toMatchObject({ state: 'kept', kept: 2, asked: 2 })
  expect(new Set(valuesOf(found?.withdrawalId ?? '')).size).toBe(2)
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 2 })
})

it('waits with the repetition of a lost request while the service takes no Idempotency-Keys', async () => {
  const row = await loseWithdrawal()
  proxy.decide = () => 'pass'
  await open()
  const { accounts } = test.context
  const accepts = vi.spyOn(accounts, 'acceptsIdempotencyKeys').mockReturnValue(false)
  const [{ withdrawalId } = { withdrawalId: '' }] = offers.withdrawals.list({ accountId })
  await offers.withdrawals.settleOpen(accountId)
  await expect(
    offers.withdrawals.withdraw(accountId, withdrawalId, row.offerId, 2),
  ).rejects.toMatchObject({ problem: { code: 'ANSWER_LOST' }, certainty: 'unknown' })
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'sending', kept: 0 })
  accepts.mockRestore()
  await offers.withdrawals.settleOpen(accountId)
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'kept', kept: 2 })
  expect(new Set(valuesOf(withdrawalId)).size).toBe(2)
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 2 })
})

it('never repeats a lost request that the service has forgotten after a day', async () => {
  const row = await loseWithdrawal()
  const asked: string[] = []
  proxy.decide = () => 'pass'
  proxy.served = ({ path }) => {
    if (path.endsWith('/withdraw')) asked.push(path)
  }
  await open()
  test.context.mirrors
    .database(accountId)
    .exec('UPDATE offer_withdrawals SET piece_at = piece_at - 90000000')
  const [{ withdrawalId } = { withdrawalId: '' }] = offers.withdrawals.list({ accountId })
  await expect(
    offers.withdrawals.withdraw(accountId, withdrawalId, row.offerId, 2),
  ).rejects.toMatchObject({ problem: { code: 'ANSWER_LOST' }, retry: 'never' })
  await offers.withdrawals.settleOpen(accountId)
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'unknown', kept: 0 })
  expect(asked).toEqual([])
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 2 })
})

it('settles a forgotten request as unknown in the first sync pass', async () => {
  const row = await loseWithdrawal()
  proxy.decide = () => 'pass'
  await open()
  test.context.mirrors
    .database(accountId)
    .exec('UPDATE offer_withdrawals SET piece_at = piece_at - 90000000')
  await offers.withdrawals.settleOpen(accountId)
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'unknown', kept: 0 })
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 2 })
})

it('never repeats a lost request that was sent without an Idempotency-Key', async () => {
  const row = stocked()
  const accepts = vi.spyOn(test.context.accounts, 'acceptsIdempotencyKeys').mockReturnValue(false)
  proxy.decide = (_method, path) => (path.endsWith('/withdraw') ? 'lose-answer' : 'pass')
  await expect(withdraw(row, 2)).rejects.toMatchObject({ problem: { code: 'ANSWER_LOST' } })
  proxy.decide = () => 'pass'
  accepts.mockRestore()
  const [{ withdrawalId } = { withdrawalId: '' }] = offers.withdrawals.list({ accountId })
  await offers.withdrawals.settleOpen(accountId)
  await expect(
    offers.withdrawals.withdraw(accountId, withdrawalId, row.offerId, 2),
  ).rejects.toMatchObject({ problem: { code: 'ANSWER_LOST' } })
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'unknown', kept: 0 })
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 2 })
}, 60_000)

it.each(['{}', '{"results":"none","hasMore":0,"id":[]}', '{"keys":null}'])(
  'loses no key when a gateway replaces the response by %s',
  async (body) => {
    const row = stocked()
    const headers = { 'content-type': 'application/json' }
    let replaced = 0
    proxy.decide = (_method, path) => {
      if (!path.endsWith('/withdraw') || replaced > 0) return 'pass'
      replaced += 1
      return { kind: 'replace', answer: { status: 200, headers, body } }
    }
    const withdrawal = await withdraw(row, 2).catch(() => offers.withdrawals.list({ accountId })[0])
    expect(replaced).toBe(1)
    await offers.withdrawals.settleOpen(accountId)
    expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'kept', kept: 2 })
    expect(new Set(valuesOf(withdrawal?.withdrawalId ?? '')).size).toBe(2)
    expect(await atService(row.offerId)).toMatchObject({ stock: row.stock - 2 })
  },
)

it('loses no key when the service turns away the repetition of a lost request', async () => {
  await loseWithdrawal()
  const turnedAway = JSON.stringify({
    error: { code: 'ACCOUNT_NOT_ACTIVE', message: 'Suspended.', requestId: 'r1' },
  })
  proxy.decide = (_method, path) =>
    path.endsWith('/withdraw')
      ? {
          kind: 'answer',
          answer: {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: turnedAway,
          },
        }
      : 'pass'
  await open()
  await offers.withdrawals.settleOpen(accountId)
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'sending', kept: 0 })
  proxy.decide = () => 'pass'
  await offers.withdrawals.settleOpen(accountId)
  expect(offers.withdrawals.list({ accountId })[0]).toMatchObject({ state: 'kept', kept: 2 })
})

it('requests no keys while the vault is locked or the stock differs from what the person saw', async () => {
  const row = stocked()
  const asked: string[] = []
  proxy.served = ({ path }) => {
    if (path.endsWith('/withdraw')) asked.push(path)
  }
  await expect(
    offers.withdrawals.begin({
      accountId,
      offerId: row.offerId,
      count: null,
      expectedStock: row.stock + 1,
    }),
  ).rejects.toMatchObject({ problem: { code: 'CHANGED_MEANWHILE' } })
  await test.vault.lock('person')
  await expect(withdraw(row, null)).rejects.toMatchObject({ problem: { code: 'VAULT_LOCKED' } })
  expect(asked).toEqual([])
  expect(await atService(row.offerId)).toMatchObject({ stock: row.stock })
})

it('closes offers in bulk: saves the keys in the vault, then removes the offers', async () => {
  const row = stocked()
  const wish = {
    accountId,
    chosen: { offerIds: [row.offerId] },
    change: { kind: 'close' as const },
  }
  const { fingerprint } = await offers.bulks.preview(wish)
  const { bulkId } = await offers.bulks.begin({ ...wish, fingerprint })
  await expect
    .poll(() => offers.bulks.list({ accountId }).find((bulk) => bulk.bulkId === bulkId)?.state, {
      timeout: 20_000,
    })
    .toBe('done')
  expect(offers.bulks.results({ accountId, bulkId }).rows[0]).toMatchObject({
    state: 'done',
    problem: null,
  })
  expect(offers.withdrawals.list({ accountId, offerId: row.offerId })[0]).toMatchObject({
    state: 'kept',
    kept: row.stock,
  })
})
