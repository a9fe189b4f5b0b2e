import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { fastClock } from '../../testing/fast-clock.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { ExchangeOutcome, FaultyProxy } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

type Sale = { orderId: string; keyId: string; offerId: string }
type There = {
  status: string
  resolution: { type: string } | null
  messages: { author: string; body: string }[]
}

let backend: TestBackend
let proxy: FaultyProxy
let harness: TestCore
let accountId: string
const folder = temporaryFolder()
const keychain = memoryKeychain()
const clock = fastClock(8, 15_000)
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
const seen = { status: 'open', messages: 1 }

beforeAll(async () => {
  backend = await startTestBackend({ products: 140, noLimits: true })
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  proxy.served = ({ method, path, status }) => {
    if (method === 'POST' && path.includes('/disputes/') && status < 400)
      sent.push(path.split('/').at(-1) ?? '')
  }
  harness = await startTestCore(folder.path, keychain, { clock })
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
async function claim(message = 'Already used'): Promise<string> {
  const { results } = await seller<{ results: Sale[] }>('/sales?limit=100')
  for (const { orderId, keyId, offerId } of results) {
    const { stock = 0 } = await seller<{ stock?: number }>(`/offers/${offerId}`)
    if (stock < 3) continue
    const made = await backend
      .dashboard('POST', '/claims', { orderId, keyId, message })
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
const reply = (
  disputeId: string,
  outcome: 'reply' | 'replace-stock' | 'refund' | 'close',
  text = 'Sorry about that.',
) => harness.ask.disputes.reply({ accountId, disputeId, text, outcome, seen })

it('sends the answer before the action, each once, when the time to undo is over', async () => {
  const disputeId = await claim()
  const held = await reply(disputeId, 'replace-stock', 'A new key is on its way.')
  expect(held).toMatchObject({ state: 'held', text: 'A new key is on its way.', answered: false })
  expect(held.leftMs).toBeGreaterThan(0)
  expect([sent, (await detail(disputeId)).pendingReply]).toEqual([[], 'held'])
  await settled(disputeId)
  expect(sent).toEqual(['messages', 'replace'])
  expect(await there(disputeId)).toMatchObject({
    status: 'resolved',
    resolution: { type: 'replaced' },
  })
  expect(await answersThere(disputeId)).toEqual(['A new key is on its way.'])
}, 60_000)

it('checks a typed key of a reply first, sends it once, and stores it nowhere in clear text', async () => {
  const disputeId = await claim()
  const withKey = (key: string) =>
    harness.ask.disputes.reply({
      accountId,
      disputeId,
      text: 'Here is another key.',
      outcome: 'replace-key',
      key,
      seen,
    })
  expect(await problemOf(withKey('1.2E+15'))).toMatchObject({ code: 'BAD_KEY' })
  expect((await detail(disputeId)).replies).toEqual([])
  await withKey('CANAR-YHELD-REPLY')
  const files = ['mirrors', 'journals'].flatMap((place) =>
    readdirSync(join(folder.path, place)).map((file) => join(folder.path, place, file)),
  )
  for (const file of files) expect(readFileSync(file).includes('CANAR-YHELD'), file).toBe(false)
  await settled(disputeId)
  expect(sent).toEqual(['messages', 'replace'])
  expect(await there(disputeId)).toMatchObject({ resolution: { type: 'replaced' } })
  for (const file of files) expect(readFileSync(file).includes('CANAR-YHELD'), file).toBe(false)
}, 60_000)

it.each(['online', 'offline'])(
  'takes no other answer while a reply is held, %s',
  async (where) => {
    const disputeId = await claim()
    const { replyId } = await reply(disputeId, 'reply', 'We are looking into it.')
    if (where === 'offline') await proxy.disconnect()
    const again = harness.ask.disputes.answer({
      accountId,
      disputeId,
      text: 'We are looking into it.',
    })
    await expect(again).rejects.toMatchObject({ data: { code: 'CONFLICT' } })
    expect((await harness.ask.outbox.list({ accountId })).rows).toEqual([])
    if (where === 'offline') await proxy.reconnect()
    await sendNow(replyId)
    await settled(disputeId)
    expect(await answersThere(disputeId)).toEqual(['We are looking into it.'])
  },
  90_000,
)

it('takes a held reply back into the draft, with its outcome and after what was written since', async () => {
  const disputeId = await claim()
  const { replyId } = await harness.ask.disputes.reply({
    accountId,
    disputeId,
    text: 'A new key is on its way.',
    outcome: 'replace-stock',
    promise: 'replace-stock',
    seen,
  })
  expect(await problemOf(reply(disputeId, 'reply'))).toMatchObject({ code: 'CONFLICT' })
  await harness.ask.disputes.draft({ accountId, disputeId, text: 'Also:' })
  await harness.ask.disputes.undoReplies({ accountId, replyIds: [replyId] })
  expect(await detail(disputeId)).toMatchObject({
    replies: [],
    draft: {
      text: 'A new key is on its way.\n\nAlso:',
      outcome: 'replace-stock',
      promise: 'replace-stock',
    },
  })
  expect(
    await problemOf(harness.ask.disputes.undoReplies({ accountId, replyIds: [replyId] })),
  ).toMatchObject({ code: 'CONFLICT' })
  expect(sent).toEqual([])
}, 60_000)

it('holds a reply again after a restart, and sends it once', async () => {
  const disputeId = await claim()
  await reply(disputeId, 'close', 'Solved, I hope.')
  await harness.close()
  harness = await startTestCore(folder.path, keychain, { clock })
  expect((await harness.ask.disputes.replies({ accountId }))[0]).toMatchObject({ state: 'held' })
  expect(await settled(disputeId)).toMatchObject({ done: true, status: 'open' })
  expect([sent, await answersThere(disputeId)]).toEqual([['messages'], ['Solved, I hope.']])
}, 60_000)

it('continues after a kill between the answer and the action, each exactly once', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'refund', 'We’re refunding you.')
  // The answer arrives; nothing else does until Keydesk runs again.
  const stopped = new Promise<void>((resolve) => {
    proxy.decide = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/refund')) return 'pass'
      resolve()
      return 'cut'
    }
  })
  await sendNow(replyId)
  await stopped
  await harness.close()
  expect(sent).toEqual(['messages'])
  proxy.decide = () => 'pass'
  harness = await startTestCore(folder.path, keychain, { clock })
  const after = await until(
    () => detail(disputeId),
    ({ replies }) => replies.every(({ state }) => state === 'failed'),
    60_000,
  )
  // A refund that didn't arrive is never sent again without a person.
  expect(after.replies).toMatchObject([
    { state: 'failed', answered: true, problem: { code: 'NOT_SENT' } },
  ])
  expect([sent, await answersThere(disputeId)]).toEqual([['messages'], ['We’re refunding you.']])
}, 90_000)

it.each(['messages', 'replace'])(
  'settles a reply whose response to %s was lost, each part exactly once',
  async (part) => {
    const disputeId = await claim()
    const { replyId } = await reply(disputeId, 'replace-stock')
    proxy.decide = (method, path) => {
      if (method !== 'POST' || !path.endsWith(`/${part}`)) return 'pass'
      void proxy.disconnect()
      return 'lose-answer'
    }
    await sendNow(replyId)
    await until(
      () => detail(disputeId),
      ({ pending, actions }) => [...pending, ...actions].some(({ state }) => state === 'unknown'),
    )
    await harness.close()
    proxy.decide = () => 'pass'
    await proxy.reconnect()
    harness = await startTestCore(folder.path, keychain, { clock })
    await settled(disputeId)
    expect(sent).toEqual(['messages', 'replace'])
    expect(await answersThere(disputeId)).toEqual(['Sorry about that.'])
  },
  90_000,
)

it('sends nothing if the customer wrote in the meantime, and keeps the text', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'replace-stock', 'A new key is on its way.')
  await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
    author: 'customer',
    body: 'It works now, sorry',
  })
  await sendNow(replyId)
  const { replies } = await until(
    () => detail(disputeId),
    (found) => found.replies[0]?.state === 'failed',
  )
  expect(replies).toMatchObject([
    { text: 'A new key is on its way.', answered: false, problem: { code: 'CHANGED_MEANWHILE' } },
  ])
  expect(sent).toEqual([])
  expect(await harness.ask.disputes.dismissReply({ accountId, disputeId, replyId })).toMatchObject({
    replies: [],
    pendingReply: null,
  })
}, 60_000)

it('queues an answer that can’t be sent, and holds one with an action until it can', async () => {
  const [answered, replaced] = [await claim(), await claim()]
  await proxy.disconnect()
  await sendNow((await reply(answered, 'reply', 'We look into it.')).replyId)
  await until(
    () => detail(answered),
    ({ waits, replies }) => waits && replies.length === 0,
  )
  await sendNow((await reply(replaced, 'replace-stock')).replyId)
  await proxy.reconnect()
  await settled(replaced)
  expect(sent).toEqual(['messages', 'replace'])
}, 90_000)

it('never queues an answer that may have arrived', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'reply', 'We look into it.')
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass'
    void proxy.disconnect()
    return 'lose-answer'
  }
  await sendNow(replyId)
  await until(
    () => detail(disputeId),
    ({ pending }) => pending.some(({ state }) => state === 'unknown'),
  )
  await harness.close()
  proxy.decide = () => 'pass'
  // The next run looks for the answer while the service still can't be reached.
  harness = await startTestCore(folder.path, keychain, { clock })
  await until(
    () => harness.ask.accounts.connection({ accountId }),
    ({ state }) => state === 'offline',
  )
  await proxy.reconnect()
  expect(await settled(disputeId)).toMatchObject({ waits: false })
  expect(await answersThere(disputeId)).toEqual(['We look into it.'])
}, 90_000)

it('keeps a reply while the service is unavailable, and sends it once afterwards', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'refund', 'You get your money back.')
  let tries = 0
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/messages')) return 'pass'
    tries += 1
    return unavailable
  }
  await sendNow(replyId)
  // More tries than the connection makes of one call.
  await until(
    () => tries,
    (count) => count > 8,
  )
  expect((await detail(disputeId)).replies).toMatchObject([{ problem: null }])
  proxy.decide = () => 'pass'
  await settled(disputeId)
  expect(await there(disputeId)).toMatchObject({ status: 'resolved' })
  expect(sent).toEqual(['messages', 'refund'])
}, 90_000)

it('holds an answer whose dispute a rebuilt mirror lacks until it is read again', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'reply', 'We look into it.')
  await proxy.disconnect()
  const mirror = new SqliteDatabase(join(folder.path, 'mirrors', `${accountId}.db`))
  mirror.prepare('DELETE FROM disputes WHERE dispute_id = ?').run(disputeId)
  mirror.close()
  await sendNow(replyId)
  await until(
    () => harness.ask.accounts.connection({ accountId }),
    ({ state }) => state === 'offline',
  )
  await proxy.reconnect()
  await until(
    () => answersThere(disputeId),
    (answers) => answers.length > 0,
  )
  expect(await answersThere(disputeId)).toEqual(['We look into it.'])
  const logs = join(folder.path, 'logs')
  const reported = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))
  expect(reported.join('')).not.toContain('dispute replies')
}, 90_000)

const plan = (disputeIds: string[], outcome: 'reply' | 'replace-stock' | 'refund') => ({
  accountId,
  disputeIds,
  outcome,
  texts: { en: 'Sorry about {product}.', de: 'Das tut uns leid: {product}.', '': 'Sorry.' },
})
const bulkStates = async (): Promise<string[]> =>
  (await harness.ask.disputes.bulkReplies({ accountId }))[0]?.lines.map(({ state }) => state) ?? []

it('answers several disputes in their languages with one outcome, and names those it leaves out', async () => {
  const english = await claim('It says this code has already been used, I tried it twice.')
  const german = await claim(
    'Der Code ist ungültig, ich habe jedes Zeichen geprüft und er geht nicht.',
  )
  const french = await claim('Le code est refusé : déjà utilisé. Je viens de le recevoir.')
  const request = plan([english, german, french, 'dsp_none'], 'replace-stock')
  const planned = await harness.ask.disputes.planBulkReply(request)
  expect(planned.lines.map(({ disputeId, language }) => [disputeId, language])).toEqual([
    [english, 'en'],
    [german, 'de'],
  ])
  expect(planned.leftOut).toMatchObject([
    { disputeId: 'dsp_none', reason: 'not-found' },
    { disputeId: french, reason: 'no-text' },
  ])
  expect([planned.keys, planned.refundCents, planned.typed]).toEqual([2, 0, null])
  expect(planned.stock.reduce((sum, { before, after }) => sum + before - after, 0)).toBe(2)
  const { planId } = planned
  expect(
    await problemOf(harness.ask.disputes.sendBulkReply({ ...request, planId: 'another' })),
  ).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  const held = await harness.ask.disputes.sendBulkReply({ ...request, planId })
  expect([held.length, sent]).toEqual([2, []])
  await until(bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect(sent.toSorted()).toEqual(['messages', 'messages', 'replace', 'replace'])
  expect((await answersThere(german))[0]).toMatch(/^Das tut uns leid: /)
}, 90_000)

it('continues a bulk reply after a kill, each dispute once, and repeats only what failed', async () => {
  const disputeIds = [await claim(), await claim(), await claim()]
  const [first = '', second = '', third = ''] = disputeIds
  const request = plan(disputeIds, 'refund')
  const { planId, refundCents } = await harness.ask.disputes.planBulkReply(request)
  expect(refundCents).toBeGreaterThan(0)
  const replies = await harness.ask.disputes.sendBulkReply({
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
  await harness.ask.disputes.sendReplies({
    accountId,
    replyIds: replies.map(({ replyId }) => replyId),
  })
  await killed
  await harness.close()
  proxy.decide = () => 'pass'
  await proxy.reconnect()
  harness = await startTestCore(folder.path, keychain, { clock })
  await until(
    bulkStates,
    (states) => states.every((state) => state === 'done' || state === 'failed'),
    60_000,
  )
  expect(await bulkStates()).toEqual(expect.arrayContaining(['done', 'done', 'failed']))
  for (const id of [first, third])
    expect([(await there(id)).resolution?.type, (await answersThere(id)).length]).toEqual([
      'refunded',
      1,
    ])
  expect((await detail(second)).replies[0]?.problem?.code).toBe('CHANGED_MEANWHILE')
  const [bulk] = await harness.ask.disputes.bulkReplies({ accountId })
  const again = bulk?.lines.find(({ disputeId }) => disputeId === second)?.refundCents
  expect(bulk?.retry).toEqual({ count: 1, refundCents: again, keys: 0, typed: null })
  await harness.ask.disputes.retryBulkReply({ accountId, bulkId: bulk?.bulkId ?? '' })
  await until(bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect((await there(second)).resolution?.type).toBe('refunded')
  expect(sent.filter((part) => part === 'refund')).toHaveLength(3)
  expect(sent.filter((part) => part === 'messages')).toHaveLength(3)
}, 120_000)

it('never offers to undo an answer that may have arrived', async () => {
  const disputeId = await claim()
  const { replyId } = await reply(disputeId, 'reply', 'We look into it.')
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
  await sendNow(replyId)
  const states = new Set<string>()
  await until(
    async () => {
      const [open] = await harness.ask.disputes.replies({ accountId })
      if (isSent && open !== undefined) states.add(open.state)
      return lookups
    },
    (count) => count > 24,
    60_000,
  )
  expect([...states]).toEqual(['sending'])
  expect(
    await problemOf(harness.ask.disputes.undoReplies({ accountId, replyIds: [replyId] })),
  ).toMatchObject({ code: 'CONFLICT' })
  proxy.decide = () => 'pass'
  await settled(disputeId)
  expect(await answersThere(disputeId)).toEqual(['We look into it.'])
}, 90_000)
