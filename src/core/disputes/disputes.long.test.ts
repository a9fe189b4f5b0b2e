import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { problemOf, until } from '../testing/core.ts'
import { startDisputedSeller } from './testing/disputed-seller.ts'
import type { DisputedSeller } from './testing/disputed-seller.ts'

let seller: DisputedSeller
let accountId: string
let proxy: DisputedSeller['proxy']
beforeAll(async () => {
  seller = await startDisputedSeller()
  ;({ accountId, proxy } = seller)
}, 120_000)
afterEach(() => seller.reset())
afterAll(() => seller.close())

it('finds a lost answer among the messages, also after a restart, and never sends it twice', async () => {
  const disputeId = await seller.claim('Hello?')
  let posts = 0
  proxy.decide = (method) => {
    if (method !== 'POST') return 'pass'
    posts += 1
    return 'lose-answer'
  }
  expect(await seller.ask.disputes.answer({ accountId, disputeId, text: 'First' })).toMatchObject({
    sent: true,
  })
  expect(posts).toBe(1)
  // The service has the answer; every later response is lost until the console stops.
  proxy.decide = (method) => {
    if (method === 'POST') posts += 1
    return posts > 1 ? 'lose-answer' : 'pass'
  }
  expect(
    await problemOf(seller.ask.disputes.answer({ accountId, disputeId, text: 'Second' })),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  expect((await seller.detail(disputeId)).pending).toMatchObject([
    { state: 'unknown', text: 'Second' },
  ])
  expect(
    await problemOf(seller.ask.disputes.answer({ accountId, disputeId, text: 'Third' })),
  ).toMatchObject({ code: 'CONFLICT' })
  await seller.stopConsole()
  proxy.decide = (method) => {
    if (method === 'POST') posts += 1
    return 'pass'
  }
  await seller.startConsole()
  const settled = await until(
    () => seller.detail(disputeId),
    ({ pending }) => pending.length === 0,
    30_000,
  )
  expect(settled).toMatchObject({ draft: null, pendingAnswer: null })
  expect((await seller.there(disputeId)).messages.map(({ body }) => body)).toEqual([
    'Hello?',
    'First',
    'Second',
  ])
  expect(posts).toBe(2)
}, 90_000)

it('counts the time in flight of an answer from its last try, not from before a wait', async () => {
  const disputeId = await seller.claim('Anyone there?')
  let posts = 0
  proxy.decide = (method) => {
    if (method !== 'POST') return 'pass'
    posts += 1
    if (posts > 1) return 'cut'
    const error = { code: 'RATE_LIMITED', message: 'Later.', requestId: 'req_1' }
    const headers = { 'content-type': 'application/json', 'retry-after': '25' }
    return { kind: 'answer', answer: { status: 429, headers, body: JSON.stringify({ error }) } }
  }
  expect(
    await problemOf(seller.ask.disputes.answer({ accountId, disputeId, text: 'Soon' })),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  expect(posts).toBe(2)
  expect((await seller.detail(disputeId)).pending).toMatchObject([
    { state: 'unknown', text: 'Soon' },
  ])
}, 90_000)
