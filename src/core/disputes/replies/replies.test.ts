import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { problemOf, until } from '../../testing/core.ts'
import { startDisputedSeller } from '../testing/disputed-seller.ts'
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

it('sends the answer before the action, each once, when the time to undo is over @long', async () => {
  const disputeId = await seller.claim()
  const held = await seller.reply(disputeId, 'replace-stock', 'A new key is on its way.')
  expect(held).toMatchObject({ state: 'held', text: 'A new key is on its way.', answered: false })
  expect(held.leftMs).toBeGreaterThan(0)
  expect([sent, (await seller.detail(disputeId)).pendingReply]).toEqual([[], 'held'])
  await seller.settled(disputeId)
  expect(sent).toEqual(['messages', 'replace'])
  expect(await seller.there(disputeId)).toMatchObject({
    status: 'resolved',
    resolution: { type: 'replaced' },
  })
  expect(await seller.answersThere(disputeId)).toEqual(['A new key is on its way.'])
}, 60_000)

it('checks a typed key of a reply first, sends it once, and stores it nowhere in clear text @long', async () => {
  const disputeId = await seller.claim()
  const withKey = (key: string) =>
    seller.ask.disputes.reply({
      accountId,
      disputeId,
      text: 'Here is another key.',
      outcome: 'replace-key',
      key,
      seen: { status: 'open', messages: 1 },
    })
  expect(await problemOf(withKey('1.2E+15'))).toMatchObject({ code: 'BAD_KEY' })
  expect((await seller.detail(disputeId)).replies).toEqual([])
  await withKey('CANAR-YHELD-REPLY')
  const files = ['mirrors', 'journals'].flatMap((place) =>
    readdirSync(join(seller.folder.path, place)).map((file) =>
      join(seller.folder.path, place, file),
    ),
  )
  for (const file of files) expect(readFileSync(file).includes('CANAR-YHELD'), file).toBe(false)
  await seller.settled(disputeId)
  expect(sent).toEqual(['messages', 'replace'])
  expect(await seller.there(disputeId)).toMatchObject({ resolution: { type: 'replaced' } })
  for (const file of files) expect(readFileSync(file).includes('CANAR-YHELD'), file).toBe(false)
}, 60_000)

it.each(['online', 'offline'])(
  'takes no other answer while a reply is held, %s',
  async (where) => {
    const disputeId = await seller.claim()
    const { replyId } = await seller.reply(disputeId, 'reply', 'We are looking into it.')
    if (where === 'offline') await proxy.disconnect()
    const again = seller.ask.disputes.answer({
      accountId,
      disputeId,
      text: 'We are looking into it.',
    })
    await expect(again).rejects.toMatchObject({ data: { code: 'CONFLICT' } })
    expect((await seller.ask.outbox.list({ accountId })).rows).toEqual([])
    if (where === 'offline') await proxy.reconnect()
    await seller.sendNow(replyId)
    await seller.settled(disputeId)
    expect(await seller.answersThere(disputeId)).toEqual(['We are looking into it.'])
  },
  90_000,
)

it('takes a held reply back into the draft, with its outcome and after what was written since', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.ask.disputes.reply({
    accountId,
    disputeId,
    text: 'A new key is on its way.',
    outcome: 'replace-stock',
    promise: 'replace-stock',
    seen: { status: 'open', messages: 1 },
  })
  expect(await problemOf(seller.reply(disputeId, 'reply'))).toMatchObject({ code: 'CONFLICT' })
  await seller.ask.disputes.draft({ accountId, disputeId, text: 'Also:' })
  await seller.ask.disputes.undoReplies({ accountId, replyIds: [replyId] })
  expect(await seller.detail(disputeId)).toMatchObject({
    replies: [],
    draft: {
      text: 'A new key is on its way.\n\nAlso:',
      outcome: 'replace-stock',
      promise: 'replace-stock',
    },
  })
  expect(
    await problemOf(seller.ask.disputes.undoReplies({ accountId, replyIds: [replyId] })),
  ).toMatchObject({ code: 'CONFLICT' })
  expect(sent).toEqual([])
}, 60_000)

it('holds a reply again after a restart, and sends it once @long', async () => {
  const disputeId = await seller.claim()
  await seller.reply(disputeId, 'close', 'Solved, I hope.')
  await seller.stopConsole()
  await seller.startConsole()
  expect((await seller.ask.disputes.replies({ accountId }))[0]).toMatchObject({ state: 'held' })
  expect(await seller.settled(disputeId)).toMatchObject({ done: true, status: 'open' })
  expect([sent, await seller.answersThere(disputeId)]).toEqual([['messages'], ['Solved, I hope.']])
}, 60_000)

it.each(['messages', 'replace'])(
  'settles a reply whose response to %s was lost, each part exactly once @long',
  async (part) => {
    const disputeId = await seller.claim()
    const { replyId } = await seller.reply(disputeId, 'replace-stock')
    proxy.decide = (method, path) => {
      if (method !== 'POST' || !path.endsWith(`/${part}`)) return 'pass'
      void proxy.disconnect()
      return 'lose-answer'
    }
    await seller.sendNow(replyId)
    await until(
      () => seller.detail(disputeId),
      ({ pending, actions }) => [...pending, ...actions].some(({ state }) => state === 'unknown'),
    )
    await seller.stopConsole()
    proxy.decide = () => 'pass'
    await proxy.reconnect()
    await seller.startConsole()
    await seller.settled(disputeId)
    expect(sent).toEqual(['messages', 'replace'])
    expect(await seller.answersThere(disputeId)).toEqual(['Sorry about that.'])
  },
  90_000,
)

it('sends nothing if the customer wrote in the meantime, and keeps the text', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'replace-stock', 'A new key is on its way.')
  await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
    author: 'customer',
    body: 'It works now, sorry',
  })
  await seller.sendNow(replyId)
  const { replies } = await until(
    () => seller.detail(disputeId),
    (found) => found.replies[0]?.state === 'failed',
  )
  expect(replies).toMatchObject([
    { text: 'A new key is on its way.', answered: false, problem: { code: 'CHANGED_MEANWHILE' } },
  ])
  expect(sent).toEqual([])
  expect(await seller.ask.disputes.dismissReply({ accountId, disputeId, replyId })).toMatchObject({
    replies: [],
    pendingReply: null,
  })
}, 60_000)

it('queues an answer that can’t be sent, and holds one with an action until it can @long', async () => {
  const [answered, replaced] = [await seller.claim(), await seller.claim()]
  await proxy.disconnect()
  await seller.sendNow((await seller.reply(answered, 'reply', 'We look into it.')).replyId)
  await until(
    () => seller.detail(answered),
    ({ waits, replies }) => waits && replies.length === 0,
  )
  await seller.sendNow((await seller.reply(replaced, 'replace-stock')).replyId)
  await proxy.reconnect()
  await seller.settled(replaced)
  expect(sent).toEqual(['messages', 'replace'])
}, 90_000)

it('holds an answer whose dispute a rebuilt mirror lacks until it is read again', async () => {
  const disputeId = await seller.claim()
  const { replyId } = await seller.reply(disputeId, 'reply', 'We look into it.')
  await proxy.disconnect()
  const mirror = new SqliteDatabase(join(seller.folder.path, 'mirrors', `${accountId}.db`))
  mirror.prepare('DELETE FROM disputes WHERE dispute_id = ?').run(disputeId)
  mirror.close()
  await seller.sendNow(replyId)
  await until(
    () => seller.ask.accounts.connection({ accountId }),
    ({ state }) => state === 'offline',
  )
  await proxy.reconnect()
  await until(
    () => seller.answersThere(disputeId),
    (answers) => answers.length > 0,
  )
  expect(await seller.answersThere(disputeId)).toEqual(['We look into it.'])
  const logs = join(seller.folder.path, 'logs')
  const reported = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))
  expect(reported.join('')).not.toContain('dispute replies')
}, 90_000)

it('answers several disputes in their languages with one outcome, and names those it leaves out @long', async () => {
  const english = await seller.claim('It says this code has already been used, I tried it twice.')
  const german = await seller.claim(
    'Der Code ist ungültig, ich habe jedes Zeichen geprüft und er geht nicht.',
  )
  const french = await seller.claim('Le code est refusé : déjà utilisé. Je viens de le recevoir.')
  const request = seller.plan([english, german, french, 'dsp_none'], 'replace-stock')
  const planned = await seller.ask.disputes.planBulkReply(request)
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
    await problemOf(seller.ask.disputes.sendBulkReply({ ...request, planId: 'another' })),
  ).toMatchObject({ code: 'CHANGED_MEANWHILE' })
  const held = await seller.ask.disputes.sendBulkReply({ ...request, planId })
  expect([held.length, sent]).toEqual([2, []])
  await until(seller.bulkStates, (states) => states.every((state) => state === 'done'), 60_000)
  expect(sent.toSorted()).toEqual(['messages', 'messages', 'replace', 'replace'])
  expect((await seller.answersThere(german))[0]).toMatch(/^Das tut uns leid: /)
}, 90_000)
