import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../testing/faulty-proxy.ts'
import { memoryKeychain } from '../testing/keychains.ts'

type Sale = { orderId: string; keyId: string; offerId: string }
type There = { status: string; resolution: { type: string } | null; messages: unknown[] }

let backend: TestBackend
let proxy: FaultyProxy
let harness: TestCore
let accountId: string
const folder = temporaryFolder()
const keychain = memoryKeychain()
/** Replacements and refunds that reached the service. */
let acted: string[] = []

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  proxy.served = ({ method, path }) => {
    if (method === 'POST' && /\/(?:replace|refund)$/.test(path)) acted.push(path)
  }
  harness = await startTestCore(folder.path, keychain)
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
  acted = []
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
const stockOf = async (offerId: string): Promise<number> =>
  (await seller<{ stock: number }>(`/offers/${offerId}`)).stock
const detail = (disputeId: string) => harness.ask.disputes.dispute({ accountId, disputeId })
const seen = { status: 'open', messages: 1 }

/** A customer complains about a sale of an offer that has stock; the desk has read it. */
async function claim(message = 'Already used'): Promise<{ disputeId: string; offerId: string }> {
  const { results } = await seller<{ results: Sale[] }>('/sales?limit=100')
  for (const { orderId, keyId, offerId } of results) {
    if ((await stockOf(offerId).catch(() => 0)) < 3) continue
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
    return { disputeId, offerId }
  }
  throw new Error('nothing left to claim')
}

it('replaced from stock: told before, done once, and written down', async () => {
  const { disputeId, offerId } = await claim()
  const stock = await stockOf(offerId)
  expect(
    await harness.ask.disputes.effects({ accountId, disputeId, kind: 'replace-stock' }),
  ).toMatchObject({
    obstacle: null,
    refundCents: null,
    balance: null,
    typed: null,
    stock: { before: stock, after: stock - 1 },
  })
  const done = await harness.ask.disputes.act({ accountId, disputeId, kind: 'replace-stock', seen })
  expect(done).toMatchObject({
    status: 'resolved',
    resolution: { type: 'replaced' },
    actions: [{ kind: 'replace-stock', state: 'done', problem: null }],
  })
  expect(await there(disputeId)).toMatchObject({
    status: 'resolved',
    resolution: { type: 'replaced' },
  })
  expect([await stockOf(offerId), acted.length]).toEqual([stock - 1, 1])
  expect(
    await problemOf(harness.ask.disputes.act({ accountId, disputeId, kind: 'refund', seen })),
  ).toMatchObject({ code: 'DISPUTE_RESOLVED' })
  expect(acted).toHaveLength(1)
})

it('a lost answer of a refund is found out: done once, over a restart too', async () => {
  const { disputeId } = await claim('I want my money back')
  const before = await harness.ask.disputes.effects({ accountId, disputeId, kind: 'refund' })
  expect(before.refundCents).toBeGreaterThan(0)
  // The service did it, and from then on it can't be reached until the console ends.
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/refund')) return 'pass'
    void proxy.unplug()
    return 'lose-answer'
  }
  expect(
    await problemOf(harness.ask.disputes.act({ accountId, disputeId, kind: 'refund', seen })),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  await harness.close()
  proxy.decide = () => 'pass'
  await proxy.plug()
  harness = await startTestCore(folder.path, keychain)
  await until(
    () => detail(disputeId),
    ({ actions }) => actions[0]?.state === 'done',
    30_000,
  )
  expect(await there(disputeId)).toMatchObject({
    status: 'resolved',
    resolution: { type: 'refunded' },
  })
  expect(acted).toHaveLength(1)
}, 90_000)

it('what never reached the service is said to be not done, and is done again only by a person', async () => {
  const { disputeId } = await claim()
  await harness.ask.disputes.draft({ accountId, disputeId, text: 'kept' })
  proxy.decide = (method, path) => (method === 'POST' && path.endsWith('/replace') ? 'cut' : 'pass')
  expect(
    await problemOf(
      harness.ask.disputes.act({ accountId, disputeId, kind: 'replace-stock', seen }),
    ),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  expect(
    await problemOf(harness.ask.disputes.act({ accountId, disputeId, kind: 'refund', seen })),
  ).toMatchObject({ code: 'CONFLICT' })
  expect([acted.length, (await there(disputeId)).status]).toEqual([0, 'open'])
}, 60_000)

it('stopped when the dispute went on meanwhile, with what changed', async () => {
  const { disputeId } = await claim()
  await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
    author: 'customer',
    body: 'It works now, sorry',
  })
  expect(
    await problemOf(harness.ask.disputes.act({ accountId, disputeId, kind: 'refund', seen })),
  ).toMatchObject({
    code: 'CHANGED_MEANWHILE',
    effect: 'No money moved.',
    details: { newMessages: 1 },
  })
  await backend.dashboard('POST', `/disputes/${disputeId}/escalate`, {})
  expect(
    await problemOf(
      harness.ask.disputes.act({
        accountId,
        disputeId,
        kind: 'replace-stock',
        seen: { status: 'open', messages: null },
      }),
    ),
  ).toMatchObject({ code: 'CHANGED_MEANWHILE', details: { status: 'escalated' } })
  expect(acted).toEqual([])
  expect((await detail(disputeId)).actions).toEqual([])
})

it('a typed key is judged before it leaves, sent once, and is nowhere in clear', async () => {
  const { disputeId } = await claim()
  const check = (key: string) => harness.ask.disputes.checkKey({ accountId, disputeId, key })
  expect(await check('   ')).toEqual({ blocked: true, findings: ['blank'] })
  expect((await check('  CANAR-YREPL-ACED1 ')).findings).toContain('cleaned')
  expect(
    await problemOf(
      harness.ask.disputes.act({ accountId, disputeId, kind: 'replace-key', key: '1.2E+15', seen }),
    ),
  ).toMatchObject({ code: 'BAD_KEY' })
  expect(
    (
      await harness.ask.disputes.act({
        accountId,
        disputeId,
        kind: 'replace-key',
        key: 'CANAR-YREPL-ACED1',
        seen,
      })
    ).actions,
  ).toMatchObject([{ kind: 'replace-key', state: 'done' }])
  expect(await check('CANAR-YREPL-ACED1')).toMatchObject({ blocked: true })
  expect((await check('CANAR-YREPL-ACED1')).findings).toContain('sent')
  for (const place of ['mirrors', 'journals']) {
    for (const file of readdirSync(join(folder.path, place)))
      expect(readFileSync(join(folder.path, place, file)).includes('CANAR-YREPL'), file).toBe(false)
  }
})

it('put off until then or until something new is written; done and marked here alone', async () => {
  const { disputeId } = await claim()
  const inView = async (view: 'inbox' | 'snoozed' | 'done' | 'mine'): Promise<boolean> =>
    (await harness.ask.disputes.list({ accountId, view, window: { limit: 500 } })).rows.some(
      (row) => row.disputeId === disputeId,
    )
  await harness.ask.disputes.mark({
    accountId,
    disputeId,
    snoozeUntil: Date.now() + 3_600_000,
    mine: true,
  })
  expect([await inView('inbox'), await inView('snoozed'), await inView('mine')]).toEqual([
    false,
    true,
    true,
  ])
  await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
    author: 'customer',
    body: 'Hello?',
  })
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId),
    ({ messages }) => messages === 2,
  )
  expect([await inView('inbox'), await inView('snoozed')]).toEqual([true, false])
  await harness.ask.disputes.mark({ accountId, disputeId, done: true })
  expect([await inView('inbox'), await inView('done')]).toEqual([false, true])
  expect((await there(disputeId)).status).toBe('open')
})

it('evidence holds everything, with what looks like a key masked unless asked', async () => {
  const { disputeId } = await claim('My key ABCDE-FGHIJ-KLMNO says used <script>alert(1)</script>')
  const text = async (secrets: boolean): Promise<string> =>
    Buffer.from(
      (await harness.ask.disputes.evidence({ accountId, disputeId, secrets })).base64,
      'base64',
    ).toString('latin1')
  const masked = await text(false)
  expect(masked.startsWith('PK')).toBe(true)
  expect([
    masked.includes('dispute.md'),
    masked.includes('dispute.json'),
    masked.includes(disputeId),
    masked.includes('FGHIJ'),
  ]).toEqual([true, true, true, false])
  expect(await text(true)).toContain('ABCDE-FGHIJ-KLMNO')
})

it('templates fill in what is known, in the customer’s language, and are kept as a person wants them', async () => {
  const { disputeId } = await claim(
    'Der Code wurde schon eingelöst, und ich habe ihn nicht benutzt',
  )
  const { name, reasonKind, language } = await detail(disputeId)
  expect([reasonKind, language]).toEqual(['used', 'de'])
  const filled = await harness.ask.disputes.fillTemplate({
    accountId,
    disputeId,
    templateId: 'new-key',
  })
  expect(filled).toMatchObject({ language: 'de', missing: [] })
  expect(filled.text).toContain(name)
  const { templateId } = await harness.ask.disputes.saveTemplate({
    accountId,
    template: {
      templateId: null,
      name: 'Mine',
      reasons: [],
      bodies: { en: 'Key ends in {last4}, {nonsense}' },
    },
  })
  expect(await harness.ask.disputes.fillTemplate({ accountId, disputeId, templateId })).toEqual({
    text: 'Key ends in {last4}, {nonsense}',
    language: 'en',
    missing: ['last4'],
    parts: [
      { text: 'Key ends in ', field: null, known: true },
      { text: '{last4}', field: 'last4', known: false },
      { text: ', ', field: null, known: true },
      { text: '{nonsense}', field: null, known: true },
    ],
  })
  await harness.ask.disputes.removeTemplate({ accountId, templateId: 'new-key' })
  expect(
    (await harness.ask.disputes.templates({ accountId })).map((each) => each.templateId),
  ).not.toContain('new-key')
})

it('the report counts claims by reason and outcome as the service has them', async () => {
  const { results } = await seller<{ results: { resolution: { type: string } | null }[] }>(
    '/disputes?limit=100',
  )
  await harness.ask.accounts.syncNow({ accountId })
  const report = await until(
    () => harness.ask.disputes.report({ accountId, from: 0, to: Date.now() + 86_400_000 }),
    ({ claims }) => claims === results.length,
  )
  const ended = (type: string): number =>
    results.filter(({ resolution }) => resolution?.type === type).length
  expect(report.outcome).toMatchObject({
    replaced: ended('replaced'),
    refunded: ended('refunded'),
    rejected: ended('rejected'),
  })
  expect(report.byReason.reduce((sum, { claims }) => sum + claims, 0)).toBe(results.length)
  expect(report.answer.bars.reduce((sum, { claims }) => sum + claims, 0)).toBe(
    report.answer.answered,
  )
})
