import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import { Failure } from '../../failure.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { accountId, createFakeOutbox, facts, failedWith } from '../testing/fake-service.ts'
import type { FakeOutbox } from '../testing/fake-service.ts'

let world: FakeOutbox
beforeEach(() => {
  world = createFakeOutbox()
})
afterEach(() => world.close())

const price = (priceCents: number): OutboxFacts => facts({ priceCents })
const entry = (entryId: string) => world.outbox.entry({ accountId, entryId })
const compare = () => world.sender.compare({ accountId })

it('discards the result of a comparison when the change was discarded meanwhile', async () => {
  const { entryId } = world.add()
  world.state.read = () => world.outbox.drop({ accountId, entryIds: [entryId] })
  await compare()
  expect(entry(entryId)).toMatchObject({ state: 'dropped', verdict: 'uncompared', present: null })
  const other = world.add()
  world.state.read = () => world.outbox.drop({ accountId, entryIds: [other.entryId] })
  expect(await world.sender.send({ accountId, entryIds: [other.entryId] })).toMatchObject([
    { state: 'dropped' },
  ])
  expect(world.sent).toEqual([])
})

it('records a comparison in the history only when its verdict changes', async () => {
  const { entryId } = world.add()
  await compare()
  world.changes.length = 0
  world.clock.advance(1000)
  await compare()
  expect(world.history(entryId)).toHaveLength(3)
  expect(entry(entryId).presentAt).toBe(world.clock.now())
  expect(world.changes).toEqual([entryId])
})

it('reads a dispute once for all answers to it', async () => {
  const answer = { kind: 'dispute-answer', subjectId: 'dsp_1' } as const
  world.service.set('dsp_1', facts({ messages: 3 }))
  const entries = [1, 2, 3].map((messages) => world.add({ ...answer, seen: facts({ messages }) }))
  world.add()
  await compare()
  expect(world.calls.toSorted()).toEqual(['read dsp_1', 'read off_1'])
  const verdicts = entries.map(({ entryId }) => entry(entryId).verdict)
  expect(verdicts).toEqual(['decide', 'decide', 'ready'])
})

it('compares other changes while a locked vault hides the text of a sent answer', async () => {
  world.service.set('dsp_1', facts({ messages: 3 }))
  const answer = { kind: 'dispute-answer', subjectId: 'dsp_1', text: 'A new key follows.' } as const
  const sent = world.add({ ...answer, seen: facts({ messages: 3 }) })
  const waiting = world.add()
  world.leave(sent.entryId, 'unknown')
  world.state.locked = true
  await expect(compare()).rejects.toMatchObject({ problem: { code: 'VAULT_LOCKED' } })
  expect(world.outbox.list({ accountId }).rows).toMatchObject([
    { entryId: sent.entryId, state: 'unknown' },
    { entryId: waiting.entryId, state: 'waiting', verdict: 'ready' },
  ])
})

it('keeps comparing if the entries can’t be read between two comparisons', async () => {
  world.add()
  const store = world.outbox.storeOf(accountId)
  const { open } = store
  let readings = 0
  world.state.read = () => {
    readings += 1
    store.open = () => {
      throw new Error('damaged')
    }
  }
  const stop = world.ready()
  await world.settle()
  expect(readings).toBe(1)
  store.open = open
  world.clock.advance(60_000)
  await world.settle()
  expect(readings).toBe(2)
  stop()
})

it('compares other changes although one of them can’t be settled or read', async () => {
  const unknown = world.add()
  const unread = world.add({ subjectId: 'off_2' })
  const waiting = world.add({ subjectId: 'off_3' })
  world.service.set('off_3', facts({ priceCents: 1285, status: 'active' }))
  world.leave(unknown.entryId, 'unknown')
  world.state.read = (subjectId) => {
    if (subjectId !== 'off_3') throw failedWith('unknown')
  }
  await expect(compare()).rejects.toMatchObject({ certainty: 'unknown' })
  expect(entry(unknown.entryId)).toMatchObject({ state: 'unknown', verdict: 'uncompared' })
  expect(entry(unread.entryId)).toMatchObject({ verdict: 'uncompared' })
  expect(entry(waiting.entryId).verdict).not.toBe('uncompared')
})

it.each(['INTERNAL_ERROR', 'BAD_ANSWER'] as const)(
  'compares other changes although reading one of them fails with %s',
  async (code) => {
    const unread = world.add({ subjectId: 'off_2' })
    const waiting = world.add({ subjectId: 'off_3' })
    world.service.set('off_3', facts({ priceCents: 1285, status: 'active' }))
    world.state.read = (subjectId) => {
      if (subjectId !== 'off_2') return
      const { problem } = failedWith('not-done')
      throw new Failure({ ...problem, code }, { certainty: 'not-done', retry: 'wait' })
    }
    await expect(compare()).rejects.toMatchObject({ problem: { code } })
    expect(entry(unread.entryId).verdict).toBe('uncompared')
    expect(entry(waiting.entryId).verdict).not.toBe('uncompared')
  },
)

it.each<[OutboxKind, OutboxFacts, OutboxFacts | null, OutboxFacts, string]>([
  [
    'offer-price',
    price(1285),
    price(1270),
    price(1240),
    'Compared: 12.70: Neither 12.85 nor 12.40',
  ],
  [
    'offer-price',
    facts(),
    price(1270),
    facts({ status: 'active' }),
    'Compared: 12.70: Neither 0.00 nor 0.00',
  ],
  [
    'offer-price',
    facts({ priceCents: 1285, leadCents: 0 }),
    facts({ priceCents: 1285, leadCents: -1 }),
    price(1240),
    'Compared: 12.85: The offer was leading when you changed its price. It’s behind now.',
  ],
  [
    'offer-price',
    facts({ priceCents: 1285, leadCents: -1 }),
    facts({ priceCents: 1285, leadCents: 0 }),
    price(1240),
    'Compared: 12.85: The offer was behind when you changed its price. It’s leading now.',
  ],
  [
    'offer-status',
    facts({ status: 'active' }),
    facts({ status: 'blocked' }),
    facts({ status: 'paused' }),
    'Compared: blocked: The offer was active when you changed it. It’s blocked now.',
  ],
  [
    'offer-status',
    facts({ status: 'active' }),
    facts(),
    facts({ status: 'paused' }),
    'Compared: unknown: The offer was active when you changed it. It’s unknown now.',
  ],
  [
    'offer-status',
    facts(),
    facts({ status: 'blocked' }),
    facts({ status: 'paused' }),
    'Compared: blocked: The offer was unknown when you changed it. It’s blocked now.',
  ],
  [
    'offer-status',
    facts(),
    null,
    facts(),
    'Compared: no longer exists: This offer no longer exists on the service.',
  ],
  ['offer-new', facts(), facts(), price(100), 'Compared: no offer: Same as when you changed it'],
  [
    'offer-new',
    facts(),
    price(120),
    price(100),
    'Compared: 1.20: You already have an offer for this product, at 1.20. Sending changes that offer.',
  ],
  [
    'offer-new',
    facts(),
    facts({ priceCents: 100, status: 'paused' }),
    facts({ priceCents: 100, status: 'active' }),
    'Compared: 1.00: You already have an offer for this product, at 1.00, paused. Sending changes that offer.',
  ],
  [
    'offer-new',
    facts(),
    null,
    price(100),
    'Compared: no longer exists: The product was removed from the catalogue.',
  ],
  [
    'dispute-answer',
    facts({ messages: 2 }),
    facts({ messages: 3 }),
    facts(),
    'Compared: 3 messages: There are new messages since you wrote. Read them first.',
  ],
  [
    'dispute-answer',
    facts({ status: 'open' }),
    facts({ status: 'escalated' }),
    facts(),
    'Compared: 0 messages: The dispute was open when you wrote. It’s escalated now.',
  ],
  [
    'dispute-answer',
    facts(),
    facts({ status: 'escalated' }),
    facts(),
    'Compared: 0 messages: The dispute was open when you wrote. It’s escalated now.',
  ],
  [
    'dispute-answer',
    facts({ status: 'escalated' }),
    facts(),
    facts(),
    'Compared: 0 messages: The dispute was escalated when you wrote. It’s open now.',
  ],
  [
    'dispute-answer',
    facts({ status: 'open' }),
    facts({ status: 'resolved' }),
    facts(),
    'Compared: 0 messages: The dispute was resolved and accepts no more messages.',
  ],
  [
    'dispute-answer',
    facts(),
    null,
    facts(),
    'Compared: no longer exists: This dispute no longer exists on the service.',
  ],
])('describes a comparison in the history: %s', async (kind, seen, present, wanted, event) => {
  world.service.set('off_1', present)
  const { entryId } = world.add({ kind, seen, wanted })
  await compare()
  expect(world.history(entryId).at(-1)).toBe(event)
})

it('explains a price that was changed to or from none', async () => {
  const first = world.add({ seen: facts() })
  await compare()
  expect(formatMessages(entry(first.entryId).reason)).toContain('the price was no price. On')
})

it('compares every minute and when a change is queued, until the account stops', async () => {
  world.add()
  const stop = world.ready()
  await world.settle()
  expect(world.calls).toEqual(['read off_1'])
  world.clock.advance(59_999)
  await world.settle()
  expect(world.calls).toHaveLength(1)
  world.clock.advance(1)
  await world.settle()
  expect(world.calls).toHaveLength(2)
  world.service.set('off_2', price(1285))
  world.add({ subjectId: 'off_2' })
  await world.settle()
  expect(world.calls.slice(2)).toEqual(['read off_1', 'read off_2'])
  stop()
  world.clock.advance(120_000)
  await world.settle()
  expect(world.calls).toHaveLength(4)
  world.add({ subjectId: 'off_3' })
  await world.settle()
  expect(world.calls).toHaveLength(4)
})

it('waits for the connection before it compares', async () => {
  let connect = () => {}
  world.state.ready = new Promise((resolve) => {
    connect = resolve
  })
  world.add()
  world.ready()
  await world.settle()
  expect(world.calls).toEqual([])
  connect()
  await world.settle()
  expect(world.calls).toEqual(['read off_1'])
})

it('stops a comparison between two entries when the account stops', async () => {
  world.add()
  world.add({ subjectId: 'off_2' })
  const stop = world.ready()
  world.state.read = stop
  await world.settle()
  expect(world.calls).toEqual(['read off_1'])
  expect(world.reports).toEqual([])
})

it('retries a failed comparison and reports only defects', async () => {
  world.add()
  world.state.read = () => {
    throw failedWith('not-done')
  }
  world.ready()
  await world.settle()
  expect(world.reports).toEqual([])
  const defect = new Error('a defect')
  world.state.read = () => {
    throw defect
  }
  world.clock.advance(1000)
  await world.settle()
  expect(world.reports).toEqual([{ where: 'outbox', error: defect }])
})
