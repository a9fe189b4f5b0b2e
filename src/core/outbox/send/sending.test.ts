import { afterEach, beforeEach, expect, it } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OutboxEntry, OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import { IN_FLIGHT_MS } from '../../journaled-send/journaled-send.ts'
import { problemOfFailure } from '../../testing/failures.ts'
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
const send = (entryId: string, more: Record<string, unknown> = {}) =>
  world.sender.send({ accountId, entryIds: [entryId], ...more })
/** A change that the person has seen compared. */
async function compared(changes: Parameters<FakeOutbox['add']>[0] = {}): Promise<OutboxEntry> {
  const { entryId } = world.add(changes)
  await compare()
  world.calls.length = 0
  world.changes.length = 0
  return entry(entryId)
}
const sends = () => world.calls.filter((call) => call.startsWith('send'))

it('reads a change again, sends it once and records both', async () => {
  const { entryId } = await compared()
  expect(await send(entryId)).toMatchObject([
    { entryId, accountId, state: 'sent', problem: null, settledAt: world.clock.now() },
  ])
  expect(await send(entryId)).toMatchObject([{ state: 'sent' }])
  expect(world.calls).toEqual(['read off_1', 'send off_1'])
  expect(world.sent).toMatchObject([
    { kind: 'offer-price', subjectId: 'off_1', wanted: { priceCents: 1240 }, text: null },
  ])
  expect(world.history(entryId)).toEqual([
    'Last seen on the service: Price 12.85',
    'You typed 12.40: Added to queued changes',
    'Compared: 12.85: Same as when you changed it',
    'Sending: You approved it',
    'Sent: The service has the change',
  ])
  expect(new Set(world.changes)).toEqual(new Set([entryId]))
})

it('records a change as being sent before the request leaves', async () => {
  const { entryId } = await compared()
  let during = ''
  world.state.send = () => void (during = entry(entryId).state)
  await send(entryId)
  expect(during).toBe('sending')
})

it('sends an answer with its text, and settles its lost response by that text', async () => {
  const dispute = facts({ status: 'open', messages: 2 })
  world.service.set('dis_1', dispute)
  const changes = { kind: 'dispute-answer', subjectId: 'dis_1', seen: dispute } as const
  const { entryId } = await compared({ ...changes, wanted: facts(), text: 'Hello' })
  world.state.respond = () => {
    throw failedWith('unknown')
  }
  expect(await send(entryId)).toMatchObject([{ state: 'sent' }])
  expect(world.sent.map(({ text }) => text)).toEqual(['Hello'])
})

it('sends nothing while the vault is locked and an answer must be decrypted', async () => {
  const dispute = facts({ status: 'open', messages: 2 })
  world.service.set('dis_1', dispute)
  const { entryId } = await compared({
    kind: 'dispute-answer',
    subjectId: 'dis_1',
    seen: dispute,
    text: 'Hello',
  })
  world.state.locked = true
  expect(await problemOfFailure(send(entryId))).toMatchObject({ code: 'VAULT_LOCKED' })
  world.state.locked = false
  expect(entry(entryId).state).toBe('waiting')
  expect(sends()).toEqual([])
})

it.each<[string, OutboxKind, OutboxFacts, OutboxFacts, OutboxFacts, boolean]>([
  ['another price', 'offer-price', price(1285), price(1284), price(1240), true],
  [
    'another status',
    'offer-status',
    facts({ status: 'active' }),
    facts({ status: 'blocked' }),
    facts({ status: 'paused' }),
    true,
  ],
  [
    'another number of messages',
    'dispute-answer',
    facts({ messages: 1 }),
    facts({ messages: 2 }),
    facts(),
    true,
  ],
  [
    'a lost lead',
    'offer-price',
    facts({ priceCents: 1285, leadCents: 0 }),
    facts({ priceCents: 1285, leadCents: -1 }),
    price(1240),
    true,
  ],
  [
    'a lead where none was known',
    'offer-price',
    facts({ priceCents: 1285, leadCents: null }),
    facts({ priceCents: 1285, leadCents: 5 }),
    price(1240),
    true,
  ],
  [
    'a smaller lead',
    'offer-price',
    facts({ priceCents: 1285, leadCents: 9 }),
    facts({ priceCents: 1285, leadCents: 1 }),
    price(1240),
    false,
  ],
  [
    'another customer price',
    'offer-price',
    facts({ priceCents: 1285, customerCents: 1500 }),
    facts({ priceCents: 1285, customerCents: 1600 }),
    price(1240),
    false,
  ],
])(
  'returns a change for a decision if the service has %s since it was shown',
  async (_, kind, seen, present, wanted, isReturned) => {
    world.service.set('off_1', seen)
    const { entryId } = await compared({ kind, seen, wanted })
    world.service.set('off_1', present)
    const [after] = await send(entryId)
    expect(after).toMatchObject({ state: isReturned ? 'waiting' : 'sent', problem: null })
    expect(sends()).toHaveLength(isReturned ? 0 : 1)
    if (isReturned)
      expect(world.history(entryId).at(-1)).toBe('Not sent: It changed again after you viewed it')
  },
)

it('compares with the state that was shown, not with the last state read', async () => {
  const shown = price(1285)
  const { entryId } = await compared()
  world.service.set('off_1', price(1375))
  await compare()
  expect(entry(entryId)).toMatchObject({ verdict: 'decide', present: { priceCents: 1375 } })
  expect(await send(entryId, { shown: { [entryId]: shown } })).toMatchObject([
    { state: 'waiting', verdict: 'decide' },
  ])
  expect(await send(entryId, { shown: { [entryId]: null } })).toMatchObject([{ state: 'waiting' }])
  expect(sends()).toEqual([])
  expect(await send(entryId, { shown: { [entryId]: price(1375) } })).toMatchObject([
    { state: 'sent' },
  ])
})

it.each([
  [1285, 'sent'],
  [1270, 'waiting'],
])('sends a change that was never compared only if it is ready: %s', async (now, state) => {
  world.service.set('off_1', price(now))
  const { entryId } = world.add()
  expect(await send(entryId)).toMatchObject([{ state }])
})

it.each([
  [null, 'gone', 'Compared: no longer exists: This offer no longer exists on the service.'],
  [price(1240), 'already', 'Compared: 12.40: Already as you want it'],
])('sends nothing where the subject is %j', async (now, verdict, event) => {
  const { entryId } = await compared()
  world.service.set('off_1', now)
  expect(await send(entryId)).toMatchObject([{ state: 'waiting', verdict, present: now }])
  expect(sends()).toEqual([])
  expect(world.history(entryId).at(-1)).toBe(event)
})

it('sends another price than the typed one, for one entry with a price', async () => {
  const first = await compared({
    wanted: facts({ priceCents: 1240, customerCents: 1400, status: 'active' }),
  })
  const status = world.add({ kind: 'offer-status', wanted: facts({ status: 'paused' }) })
  const priceCents = cents(1230)
  const both = { accountId, entryIds: [first.entryId, status.entryId], priceCents }
  expect(await problemOfFailure(world.sender.send(both))).toMatchObject({
    code: 'INVALID_INPUT',
    what: 'One price can’t be sent for several entries.',
    next: 'Send them one by one.',
    effect: 'Nothing was sent.',
  })
  expect(await problemOfFailure(send(status.entryId, { priceCents }))).toMatchObject({
    code: 'INVALID_INPUT',
    what: 'This change has no price.',
    next: 'Send it without a price.',
    effect: 'Nothing was sent.',
  })
  expect(world.calls).toEqual([])
  await send(first.entryId, { priceCents })
  const wanted = facts({ priceCents: 1230, customerCents: null, status: 'active' })
  expect(world.sent).toMatchObject([{ wanted }])
  expect(entry(first.entryId).wanted).toEqual(wanted)
})

it('sends a new offer at another price', async () => {
  world.service.set('product', facts())
  const { entryId } = await compared({ kind: 'offer-new', subjectId: 'product', seen: facts() })
  await send(entryId, { priceCents: cents(99) })
  expect(world.sent).toMatchObject([{ wanted: { priceCents: 99 } }])
})

it('keeps a rejected change waiting, with the rejection', async () => {
  const { entryId } = await compared()
  world.state.send = () => {
    throw failedWith('rejected')
  }
  expect(await send(entryId)).toMatchObject([
    { state: 'waiting', settledAt: null, problem: { what: 'The service rejected the change.' } },
  ])
  expect(world.history(entryId).at(-1)).toBe('Not sent: The service rejected the change.')
  expect(world.calls).toEqual(['read off_1', 'send off_1'])
  world.add({ wanted: price(1230) })
  expect(entry(entryId).problem).toBeNull()
})

it('compares a change again when the service rejects it as changed meanwhile', async () => {
  const { entryId } = await compared()
  world.state.send = () => {
    world.service.set('off_1', price(1299))
    throw failedWith('rejected', { code: 'CHANGED_MEANWHILE' })
  }
  expect(await send(entryId)).toMatchObject([
    { state: 'waiting', verdict: 'decide', present: { priceCents: 1299 } },
  ])
})

const lostResponse = 'The response was lost: Keydesk is checking whether the service has the change'
const madeAfterAll = 'Sent: The response was lost, but the service has the change'

it.each([
  [true, 'sent', madeAfterAll],
  [false, 'waiting', 'Not sent: The response was lost, and the service doesn’t have the change'],
])('looks up a lost response; the service has the change: %s', async (isMade, state, event) => {
  const { entryId } = await compared()
  world.state[isMade ? 'respond' : 'send'] = () => {
    throw failedWith('unknown')
  }
  expect(await send(entryId)).toMatchObject([{ state: isMade ? 'sent' : 'unknown' }])
  world.clock.advance(IN_FLIGHT_MS)
  await compare()
  expect(entry(entryId)).toMatchObject({ state, problem: null })
  expect(world.history(entryId).slice(-2)).toEqual([lostResponse, event])
  expect(sends()).toHaveLength(1)
})

it.each(['sent here', 'added without a response', 'left by an earlier run'])(
  'keeps a change unknown while it can still arrive: %s',
  async (how) => {
    const problem = failedWith('unknown').problem
    const { entryId } =
      how === 'sent here'
        ? await compared()
        : world.add(how === 'left by an earlier run' ? {} : { lost: problem })
    if (how === 'left by an earlier run') world.leave(entryId, 'unknown')
    world.state.send = () => {
      throw failedWith('unknown')
    }
    await send(entryId)
    await compare()
    world.clock.advance(IN_FLIGHT_MS - 1)
    world.outbox.drop({ accountId, entryIds: [entryId] })
    await compare()
    expect(entry(entryId)).toMatchObject({ state: 'unknown' })
    world.service.set('off_1', price(1240))
    await compare()
    expect(entry(entryId)).toMatchObject({ state: 'sent', problem: null })
    expect(world.history(entryId).at(-1)).toBe(madeAfterAll)
  },
)

it('keeps a change unknown that can land while it is looked up', async () => {
  const { entryId } = world.add({ lost: failedWith('unknown').problem })
  world.clock.advance(IN_FLIGHT_MS - 1)
  world.state.read = () => world.clock.advance(1)
  await compare()
  expect(entry(entryId)).toMatchObject({ state: 'unknown' })
  await compare()
  expect(entry(entryId)).toMatchObject({ state: 'waiting' })
})

it('keeps a change unknown while the lookup fails, and settles it at the next comparison', async () => {
  const { entryId } = await compared()
  const lost = () => {
    throw failedWith('unknown')
  }
  world.state.respond = () => {
    world.state.read = lost
    lost()
  }
  expect(await send(entryId)).toMatchObject([
    { state: 'unknown', problem: { what: 'The service rejected the change.' } },
  ])
  expect(await send(entryId)).toMatchObject([{ state: 'unknown' }])
  world.state.read = () => {}
  await compare()
  expect(entry(entryId)).toMatchObject({ state: 'sent', settledAt: world.clock.now() })
  expect(sends()).toHaveLength(1)
})

it('keeps a change unknown when a defect interrupts the sending', async () => {
  const { entryId } = await compared()
  world.state.send = () => {
    throw new Error('a defect')
  }
  await expect(send(entryId)).rejects.toThrow('a defect')
  expect(entry(entryId)).toMatchObject({ state: 'unknown', problem: null })
})

it.each(['sending', 'unknown'] as const)(
  'settles a change that a stop of Keydesk left as %s, and then compares it',
  async (state) => {
    const { entryId } = world.add()
    world.leave(entryId, state)
    await compare()
    expect(entry(entryId)).toMatchObject({ state })
    world.clock.advance(IN_FLIGHT_MS)
    world.calls.length = 0
    await compare()
    expect(entry(entryId)).toMatchObject({ state: 'waiting', verdict: 'ready' })
    expect(world.calls).toEqual(['read off_1', 'read off_1'])
  },
)

it('settles and sends one entry one at a time', async () => {
  const { entryId } = await compared()
  await Promise.all([send(entryId), send(entryId), compare()])
  expect(sends()).toHaveLength(1)
  expect(world.sent).toHaveLength(1)
})
