import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OutboxFacts, OutboxKind } from '../../contract/outbox.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { accountId, createFakeOutbox, facts } from './testing/fake-service.ts'
import type { FakeOutbox } from './testing/fake-service.ts'
import { openOutboxStore } from './store.ts'

let world: FakeOutbox
beforeEach(() => {
  world = createFakeOutbox()
})
afterEach(() => world.close())

const price = (priceCents: number): OutboxFacts => facts({ priceCents })
const idsIn = (tab: 'waiting' | 'sent' | 'dropped', query = ''): string[] =>
  world.outbox
    .list({ accountId, tab, query, window: { offset: 0, limit: 100 } })
    .rows.map(({ entryId }) => entryId)
const waitingList = (query = '') =>
  world.outbox.list({ accountId, tab: 'waiting', query, window: { offset: 0, limit: 100 } })
const problemOf = (work: () => unknown) => problemOfFailure((async () => work())())

it.each<[OutboxKind, OutboxFacts, OutboxFacts, string, string]>([
  ['offer-price', price(1285), price(1240), 'Price 12.85', 'You typed 12.40'],
  ['offer-price', facts(), facts(), 'Price 0.00', 'You typed 0.00'],
  [
    'offer-status',
    facts({ status: 'active', priceCents: 1285 }),
    facts({ status: 'paused', priceCents: 1285 }),
    'Was active',
    'You chose paused',
  ],
  ['offer-status', facts(), facts({ status: 'paused' }), 'Was unknown', 'You chose paused'],
  ['offer-new', facts(), price(1234), 'In the catalogue', 'You typed 12.34'],
  ['dispute-answer', facts({ messages: 2 }), facts(), '2 messages', 'You wrote an answer'],
  ['dispute-answer', facts(), facts(), '0 messages', 'You wrote an answer'],
])('lists the events of a queued change: %s', (kind, seen, wanted, detail, title) => {
  const entry = world.add({ kind, seen, wanted })
  expect(entry).toMatchObject({
    accountId,
    kind,
    state: 'waiting',
    verdict: 'uncompared',
    seen,
    wanted,
    present: null,
    presentAt: null,
    problem: null,
    reason: null,
    settledAt: null,
    writtenAt: world.clock.now(),
  })
  expect(entry).not.toHaveProperty('textSealed')
  expect(world.history(entry.entryId)).toEqual([
    `Last seen on the service: ${detail}`,
    `${title}: Added to queued changes`,
  ])
  expect(world.changes).toEqual([entry.entryId])
})

it.each([
  ['offline', 0, true],
  ['offline', 5, true],
  ['offline', -1, false],
  ['offline', null, false],
  ['doubtful', 0, true],
  ['doubtful', -1, false],
  ['online', 5, false],
])('records a lost connection after the last read: %s, %s ms later', (state, after, isListed) => {
  const seenAt = Date.UTC(2026, 0, 5, 8)
  const since = after === null ? null : seenAt + after
  world.state.connection.state = state
  world.state.connection.since = since
  const { entryId } = world.add({ seenAt })
  expect(world.history(entryId).includes('Connection lost: The change was queued')).toBe(isListed)
  const times = world.outbox.entry({ accountId, entryId }).events.map(({ at }) => at)
  expect(times).toEqual(isListed ? [seenAt, since, world.clock.now()] : [seenAt, world.clock.now()])
})

it('updates the waiting change of the same subject and compares it again', async () => {
  world.service.set('off_1', price(1270))
  const first = world.add()
  await world.sender.compare({ accountId })
  expect(world.outbox.entry({ accountId, entryId: first.entryId }).verdict).toBe('decide')
  world.clock.advance(1000)
  const second = world.add({ wanted: price(1230) })
  expect(second).toMatchObject({
    entryId: first.entryId,
    verdict: 'uncompared',
    reason: null,
    wanted: { priceCents: 1230 },
    writtenAt: world.clock.now(),
  })
  expect(world.history(first.entryId).at(-1)).toBe('You typed 12.30: Replaces your earlier change')
  world.add({ subjectId: 'off_2' })
  world.add({ kind: 'offer-status', wanted: facts({ status: 'paused' }) })
  expect(idsIn('waiting')).toHaveLength(3)
})

it('queues every answer to a dispute, each encrypted for its own entry', () => {
  const answer = { kind: 'dispute-answer', subjectId: 'dis_1' } as const
  const first = world.add({ ...answer, text: 'Key AAAA' })
  const second = world.add({ ...answer, text: 'Key BBBB' })
  expect(second.entryId).not.toBe(first.entryId)
  expect(world.outbox.entry({ accountId, entryId: first.entryId }).text).toBe('Key AAAA')
  expect(world.outbox.entry({ accountId, entryId: second.entryId }).text).toBe('Key BBBB')
  const sealed = world.db.prepare('SELECT text_sealed FROM outbox').pluck().all() as Buffer[]
  expect(sealed.map((bytes) => JSON.parse(bytes.toString())[1]).toSorted()).toEqual([
    `outbox:${first.entryId}`,
    `outbox:${second.entryId}`,
  ])
  expect(world.outbox.entry({ accountId, entryId: world.add().entryId }).text).toBeNull()
})

it.each([
  [
    'sending',
    'An earlier change of Ironwharf is being sent.',
    'Wait for its result in Queued changes, then try again.',
  ],
  [
    'unknown',
    'The response to an earlier change of Ironwharf was lost.',
    'Keydesk is checking whether the service has it. Wait for the result in Queued changes, then try again.',
  ],
] as const)(
  'rejects a change of a subject whose earlier change is %s',
  async (state, what, next) => {
    const { entryId } = world.add()
    world.leave(entryId, state)
    expect(await problemOf(() => world.add({ wanted: price(1) }))).toMatchObject({
      code: 'CONFLICT',
      what,
      next,
      effect: 'Your change wasn’t queued.',
    })
    world.outbox.drop({ accountId, entryIds: [entryId] })
    if (state === 'sending') world.outbox.discardSuperseded(accountId, 'offer-price', 'off_1')
    expect(world.outbox.entry({ accountId, entryId })).toMatchObject({
      state,
      wanted: { priceCents: 1240 },
    })
    expect(world.history(entryId)).toHaveLength(2)
  },
)

it('discards a change whose result is unknown when a newer one was sent directly', async () => {
  const { entryId } = world.add()
  world.leave(entryId, 'unknown')
  world.outbox.discardSuperseded(accountId, 'offer-price', 'off_1')
  expect(idsIn('dropped')).toEqual([entryId])
  expect(world.history(entryId).at(-1)).toBe(
    'You made another change: It’s not known whether the service had made this one',
  )
  world.service.set('off_1', price(1300))
  await world.sender.compare({ accountId })
  expect(idsIn('dropped')).toEqual([entryId])
})

it('keeps a change discarded that a newer one replaced during the lookup of its result', async () => {
  const { entryId } = world.add()
  world.leave(entryId, 'unknown')
  world.state.read = () => world.outbox.discardSuperseded(accountId, 'offer-price', 'off_1')
  await world.sender.compare({ accountId })
  expect(idsIn('dropped')).toEqual([entryId])
})

it('treats a change as unknown that a stop of Keydesk interrupted', () => {
  const { entryId } = world.add()
  world.leave(entryId, 'sending')
  openOutboxStore(world.db).recoverInterrupted()
  expect(world.outbox.entry({ accountId, entryId }).state).toBe('unknown')
})

it('discards a change, and restores it unless another change of the subject is queued', async () => {
  const { entryId } = world.add()
  let queued = 0
  world.outbox.onQueued(() => (queued += 1), new AbortController().signal)
  world.changes.length = 0
  const dropped = world.outbox.drop({ accountId, entryIds: ['unknown', entryId] })
  expect(dropped).toMatchObject([
    { entryId, accountId, state: 'dropped', settledAt: world.clock.now() },
  ])
  expect(world.changes).toEqual([null])
  expect([idsIn('waiting'), idsIn('dropped')]).toEqual([[], [entryId]])
  world.outbox.drop({ accountId, entryIds: [entryId] })
  const other = world.add()
  expect(world.outbox.restore({ accountId, entryIds: [entryId] })).toMatchObject([
    { state: 'dropped' },
  ])
  world.outbox.discardSuperseded(accountId, 'offer-price', 'off_1')
  world.outbox.discardSuperseded(accountId, 'offer-price', 'off_1')
  expect(queued).toBe(2)
  expect(world.outbox.restore({ accountId, entryIds: [entryId] })).toMatchObject([
    { state: 'waiting', settledAt: null },
  ])
  expect(queued).toBe(3)
  world.outbox.restore({ accountId, entryIds: [entryId] })
  expect(world.history(entryId).slice(2)).toEqual([
    'Dropped: Nothing was sent',
    'Restored: Queued again',
  ])
  expect(world.history(other.entryId).at(-1)).toBe('You made another change: Nothing was sent')
})

it('restores an answer although another answer to the dispute is queued', () => {
  const answer = { kind: 'dispute-answer', subjectId: 'dis_1', text: 'Hello' } as const
  const { entryId } = world.add(answer)
  world.outbox.drop({ accountId, entryIds: [entryId] })
  world.add(answer)
  world.outbox.restore({ accountId, entryIds: [entryId] })
  expect(idsIn('waiting')).toHaveLength(2)
})

it('states that a discarded change was already as wanted', async () => {
  world.service.set('off_1', price(1240))
  const { entryId } = world.add()
  await world.sender.compare({ accountId })
  world.outbox.drop({ accountId, entryIds: [entryId] })
  expect(world.history(entryId).at(-1)).toBe(
    'Nothing to send: already as you wanted: Nothing was sent',
  )
})

it('groups the open changes of some kinds by subject', () => {
  const first = world.add()
  const second = world.add({ kind: 'offer-status' })
  world.add({ kind: 'dispute-answer' })
  const dropped = world.add({ subjectId: 'off_2' })
  world.outbox.drop({ accountId, entryIds: [dropped.entryId] })
  const groups = world.outbox.waiting(accountId, ['offer-price', 'offer-status'])
  expect([...groups.keys()]).toEqual(['off_1'])
  expect(groups.get('off_1')).toEqual([first, second])
})

it('reports an unknown entry', async () => {
  expect(
    await problemOf(() => world.outbox.entry({ accountId, entryId: 'missing' })),
  ).toMatchObject({
    code: 'NOT_FOUND',
    what: 'Queued change not found.',
    next: 'Check the list of queued changes.',
  })
})

it('sorts waiting changes by verdict, then by time, and counts them', async () => {
  for (const [subjectId, now] of Object.entries({
    ready: price(1285),
    already: price(1240),
    decide: price(1),
    gone: null,
  }))
    world.service.set(subjectId, now)
  const ids: Record<string, string> = {}
  for (const subjectId of ['already', 'ready', 'gone', 'decide'])
    ids[subjectId] = world.add({ subjectId }).entryId
  expect(waitingList().comparedAt).toBeNull()
  const firstComparedAt = world.clock.now()
  await world.sender.compare({ accountId })
  expect(waitingList()).toMatchObject({ comparedAt: firstComparedAt })
  world.clock.advance(5)
  ids['uncompared'] = world.add({ subjectId: 'uncompared' }).entryId
  ids['later'] = world.add({ subjectId: 'later' }).entryId
  expect(waitingList()).toMatchObject({
    total: 6,
    comparedAt: null,
    verdicts: { decide: 1, gone: 1, uncompared: 2, ready: 1, already: 1 },
    counts: { waiting: 6, sent: 0, dropped: 0 },
  })
  expect(idsIn('waiting')).toEqual(
    ['decide', 'gone', 'uncompared', 'later', 'ready', 'already'].map((name) => ids[name]),
  )
  world.leave(ids['ready'] ?? '', 'unknown')
  world.leave(ids['gone'] ?? '', 'sending')
  expect(waitingList().counts.waiting).toBe(6)
  const page = world.outbox.list({
    accountId,
    tab: 'waiting',
    query: '',
    window: { offset: 1, limit: 2 },
  })
  expect(page.rows.map(({ subjectId }) => subjectId)).toEqual(['gone', 'uncompared'])
  expect(page.total).toBe(6)
})

it('has no time of comparison without waiting changes', () => {
  expect(waitingList()).toMatchObject({ total: 0, rows: [], comparedAt: null })
})

it.each([
  ['iron', 1],
  ['STEAM ironwharf', 1],
  ['off_1', 1],
  ['wharf', 0],
  ['iron missing', 0],
  ['', 2],
])('finds entries by the words of title, subtitle and id: %j', (query, total) => {
  world.add()
  world.add({ subjectId: 'x9', title: 'Moon Harbour', subtitle: 'GOG' })
  const found = waitingList(query)
  expect([found.total, found.rows.length, found.counts.waiting]).toEqual([total, total, 2])
})

it('keeps the 2,000 entries that were settled last, and all open ones', () => {
  const open = world.add({ subjectId: 'open' })
  const { entryId } = world.add({ subjectId: 'last' })
  world.db.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
    INSERT INTO outbox (entry_id, kind, subject_id, title, subtitle, state, verdict, seen, seen_at,
        wanted, written_at, settled_at)
      SELECT 'old-' || n, 'offer-price', 'off_' || n, '', '', iif(n % 2, 'sent', 'dropped'),
        'ready', '{}', 1, '{}', 1, n FROM numbers`)
  world.outbox.drop({ accountId, entryIds: [entryId] })
  expect(waitingList().counts).toEqual({ waiting: 1, sent: 999, dropped: 1001 })
  expect(idsIn('waiting')).toEqual([open.entryId])
  expect(idsIn('dropped').slice(0, 2)).toEqual([entryId, 'old-2000'])
  const store = world.outbox.storeOf(accountId)
  expect([store.find('old-1'), store.find('old-2')?.entryId]).toEqual([null, 'old-2'])
})
