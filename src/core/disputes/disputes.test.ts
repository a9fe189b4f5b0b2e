import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../testing/faulty-proxy.ts'
import { memoryKeychain } from '../testing/keychains.ts'

type Json = Record<string, unknown>
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Pauses between retries are real: eight times shorter, and limits for responses at least 15 s. */
const clock = fastClock(8, 15_000)
let backend: TestBackend
let folder: ReturnType<typeof temporaryFolder>
let proxy: FaultyProxy
let keychain: ReturnType<typeof memoryKeychain>
let harness: TestCore
let accountId: string

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  folder = temporaryFolder()
  keychain = memoryKeychain()
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  harness = await startTestCore(folder.path, keychain, { clock })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: proxy.baseUrl,
      name: 'Shop',
    })
  ).id
  await until(
    all,
    ({ complete, rows }) =>
      complete && rows.length >= 5 && rows.every(({ messages }) => messages !== null),
  )
}, 120_000)
afterEach(() => {
  proxy.decide = () => 'pass'
})
afterAll(async () => {
  await harness.close()
  await proxy.close()
  folder.remove()
  await backend.stop()
})

const all = () => harness.ask.disputes.list({ accountId, view: 'all', window: { limit: 500 } })
const detail = (disputeId: string) => harness.ask.disputes.dispute({ accountId, disputeId })
/** The disputes as the service has them. */
async function there(path: string): Promise<Json> {
  const answer = await fetch(`${backend.ready.sellerUrl}${path}`, {
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
  })
  return (await answer.json()) as Json
}
const messagesThere = async (disputeId: string): Promise<{ author: string; body: string }[]> =>
  (await there(`/disputes/${disputeId}`))['messages'] as { author: string; body: string }[]

/** A buyer disputes one of the demo seller's sales, and Keydesk has read the new dispute. */
async function claim(message: string): Promise<string> {
  const { results: sales } = (await there('/sales?limit=100')) as {
    results: { orderId: string; keyId: string }[]
  }
  for (const { orderId, keyId } of sales) {
    const made = await backend
      .dashboard('POST', '/claims', { orderId, keyId, message, screenshot: PNG })
      .catch(() => null)
    if (made !== null) return read(String(made['disputeId']))
  }
  throw new Error('nothing left to dispute')
}
async function read(disputeId: string): Promise<string> {
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => all(),
    ({ rows }) => rows.some((row) => row.disputeId === disputeId && row.messages === 1),
  )
  return disputeId
}
const says = (disputeId: string, author: 'customer' | 'support', body: string): Promise<Json> =>
  backend.dashboard('POST', `/disputes/${disputeId}/messages`, { author, body })

it("mirrors the service's disputes with their messages, those that need an answer first", async () => {
  const { rows, views } = await all()
  const served = (await there('/disputes?limit=100'))['results'] as Json[]
  expect(rows.map(({ disputeId }) => disputeId).toSorted()).toEqual(
    served.map(({ id }) => id).toSorted(),
  )
  for (const dispute of served) {
    const here = await detail(String(dispute['id']))
    expect(here).toMatchObject({
      status: dispute['status'],
      reason: dispute['reason'],
      saleId: dispute['saleId'],
      orderId: dispute['orderId'],
      name: dispute['name'],
      openedAt: Date.parse(String(dispute['openedAt'])),
      escalatesAt:
        dispute['escalatesAt'] === null ? null : Date.parse(String(dispute['escalatesAt'])),
    })
    expect(here.conversation.map(({ author, body }) => ({ author, body }))).toEqual(
      (await messagesThere(here.disputeId)).map(({ author, body }) => ({ author, body })),
    )
  }
  const count = (status: string) => served.filter((dispute) => dispute['status'] === status).length
  expect(views).toMatchObject({
    all: served.length,
    resolved: count('resolved'),
    escalated: count('escalated'),
    inbox: served.length - count('resolved'),
  })
  expect(views['needs-answer'] + views.waiting).toBe(count('open'))
  const urgent = (await harness.ask.disputes.list({ accountId })).rows
  expect(urgent.map(({ needsAnswer }) => Number(!needsAnswer))).toEqual(
    urgent.map(({ needsAnswer }) => Number(!needsAnswer)).toSorted(),
  )
  expect((await harness.ask.accounts.connection({ accountId })).counts.disputes).toBe(
    views['needs-answer'],
  )
})

it('reads a dispute with its image, unread until shown, and holds its sale until it is resolved', async () => {
  const disputeId = await claim('It says the key was used already')
  const row = (await all()).rows.find((each) => each.disputeId === disputeId)
  expect(row).toMatchObject({
    unread: true,
    needsAnswer: true,
    lastAuthor: 'customer',
    attachments: 1,
    reason: 'It says the key was used already',
  })
  const { conversation, sale } = await until(
    () => detail(disputeId),
    (each) => each.sale?.held === true,
  )
  expect(conversation[0]?.attachments).toEqual([
    { index: 0, contentType: 'image/png', bytes: Buffer.from(PNG, 'base64').length },
  ])
  expect(
    (await harness.ask.sales.list({ accountId, view: 'held', window: { limit: 500 } })).rows.find(
      (each) => each.saleId === sale?.saleId,
    ),
  ).toMatchObject({ disputeId, held: true })
  await proxy.disconnect()
  expect(
    await harness.ask.disputes.attachment({ accountId, disputeId, position: 0, index: 0 }),
  ).toEqual({ contentType: 'image/png', base64: PNG })
  await harness.ask.disputes.markRead({ accountId, disputeId, messages: 1 })
  expect((await detail(disputeId)).unread).toBe(false)
  await proxy.reconnect()
  await says(disputeId, 'customer', 'Are you there?')
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId),
    ({ messages, unread }) => messages === 2 && unread,
  )
  await backend.dashboard('POST', `/disputes/${disputeId}/reject`, {})
  await harness.ask.accounts.syncNow({ accountId })
  expect(
    await until(
      () => detail(disputeId),
      ({ status }) => status === 'resolved',
    ),
  ).toMatchObject({
    resolution: { type: 'rejected' },
    sale: { held: false },
    unread: false,
    needsAnswer: false,
  })
  // Its bytes are no longer stored here; they are fetched when they are shown.
  expect(
    await harness.ask.disputes.attachment({ accountId, disputeId, position: 0, index: 0 }),
  ).toMatchObject({ base64: PNG })
})

it('notifies once about a new dispute and once about a customer’s answer', async () => {
  const told = async (): Promise<string[]> =>
    (await harness.ask.notices.list())
      .filter(({ path }) => path.startsWith('/disputes'))
      .map(({ kind, title }) => `${kind} ${formatMessage(title)}`)
  // Disputes from the first reading cause no notice.
  const before = (await told()).length
  const disputeId = await claim('Told once')
  const { name } = await detail(disputeId)
  await until(told, (titles) => titles.includes(`dispute-new New dispute: ${name}`))
  await says(disputeId, 'customer', 'Hello?')
  await harness.ask.accounts.syncNow({ accountId })
  await until(told, (titles) => titles.includes(`dispute-answered A customer answered: ${name}`))
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId),
    ({ messages }) => messages === 2,
  )
  expect((await told()).length - before).toBe(2)
})

it('cancels the refunded sale here and on the service', async () => {
  const disputeId = await claim('I want my money back')
  await fetch(`${backend.ready.sellerUrl}/disputes/${disputeId}/refund`, {
    method: 'POST',
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
  })
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId),
    ({ resolution }) => resolution?.type === 'refunded',
  )
  await harness.ask.accounts.syncNow({ accountId })
  expect(
    (
      await until(
        () => detail(disputeId),
        ({ sale }) => sale?.status === 'cancelled',
      )
    ).sale,
  ).toMatchObject({ held: false })
})

it('sends an answer once, and only after new messages were read', async () => {
  const disputeId = await claim('Where is my key?')
  const { sent, dispute } = await harness.ask.disputes.answer({
    accountId,
    disputeId,
    text: '  Here it is.  ',
    seen: 1,
  })
  expect({ sent, waits: dispute.pending, draft: dispute.draft }).toEqual({
    sent: true,
    waits: [],
    draft: null,
  })
  expect(dispute.conversation.at(-1)).toMatchObject({ author: 'seller', body: 'Here it is.' })
  expect(dispute.needsAnswer).toBe(false)
  await says(disputeId, 'customer', 'That one is used too')
  expect(
    await problemOf(
      harness.ask.disputes.answer({ accountId, disputeId, text: 'You are welcome', seen: 2 }),
    ),
  ).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  expect((await messagesThere(disputeId)).map(({ author }) => author)).toEqual([
    'customer',
    'seller',
    'customer',
  ])
  await backend.dashboard('POST', `/disputes/${disputeId}/reject`, {})
  expect(
    await problemOf(harness.ask.disputes.answer({ accountId, disputeId, text: 'Too late' })),
  ).toMatchObject({ code: 'DISPUTE_RESOLVED' })
})

it('keeps an answer that never arrived open with its text while it may be in flight', async () => {
  const disputeId = await claim('Nobody answers')
  proxy.decide = (method) => (method === 'POST' ? 'cut' : 'pass')
  expect(
    await problemOf(harness.ask.disputes.answer({ accountId, disputeId, text: 'Coming' })),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  expect(await detail(disputeId)).toMatchObject({
    pending: [{ state: 'unknown', text: 'Coming' }],
    draft: { text: 'Coming' },
  })
  expect(await messagesThere(disputeId)).toHaveLength(1)
})

it('no longer offers an unsent answer once it is queued @long', async () => {
  const disputeId = await claim('Still nothing')
  proxy.decide = (method) => (method === 'POST' ? 'cut' : 'pass')
  const again = () => harness.ask.disputes.answer({ accountId, disputeId, text: 'Wait' })
  expect(await problemOf(again())).toMatchObject({ code: 'ANSWER_LOST' })
  await until(
    () => detail(disputeId),
    ({ pending }) => pending[0]?.state === 'refused',
  )
  await proxy.disconnect()
  expect(await again()).toMatchObject({ sent: false, dispute: { pending: [] } })
  await proxy.reconnect()
  const { rows } = await harness.ask.outbox.list({ accountId })
  const entryIds = rows.map(({ entryId }) => entryId)
  await harness.ask.outbox.discard({ accountId, entryIds })
}, 90_000)

it('saves drafts and queues answers while offline; sends each approved answer once', async () => {
  const disputeId = await claim('No key came')
  await proxy.disconnect()
  await harness.ask.disputes.draft({ accountId, disputeId, text: 'We look' })
  expect(await detail(disputeId)).toMatchObject({
    hasDraft: true,
    draft: { text: 'We look' },
    conversation: [{ body: 'No key came' }],
  })
  expect(
    await harness.ask.disputes.answer({ accountId, disputeId, text: 'We look into it' }),
  ).toMatchObject({ sent: false, dispute: { draft: null } })
  await harness.close()
  harness = await startTestCore(folder.path, keychain, { clock })
  await proxy.reconnect()
  await harness.ask.accounts.syncNow({ accountId })
  const waiting = async () => (await harness.ask.outbox.list({ accountId })).rows
  const [entry] = await until(waiting, (rows) => rows[0]?.verdict === 'ready')
  expect(entry).toMatchObject({ kind: 'dispute-answer', subjectId: disputeId })
  let posts = 0
  proxy.decide = (method) => {
    if (method !== 'POST') return 'pass'
    posts += 1
    return 'lose-answer'
  }
  const [sent] = await harness.ask.outbox.send({ accountId, entryIds: [entry?.entryId ?? ''] })
  expect(sent).toMatchObject({ state: 'sent' })
  expect((await messagesThere(disputeId)).map(({ body }) => body)).toEqual([
    'No key came',
    'We look into it',
  ])
  expect(posts).toBe(1)
  expect((await detail(disputeId)).conversation.at(-1)).toMatchObject({ body: 'We look into it' })
})

it('writes no message to a file in clear text, and shows none while the vault is locked', async () => {
  const disputeId = await claim('The key CANARY-CUSTM-12345 does not work')
  await harness.ask.disputes.answer({ accountId, disputeId, text: 'Use CANARY-SELLR-12345 then' })
  await harness.ask.disputes.draft({ accountId, disputeId, text: 'Or CANARY-DRAFT-12345' })
  await harness.ask.vault.lock()
  expect(await detail(disputeId)).toMatchObject({
    locked: true,
    reason: null,
    draft: { text: null },
    conversation: [{ body: null }, { body: null }],
  })
  expect(
    await problemOf(harness.ask.disputes.draft({ accountId, disputeId, text: 'more' })),
  ).toMatchObject({ code: 'VAULT_LOCKED' })
  expect(
    await problemOf(harness.ask.disputes.answer({ accountId, disputeId, text: 'more' })),
  ).toMatchObject({ code: 'VAULT_LOCKED' })
  const screenshot = { accountId, disputeId, position: 0, index: 0 }
  let asked = 0
  proxy.decide = (_method, path) => {
    asked += Number(path.includes(disputeId))
    return 'pass'
  }
  expect(await problemOf(harness.ask.disputes.attachment(screenshot))).toMatchObject({
    code: 'VAULT_LOCKED',
  })
  expect(asked).toBe(0)
  await says(disputeId, 'customer', 'CANARY-LATER-12345')
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId),
    ({ messages }) => messages === 3,
  )
  for (const place of ['mirrors', 'journals']) {
    for (const file of readdirSync(join(folder.path, place)))
      for (const secret of ['CANARY', PNG, Buffer.from(PNG, 'base64')])
        expect(readFileSync(join(folder.path, place, file)).includes(secret), file).toBe(false)
  }
  await harness.ask.vault.unlockWithKeychain()
  expect(await harness.ask.disputes.attachment(screenshot)).toMatchObject({
    contentType: 'image/png',
    base64: PNG,
  })
  const shown = await until(
    () => detail(disputeId),
    ({ conversation }) =>
      conversation.length === 3 && conversation.every(({ body }) => body !== null),
  )
  expect(shown.conversation.map(({ body }) => body)).toEqual([
    'The key CANARY-CUSTM-12345 does not work',
    'Use CANARY-SELLR-12345 then',
    'CANARY-LATER-12345',
  ])
  expect(shown.draft?.text).toBe('Or CANARY-DRAFT-12345')
})

it('tells answers from this computer from those sent elsewhere, and doesn’t guess while locked', async () => {
  const disputeId = await claim('No key came')
  await harness.ask.disputes.answer({ accountId, disputeId, text: 'We look into it' })
  const elsewhere = await fetch(`${backend.ready.sellerUrl}/disputes/${disputeId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${backend.ready.demo?.sellerKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ body: 'A colleague writes' }),
  })
  expect(elsewhere.ok, await elsewhere.text()).toBe(true)
  await harness.ask.accounts.syncNow({ accountId })
  const found = await until(
    () => detail(disputeId),
    ({ conversation }) => conversation.length === 3,
  )
  expect(found.conversation.map(({ own }) => own)).toEqual([null, true, false])
  await harness.ask.vault.lock()
  expect((await detail(disputeId)).conversation.map(({ own }) => own)).toEqual([null, null, null])
  await harness.ask.vault.unlockWithKeychain()
})

it.each(['first', 'second'] as const)(
  'writes one message when the network delivers an answer twice and returns the %s response',
  async (answer) => {
    const disputeId = await claim('It is used.')
    proxy.decide = (method, path) =>
      method === 'POST' && path.endsWith('/messages')
        ? { kind: 'twice', apartMs: 50, answer }
        : 'pass'
    const sent = await harness.ask.disputes.answer({
      accountId,
      disputeId,
      text: 'Sorry!',
      seen: 1,
    })
    expect(sent.sent).toBe(true)
    await new Promise((resolve) => {
      setTimeout(resolve, 300)
    })
    expect((await messagesThere(disputeId)).map(({ author }) => author)).toEqual([
      'customer',
      'seller',
    ])
  },
)
