import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { problemOf, until } from '../../testing/core.ts'
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

it('continues after a kill between the answer and the action, each exactly once', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'refund', 'We’re refunding you.')
  // The answer arrives; nothing else does until Keydesk runs again.
  const stopped = new Promise<void>((resolve) => {
    proxy.decide = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/refund')) return 'pass'
      resolve()
      return 'cut'
    }
  })
  await seller.sendNow(replyId)
  await stopped
  await seller.stopConsole()
  expect(sent).toEqual(['messages'])
  proxy.decide = () => 'pass'
  await seller.startConsole()
  const after = await until(
    () => seller.detail(disputeId),
    ({ replies }) => replies.every(({ state }) => state === 'failed'),
    60_000,
  )
  // A refund that didn't arrive is never sent again without a person.
  expect(after.replies).toMatchObject([
    { state: 'failed', answered: true, problem: { code: 'NOT_SENT' } },
  ])
  expect([sent, await seller.answersThere(disputeId)]).toEqual([
    ['messages'],
    ['We’re refunding you.'],
  ])
}, 90_000)

it('never queues an answer that may have arrived', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'reply', 'We look into it.')
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass'
    void proxy.disconnect()
    return 'lose-answer'
  }
  await seller.sendNow(replyId)
  await until(
    () => seller.detail(disputeId),
    ({ pending }) => pending.some(({ state }) => state === 'unknown'),
  )
  await seller.stopConsole()
  proxy.decide = () => 'pass'
  // The next run looks for the answer while the service still can't be reached.
  await seller.startConsole()
  await until(
    () => seller.ask.accounts.connection({ accountId }),
    ({ state }) => state === 'offline',
  )
  await proxy.reconnect()
  expect(await seller.settled(disputeId)).toMatchObject({ waits: false })
  expect(await seller.answersThere(disputeId)).toEqual(['We look into it.'])
}, 90_000)

it('keeps a reply while the service is unavailable, and sends it once afterwards', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'refund', 'You get your money back.')
  let tries = 0
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass'
    tries += 1
    return unavailable
  }
  await seller.sendNow(replyId)
  // More tries than the connection makes of one call.
  await until(
    () => tries,
    (count) => count > 8,
  )
  expect((await seller.detail(disputeId)).replies).toMatchObject([{ problem: null }])
  proxy.decide = () => 'pass'
  await seller.settled(disputeId)
  expect(await seller.there(disputeId)).toMatchObject({ status: 'resolved' })
  expect(sent).toEqual(['messages', 'refund'])
}, 90_000)

it('continues a bulk reply after a kill, each dispute once, and repeats only what failed', async () => {
  const disputeIds = [await seller.claim(), await seller.claim(), await seller.claim()]
  const [first = '', second = '', third = ''] = disputeIds
  const request = seller.plan(disputeIds, 'refund')
  const { planId, refundCents } = await seller.ask.disputes.planBulkReply(request)
  expect(refundCents).toBeGreaterThan(0)
  const replies = await seller.ask.disputes.sendBulkReply({
    ...request,
    planId,
  })
  // The second customer writes first; Keydesk is killed after the first refund.
  await backend.dashboard('POST', `/disputes/${second}/messages`, {
    author: 'customer',
    body: 'Hello?',
  })
  const killed = new Promise<void>((resolve) => {
    proxy.decide = (method, path) => {
      if (method === 'POST' && path.endsWith('/refund')) {
        resolve()
        void proxy.disconnect()
        return 'lose-answer'
      }
      return 'pass'
    }
  })
  await seller.ask.disputes.sendReplies({
    accountId,
    replyIds: replies.map(({ replyId }) => replyId),
  })
  await killed
  await seller.stopConsole()
  proxy.decide = () => 'pass'
  await proxy.reconnect()
  await seller.startConsole()
  await until(
    seller.bulkStates,
    (states) => states.every((state) => state === 'done' || state === 'failed'),
    60_000,
  )
  expect(await seller.bulkStates()).toEqual(expect.arrayContaining(['done', 'done', 'failed']))
  for (const id of [first, third])
    expect([
      (await seller.there(id)).resolution?.type,
      (await seller.answersThere(id)).length,
    ]).toEqual(['refunded', 1])
  expect((await seller.detail(second)).replies[0]?.problem?.code).toBe('CHANGED_MEANWHILE')
  const [bulk] = await seller.ask.disputes.bulkReplies({ accountId })
  const again = bulk?.lines.find(({ disputeId }) => disputeId === second)?.refundCents
  expect(bulk?.retry).toMatchObject({ count: 1, refundCents: again, keys: 0, typed: null })
  await seller.retryBulk(bulk?.bulkId ?? '')
  await until(seller.bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect((await seller.there(second)).resolution?.type).toBe('refunded')
  expect(sent.filter((part) => part === 'refund')).toHaveLength(3)
  expect(sent.filter((part) => part === 'messages')).toHaveLength(3)
}, 120_000)

it('never offers to undo an answer that may have arrived', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'reply', 'We look into it.')
  let lookups = 0
  let isSent = false
  proxy.decide = (method, path) => {
    if (method === 'POST' && path.endsWith('/messages')) {
      isSent = true
      return 'lose-answer'
    }
    if (!isSent || !path.includes(`/disputes/${disputeId}`)) return 'pass'
    lookups += 1
    return unavailable
  }
  await seller.sendNow(replyId)
  const states = new Set<string>()
  await until(
    async () => {
      const [open] = await seller.ask.disputes.replies({ accountId })
      if (isSent && open !== undefined) states.add(open.state)
      return lookups
    },
    (count) => count > 24,
    60_000,
  )
  expect([...states]).toEqual(['sending'])
  expect(
    await problemOf(seller.ask.disputes.undoReplies({ accountId, replyIds: [replyId] })),
  ).toMatchObject({ code: 'CONFLICT' })
  proxy.decide = () => 'pass'
  await seller.settled(disputeId)
  expect(await seller.answersThere(disputeId)).toEqual(['We look into it.'])
}, 90_000)
