import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { problemOf, until } from '../../testing/core.ts'
import type { ExchangeOutcome } from '../../testing/faulty-proxy.ts'
import { startDisputedSeller, unavailable } from '../testing/disputed-seller.ts'
import type { DisputedSeller } from '../testing/disputed-seller.ts'

let seller: DisputedSeller
let accountId: string
let backend: DisputedSeller['backend']
let proxy: DisputedSeller['proxy']
let sent: DisputedSeller['sent']
beforeAll(async () => {
  seller = await startDisputedSeller()
  ;({ accountId, backend, proxy, sent } = seller)
}, 120_000)
afterEach(() => seller.reset())
afterAll(() => seller.close())

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

/** A bulk refund of these disputes whose answers are sent and whose refunds the service rejects. */
async function rejectedRefunds(disputeIds: string[]): Promise<string> {
  proxy.decide = (method, path) =>
    method === 'POST' && path.endsWith('/refund') ? rejection : 'pass'
  const request = seller.plan(disputeIds, 'refund')
  const { planId } = await seller.ask.disputes.planBulkReply(request)
  const replies = await seller.ask.disputes.sendBulkReply({ ...request, planId })
  await seller.ask.disputes.sendReplies({
    accountId,
    replyIds: replies.map(({ replyId }) => replyId),
  })
  await until(seller.bulkStates, (states) => states.every((state) => state === 'failed'), 60_000)
  proxy.decide = () => 'pass'
  sent.length = 0
  return replies[0]?.bulkId ?? ''
}

it('undoes a retried refund without a draft of the answer that was sent before @long', async () => {
  const disputeId = await seller.claim()
  const bulkId = await rejectedRefunds([disputeId])
  const retried = await seller.retryBulk(bulkId)
  expect(retried).toMatchObject([{ state: 'held', answered: true, problem: null }])
  await seller.ask.disputes.undoReplies({
    accountId,
    replyIds: retried.map(({ replyId }) => replyId),
  })
  expect(await seller.detail(disputeId)).toMatchObject({
    draft: null,
    replies: [{ state: 'failed', answered: true, problem: { code: 'OUT_OF_STOCK' } }],
  })
  const [bulk] = await seller.ask.disputes.bulkReplies({ accountId })
  expect(bulk).toMatchObject({ bulkId, retry: { count: 1 } })
  await seller.retryBulk(bulkId)
  await until(seller.bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect((await seller.ask.disputes.bulkReplies({ accountId }))[0]?.lines).toMatchObject([
    { state: 'done', problem: null },
  ])
  expect([sent, (await seller.answersThere(disputeId)).length]).toEqual([['refund'], 1])
}, 60_000)

it('keeps a dispute in the inbox if the customer wrote while its last answer was sent @long', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'close', 'Solved, I hope.')
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass'
    // It arrives after Keydesk counted the messages and before the answer.
    void backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
      author: 'customer',
      body: 'It still fails',
    })
    return { kind: 'delay', ms: 1000 }
  }
  await seller.sendNow(replyId)
  const after = await until(
    () => seller.detail(disputeId),
    ({ replies, done }) => done || replies[0]?.state === 'failed',
    60_000,
  )
  expect((await seller.there(disputeId)).messages.map(({ body }) => body).slice(1)).toEqual([
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
  const { rows } = await seller.ask.disputes.list({ accountId, view: 'inbox' })
  expect(rows.map((row) => row.disputeId)).toContain(disputeId)
}, 90_000)

it('retries only replies that nothing else replaced, and counts those @long', async () => {
  const [dismissed, queued, replaced, refunded, left] = [
    await seller.claim(),
    await seller.claim(),
    await seller.claim(),
    await seller.claim(),
    await seller.claim(),
  ]
  const bulkId = await rejectedRefunds([dismissed, queued, replaced, refunded, left])
  const retryOf = async () =>
    (await seller.ask.disputes.bulkReplies({ accountId })).find((bulk) => bulk.bulkId === bulkId)
  expect((await retryOf())?.retry.count).toBe(5)
  const [failed] = (await seller.detail(dismissed)).replies
  await seller.ask.disputes.dismissReply({
    accountId,
    disputeId: dismissed,
    replyId: failed?.replyId ?? '',
  })
  await seller.ask.disputes.act({
    accountId,
    disputeId: refunded,
    kind: 'refund',
    seen: { status: 'open', messages: 2 },
  })
  await proxy.disconnect()
  await seller.ask.disputes.answer({ accountId, disputeId: queued, text: 'One moment.' })
  await proxy.reconnect()
  await seller.ask.disputes.reply({
    accountId,
    disputeId: replaced,
    text: 'Another answer.',
    outcome: 'reply',
    seen: { status: 'open', messages: 2 },
  })
  const bulk = await retryOf()
  expect(bulk?.retry).toMatchObject({
    count: 1,
    refundCents: bulk?.lines.find(({ disputeId }) => disputeId === left)?.refundCents,
    keys: 0,
    typed: null,
  })
  const retried = await seller.retryBulk(bulkId)
  expect(retried).toMatchObject([{ disputeId: left, state: 'held' }])
  await seller.sendNow(retried[0]?.replyId ?? '')
  await seller.settled(left)
  await seller.settled(replaced)
  expect(sent.toSorted()).toEqual(['messages', 'refund', 'refund'])
  for (const disputeId of [dismissed, queued, replaced])
    expect((await seller.there(disputeId)).status).toBe('open')
  const { rows } = await seller.ask.outbox.list({ accountId })
  await seller.ask.outbox.discard({ accountId, entryIds: rows.map(({ entryId }) => entryId) })
}, 120_000)

it('retries nothing if a customer wrote or a dispute was left out since the retry was shown @long', async () => {
  const [written, left] = [await seller.claim(), await seller.claim()]
  const bulkId = await rejectedRefunds([written, left])
  const shown = await seller.retryPlanOf(bulkId)
  await seller.customerWrites(written, 'It works now, please no refund', 3)
  const retry = (planId: string) =>
    seller.ask.disputes.retryBulkReply({ accountId, bulkId, planId })
  expect(await problemOf(retry(shown))).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  const withMessage = await seller.retryPlanOf(bulkId)
  const [failed] = (await seller.detail(written)).replies
  await seller.ask.disputes.dismissReply({
    accountId,
    disputeId: written,
    replyId: failed?.replyId ?? '',
  })
  expect(await problemOf(retry(withMessage))).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  expect(await seller.bulkStates()).toEqual(['failed', 'failed'])
  expect(await retry(await seller.retryPlanOf(bulkId))).toMatchObject([{ disputeId: left }])
  await until(seller.bulkStates, (states) => states.includes('done'), 60_000)
  expect(sent).toEqual(['refund'])
}, 120_000)

it('ends the job of a bulk reply when the rest of it is undone @long', async () => {
  const request = seller.plan([await seller.claim(), await seller.claim()], 'reply')
  const { planId } = await seller.ask.disputes.planBulkReply(request)
  const [first, second] = await seller.ask.disputes.sendBulkReply({ ...request, planId })
  // Keydesk holds the second one again after each try, so that it can be undone.
  proxy.decide = (_method, path) =>
    path.includes(`/disputes/${second?.disputeId}`) ? unavailable : 'pass'
  await seller.sendNow(first?.replyId ?? '')
  await until(seller.bulkStates, (states) => states.includes('done'))
  const jobs = async () =>
    (await seller.ask.app.jobs()).filter(({ kind }) => kind === 'dispute-replies')
  expect(await jobs()).toMatchObject([{ done: 1, total: 2 }])
  const undo = () =>
    seller.ask.disputes.undoReplies({ accountId, replyIds: [second?.replyId ?? ''] })
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

it('sends a planned bulk reply once if it is confirmed in two windows @long', async () => {
  const disputeId = await seller.claim()
  const request = seller.plan([disputeId], 'reply')
  const { planId } = await seller.ask.disputes.planBulkReply(request)
  const results = await Promise.allSettled(
    [1, 2].map(() => seller.ask.disputes.sendBulkReply({ ...request, planId })),
  )
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await until(seller.bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect(await seller.answersThere(disputeId)).toHaveLength(1)
}, 60_000)

it.each(['held reply', 'answer'])(
  'queues the %s with the messages that were seen, not with those read since @long',
  async (kind) => {
    const disputeId = await seller.claim()
    await seller.customerWrites(disputeId, 'Solved, please close it', 2)
    await proxy.disconnect()
    if (kind === 'answer')
      await seller.ask.disputes.answer({ accountId, disputeId, text: 'A new key.', seen: 1 })
    else await seller.sendNow((await seller.reply(disputeId, 'reply', 'A new key.')).replyId)
    await until(
      () => seller.detail(disputeId),
      ({ waits }) => waits,
    )
    await proxy.reconnect()
    const [entry] = await until(
      async () =>
        (await seller.ask.outbox.list({ accountId })).rows.filter(
          ({ subjectId }) => subjectId === disputeId,
        ),
      ([row]) => row !== undefined && row.verdict !== 'uncompared',
      60_000,
    )
    expect(entry).toMatchObject({ seen: { messages: 1 }, verdict: 'decide' })
    expect(await seller.answersThere(disputeId)).toEqual([])
    await seller.ask.outbox.discard({ accountId, entryIds: [entry?.entryId ?? ''] })
  },
  90_000,
)
