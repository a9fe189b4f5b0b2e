import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

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

/** A customer disputes a sale of an offer with stock, and Keydesk has read the dispute. */
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
  throw new Error('nothing left to dispute')
}

it('previews a replacement from stock, sends it once, and logs it', async () => {
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

it('settles a refund with a lost response: done once, also after a restart', async () => {
  const { disputeId } = await claim('I want my money back')
  const before = await harness.ask.disputes.effects({ accountId, disputeId, kind: 'refund' })
  expect(before.refundCents).toBeGreaterThan(0)
  // The service carried it out; every later response is lost until the console stops.
  proxy.decide = (method, path) => {
    if (method !== 'POST' || !path.endsWith('/refund')) return 'pass'
    void proxy.disconnect()
    return 'lose-answer'
  }
  expect(
    await problemOf(harness.ask.disputes.act({ accountId, disputeId, kind: 'refund', seen })),
  ).toMatchObject({ code: 'ANSWER_LOST' })
  await harness.close()
  proxy.decide = () => 'pass'
  await proxy.reconnect()
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

it('reports an action that never reached the service as not done, and repeats it only for a person', async () => {
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

it('stops if the dispute changed in the meantime, and says what changed', async () => {
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

it('checks a typed key before sending it, sends it once, and stores it nowhere in clear text', async () => {
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

it('snoozes until a time or a new message, and keeps done and own marks on this computer', async () => {
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

it('doesn’t hide a dispute with something newer than the person saw', async () => {
  const { disputeId } = await claim()
  const { name } = await detail(disputeId)
  await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
    author: 'customer',
    body: 'Hello?',
  })
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId),
    ({ messages }) => messages === 2,
  )
  const { mark } = harness.ask.disputes
  const dispute = { accountId, disputeId }
  const snoozeUntil = Date.now() + 3_600_000
  const stays = `The dispute about ${name} (${disputeId}) is unchanged.`
  // Before its messages were read, a dispute only shows the customer's first one as its reason.
  for (const messages of [1, null]) {
    const before = { status: 'open', messages }
    expect(await problemOf(mark({ ...dispute, done: true, seen: before }))).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      what: 'Not marked as done: a new message arrived since you viewed the dispute.',
      effect: stays,
      next: 'Read the new messages, then decide again.',
    })
    expect(await problemOf(mark({ ...dispute, snoozeUntil, seen: before }))).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      what: 'Not snoozed: a new message arrived since you viewed the dispute.',
      effect: stays,
    })
  }
  expect(
    await problemOf(mark({ ...dispute, done: true, seen: { status: 'escalated', messages: 2 } })),
  ).toMatchObject({ code: 'CHANGED_MEANWHILE', details: { status: 'open' } })
  expect(await detail(disputeId)).toMatchObject({ done: false, snoozedUntil: null })

  const now = { status: 'open', messages: 2 }
  await mark({ ...dispute, done: true, snoozeUntil, seen: now })
  expect(await detail(disputeId)).toMatchObject({ done: true, snoozedUntil: snoozeUntil })
  // Marks that hide nothing don't depend on it.
  await mark({ ...dispute, done: false, snoozeUntil: null, mine: true, seen })
  expect(await detail(disputeId)).toMatchObject({ done: false, snoozedUntil: null, mine: true })
})

it('exports complete evidence and masks text that resembles a key unless a person typed the words', async () => {
  const { disputeId } = await claim('My key ABCDE-FGHIJ-KLMNO says used <script>alert(1)</script>')
  const { evidence, evidenceUnmasked } = harness.ask.disputes
  const text = async (archive: Promise<{ base64: string }>): Promise<string> =>
    Buffer.from((await archive).base64, 'base64').toString('latin1')
  const masked = await text(evidence({ accountId, disputeId }))
  expect(masked.startsWith('PK')).toBe(true)
  expect([
    masked.includes('dispute.md'),
    masked.includes('dispute.json'),
    masked.includes(disputeId),
    masked.includes('FGHIJ'),
  ]).toEqual([true, true, true, false])
  const typed = PLAIN_EXPORT_PHRASE
  expect(await text(evidenceUnmasked({ accountId, disputeId, typed }))).toContain(
    'ABCDE-FGHIJ-KLMNO',
  )
})

it('fills known fields into templates in the customer’s language, and saves changed templates', async () => {
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

it('counts disputes by reason and outcome like the service', async () => {
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
