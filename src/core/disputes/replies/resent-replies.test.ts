import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { fastClock } from '../../testing/fast-clock.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { ExchangeOutcome, FaultyProxy } from '../../testing/faulty-proxy.ts'

type Sale = { orderId: string; keyId: string; offerId: string }
type There = { status: string; messages: { author: string; body: string }[] }

let backend: TestBackend
let proxy: FaultyProxy
let harness: TestCore
let accountId: string
const folder = temporaryFolder()
/** The service's rejection of an action. */
const rejection: ExchangeOutcome = {
  kind: 'answer',
  answer: {
    status: 409,
    body: JSON.stringify({
      error: { code: 'OUT_OF_STOCK', message: 'Not now.', requestId: 'req_2' },
    }),
  },
}
/** The service's own answer while it can't serve anything. */
const unavailable: ExchangeOutcome = {
  kind: 'answer',
  answer: {
    status: 503,
    body: JSON.stringify({
      error: { code: 'SERVICE_UNAVAILABLE', message: 'Try again.', requestId: 'req_1' },
    }),
  },
}
/** Answers and actions that the service carried out, in order. */
let sent: string[] = []

beforeAll(async () => {
  backend = await startTestBackend({ products: 140, noLimits: true })
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  proxy.served = ({ method, path, status }) => {
    if (method === 'POST' && path.includes('/disputes/') && status < 400)
      sent.push(path.split('/').at(-1) ?? '')
  }
  harness = await startTestCore(folder.path, undefined, { clock: fastClock(8, 15_000) })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: proxy.baseUrl,
      name: 'Shop',
    })
  ).id
  await until(
    () => harness.ask.disputes.list({ accountId, view: 'all' }),
    ({ complete, rows }) => complete && rows.length >= 5,
  )
}, 120_000)
afterEach(() => {
  proxy.decide = () => 'pass'
  sent = []
})
afterAll(async () => {
  await harness.close()
  await proxy.close()
  folder.remove()
  await backend.stop()
})

async function seller<T>(path: string): Promise<T> {
  const answer = await fetch(`${backend.ready.sellerUrl}${path}`, {
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
  })
  return (await answer.json()) as T
}
const there = (disputeId: string): Promise<There> => seller(`/disputes/${disputeId}`)
const detail = (disputeId: string) => harness.ask.disputes.dispute({ accountId, disputeId })
const answersThere = async (disputeId: string): Promise<string[]> =>
  (await there(disputeId)).messages
    .filter(({ author }) => author === 'seller')
    .map(({ body }) => body)
const sendNow = (replyId: string) =>
  harness.ask.disputes.sendReplies({ accountId, replyIds: [replyId] })
const settled = (disputeId: string) =>
  until(
    () => detail(disputeId),
    ({ replies }) => replies.length === 0,
    60_000,
  )

/** A customer disputes a sale of an offer with stock, and Keydesk has read the dispute. */
async function claim(): Promise<string> {
  const { results } = await seller<{ results: Sale[] }>('/sales?limit=100')
  for (const { orderId, keyId, offerId } of results) {
    const { stock = 0 } = await seller<{ stock?: number }>(`/offers/${offerId}`)
    if (stock < 3) continue
    const made = await backend
      .dashboard('POST', '/claims', { orderId, keyId, message: 'Already used' })
      .catch(() => null)
    if (made === null) continue
    const disputeId = String(made['disputeId'])
    await harness.ask.accounts.syncNow({ accountId })
    await until(
      () => detail(disputeId).catch(() => null),
      (found) => found?.messages === 1,
    )
    return disputeId
  }
  throw new Error('nothing left to dispute')
}
const reply = (disputeId: string, outcome: 'reply' | 'close', text: string) =>
  harness.ask.disputes.reply({
    accountId,
    disputeId,
    text,
    outcome,
    seen: { status: 'open', messages: 1 },
  })

const plan = (disputeIds: string[], outcome: 'reply' | 'refund') => ({
  accountId,
  disputeIds,
  outcome,
  texts: { en: 'Sorry about {product}.', de: 'Das tut uns leid: {product}.', '': 'Sorry.' },
})
const bulkStates = async (): Promise<string[]> =>
  (await harness.ask.disputes.bulkReplies({ accountId }))[0]?.lines.map(({ state }) => state) ?? []

/** A bulk refund of these disputes whose answers are sent and whose refunds the service rejects. */
async function rejectedRefunds(disputeIds: string[]): Promise<string> {
  proxy.decide = (method, path) =>
    method === 'POST' && path.endsWith('/refund') ? rejection : 'pass'
  const request = plan(disputeIds, 'refund')
  const { planId } = await harness.ask.disputes.planBulkReply(request)
  const replies = await harness.ask.disputes.sendBulkReply({ ...request, planId })
  await harness.ask.disputes.sendReplies({
    accountId,
    replyIds: replies.map(({ replyId }) => replyId),
  })
  await until(bulkStates, (states) => states.every((state) => state === 'failed'), 60_000)
  proxy.decide = () => 'pass'
  sent = []
  return replies[0]?.bulkId ?? ''
}

it('undoes a retried refund without a draft of the answer that was sent before', async () => {
  const disputeId = await claim()
  const bulkId = await rejectedRefunds([disputeId])
  const retried = await harness.ask.disputes.retryBulkReply({ accountId, bulkId })
  expect(retried).toMatchObject([{ state: 'held', answered: true, problem: null }])
  await harness.ask.disputes.undoReplies({
    accountId,
    replyIds: retried.map(({ replyId }) => replyId),
  })
  expect(await detail(disputeId)).toMatchObject({
    draft: null,
    replies: [{ state: 'failed', answered: true, problem: { code: 'OUT_OF_STOCK' } }],
  })
  const [bulk] = await harness.ask.disputes.bulkReplies({ accountId })
  expect(bulk).toMatchObject({ bulkId, retry: { count: 1 } })
  await harness.ask.disputes.retryBulkReply({ accountId, bulkId })
  await until(bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect((await harness.ask.disputes.bulkReplies({ accountId }))[0]?.lines).toMatchObject([
    { state: 'done', problem: null },
  ])
  expect([sent, (await answersThere(disputeId)).length]).toEqual([['refund'], 1])
}, 60_000)

it('keeps a dispute in the inbox if the customer wrote while its last answer was sent', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'close', 'Solved, I hope.')
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass'
    // It arrives after Keydesk counted the messages and before the answer.
    void backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
      author: 'customer',
      body: 'It still fails',
    })
    return { kind: 'delay', ms: 1000 }
  }
  await sendNow(replyId)
  const after = await until(
    () => detail(disputeId),
    ({ replies, done }) => done || replies[0]?.state === 'failed',
    60_000,
  )
  expect((await there(disputeId)).messages.map(({ body }) => body).slice(1)).toEqual([
    'It still fails',
    'Solved, I hope.',
  ])
  expect(after).toMatchObject({
    done: false,
    replies: [
      {
        answered: true,
        problem: {
          code: 'CHANGED_MEANWHILE',
          what: 'Not marked as done: a new message arrived since you viewed the dispute.',
          effect: 'Your answer was sent.',
        },
      },
    ],
  })
  const { rows } = await harness.ask.disputes.list({ accountId, view: 'inbox' })
  expect(rows.map((row) => row.disputeId)).toContain(disputeId)
}, 90_000)

it('retries only replies that nothing else replaced, and counts those', async () => {
  const [dismissed, queued, replaced, refunded, left] = [
    await claim(),
    await claim(),
    await claim(),
    await claim(),
    await claim(),
  ]
  const bulkId = await rejectedRefunds([dismissed, queued, replaced, refunded, left])
  const retryOf = async () =>
    (await harness.ask.disputes.bulkReplies({ accountId })).find((bulk) => bulk.bulkId === bulkId)
  expect((await retryOf())?.retry.count).toBe(5)
  const [failed] = (await detail(dismissed)).replies
  await harness.ask.disputes.dismissReply({
    accountId,
    disputeId: dismissed,
    replyId: failed?.replyId ?? '',
  })
  await harness.ask.disputes.act({
    accountId,
    disputeId: refunded,
    kind: 'refund',
    seen: { status: 'open', messages: 2 },
  })
  await proxy.disconnect()
  await harness.ask.disputes.answer({ accountId, disputeId: queued, text: 'One moment.' })
  await proxy.reconnect()
  await harness.ask.disputes.reply({
    accountId,
    disputeId: replaced,
    text: 'Another answer.',
    outcome: 'reply',
    seen: { status: 'open', messages: 2 },
  })
  const bulk = await retryOf()
  expect(bulk?.retry).toEqual({
    count: 1,
    refundCents: bulk?.lines.find(({ disputeId }) => disputeId === left)?.refundCents,
    keys: 0,
    typed: null,
  })
  const retried = await harness.ask.disputes.retryBulkReply({ accountId, bulkId })
  expect(retried).toMatchObject([{ disputeId: left, state: 'held' }])
  await sendNow(retried[0]?.replyId ?? '')
  await settled(left)
  await settled(replaced)
  expect(sent.toSorted()).toEqual(['messages', 'refund', 'refund'])
  for (const disputeId of [dismissed, queued, replaced])
    expect((await there(disputeId)).status).toBe('open')
  const { rows } = await harness.ask.outbox.list({ accountId })
  await harness.ask.outbox.discard({ accountId, entryIds: rows.map(({ entryId }) => entryId) })
}, 120_000)

it('ends the job of a bulk reply when the rest of it is undone', async () => {
  const request = plan([await claim(), await claim()], 'reply')
  const { planId } = await harness.ask.disputes.planBulkReply(request)
  const [first, second] = await harness.ask.disputes.sendBulkReply({ ...request, planId })
  // Keydesk holds the second one again after each try, so that it can be undone.
  proxy.decide = (_method, path) =>
    path.includes(`/disputes/${second?.disputeId}`) ? unavailable : 'pass'
  await sendNow(first?.replyId ?? '')
  await until(bulkStates, (states) => states.includes('done'))
  const jobs = async () =>
    (await harness.ask.app.jobs()).filter(({ kind }) => kind === 'dispute-replies')
  expect(await jobs()).toMatchObject([{ done: 1, total: 2 }])
  const undo = () =>
    harness.ask.disputes.undoReplies({ accountId, replyIds: [second?.replyId ?? ''] })
  await until(
    () =>
      undo().then(
        () => true,
        () => false,
      ),
    (isUndone) => isUndone,
  )
  expect(await jobs()).toEqual([])
}, 60_000)

it('sends a planned bulk reply once if it is confirmed in two windows', async () => {
  const disputeId = await claim()
  const request = plan([disputeId], 'reply')
  const { planId } = await harness.ask.disputes.planBulkReply(request)
  const results = await Promise.allSettled(
    [1, 2].map(() => harness.ask.disputes.sendBulkReply({ ...request, planId })),
  )
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await until(bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect(await answersThere(disputeId)).toHaveLength(1)
}, 60_000)

it.each(['held reply', 'answer'])(
  'queues the %s with the messages that were seen, not with those read since',
  async (kind) => {
    const disputeId = await claim()
    await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
      author: 'customer',
      body: 'Solved, please close it',
    })
    await harness.ask.accounts.syncNow({ accountId })
    await until(
      () => detail(disputeId),
      ({ messages }) => messages === 2,
    )
    await proxy.disconnect()
    if (kind === 'answer')
      await harness.ask.disputes.answer({ accountId, disputeId, text: 'A new key.', seen: 1 })
    else await sendNow((await reply(disputeId, 'reply', 'A new key.')).replyId)
    await until(
      () => detail(disputeId),
      ({ waits }) => waits,
    )
    await proxy.reconnect()
    const [entry] = await until(
      async () =>
        (await harness.ask.outbox.list({ accountId })).rows.filter(
          ({ subjectId }) => subjectId === disputeId,
        ),
      ([row]) => row !== undefined && row.verdict !== 'uncompared',
      60_000,
    )
    expect(entry).toMatchObject({ seen: { messages: 1 }, verdict: 'decide' })
    expect(await answersThere(disputeId)).toEqual([])
    await harness.ask.outbox.discard({ accountId, entryIds: [entry?.entryId ?? ''] })
  },
  90_000,
)
