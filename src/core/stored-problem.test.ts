import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../server/api/money.ts'
import { readProblem } from './stored-problem.ts'
import { startTestBackend } from './testing/backend.ts'
import type { TestBackend } from './testing/backend.ts'
import { temporaryFolder } from './testing/context.ts'
import { problemOf, startTestCore, until } from './testing/core.ts'
import type { TestCore } from './testing/core.ts'
import { startFaultyProxy } from './testing/faulty-proxy.ts'
import type { FaultyProxy } from './testing/faulty-proxy.ts'
import { memoryKeychain } from './testing/keychains.ts'

const keychain = memoryKeychain()
const folder = temporaryFolder()
let backend: TestBackend
let proxy: FaultyProxy
let harness: TestCore
beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
})
afterAll(async () => {
  await harness.close()
  await proxy.close()
  await backend.stop()
  folder.remove()
})

const unreadable = {
  code: 'UNKNOWN_CODE',
  what: 'The details of this problem can’t be read.',
}

test.each(['', '{', 'null', '[]', '{"code":"NOT_FOUND"}'])(
  'reads the stored text “%s” as a problem without details',
  (json) => {
    expect(readProblem(json)).toMatchObject(unreadable)
  },
)

const rejection = {
  kind: 'answer',
  answer: {
    status: 409,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      error: {
        code: 'OFFER_UNDER_REVIEW',
        message: 'This offer is under review.',
        requestId: 'req_9',
      },
    }),
  },
} as const
const rejected = {
  code: 'UNKNOWN_CODE',
  originalCode: 'OFFER_UNDER_REVIEW',
  what: 'Offer not changed: the service reported “This offer is under review.”.',
  effect: 'Nothing was changed.',
  status: 409,
  requestId: 'req_9',
}

test('shows an offer’s problem with a code of another service, and after another version stored it', async () => {
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  harness = await startTestCore(folder.path, keychain)
  const { id: accountId } = await harness.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: proxy.baseUrl,
    name: 'Shop',
  })
  const rows = async () => (await harness.ask.offers.list({ accountId })).rows
  const { offerId = '', priceCents = cents(0) } =
    (await until(rows, ({ length }) => length > 0))[0] ?? {}
  const pending = async () => (await rows()).find((row) => row.offerId === offerId)?.pending

  proxy.decide = (method) => (method === 'PATCH' ? rejection : 'pass')
  expect(
    await problemOf(
      harness.ask.offers.change({ accountId, offerId, priceCents: cents(priceCents + 7) }),
    ),
  ).toMatchObject(rejected)
  expect(await pending()).toMatchObject({ state: 'refused', problem: rejected })

  await restartAfter(
    accountId,
    `UPDATE offer_changes SET problem =
      json_remove(json_set(problem, '$.code', 'A_CODE_OF_NEXT_YEAR'), '$.originalCode')`,
  )
  expect(await pending()).toMatchObject({
    state: 'refused',
    problem: { ...rejected, originalCode: 'A_CODE_OF_NEXT_YEAR' },
  })
  await restartAfter(accountId, `UPDATE offer_changes SET problem = '{"what":7}'`)
  expect(await pending()).toMatchObject({ state: 'refused', problem: unreadable })
})

/** Changes the account's journal as another version could have, and starts Keydesk again. */
async function restartAfter(accountId: string, sql: string): Promise<void> {
  await harness.close()
  const journal = new SqliteDatabase(join(folder.path, 'journals', `${accountId}.db`))
  expect(journal.prepare(sql).run().changes).toBe(1)
  journal.close()
  harness = await startTestCore(folder.path, keychain)
}
