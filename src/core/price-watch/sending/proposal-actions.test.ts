import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { OfferHold } from '../../../contract/price-watch/price-watch-records.ts'
import type { WatchState } from '../rules/facts.ts'
import { createProposalActions } from './proposal-actions.ts'

const accountId = 'seller'
const offerIds = Array.from({ length: 600 }, (_, index) => `off_${index}`)

/** Actions on offers whose states are only counted, by the transaction that changes them. */
function countedActions() {
  let isOpen = false
  const transactions: { changed: number; decided: number }[] = []
  const keeper = {
    store: {
      proposal: () => ({ targetCents: 900, bestCents: 950 }),
      transaction(work: () => void) {
        isOpen = true
        transactions.push({ changed: 0, decided: 0 })
        work()
        isOpen = false
      },
    },
    stateOf: () => ({ rejected: null }),
    remember() {
      const at = transactions.at(-1)
      if (!isOpen || at === undefined) throw new Error('a state is changed without a transaction')
      at.changed += 1
    },
    consider(ids: readonly string[]) {
      const at = transactions.at(-1)
      if (at !== undefined) at.decided += ids.length
    },
  }
  const actions = createProposalActions({
    context: { clock: { now: () => 0 } },
    openSession: async () => ({ keeper }),
    changed: () => () => {},
  } as unknown as Parameters<typeof createProposalActions>[0])
  return { actions, transactions }
}

test.each(['release', 'reject', 'hold'] as const)(
  'changes and decides many offers in few transactions: %s',
  async (action) => {
    const { actions, transactions } = countedActions()
    if (action === 'hold') await actions.hold({ accountId, offerIds, until: null })
    else await actions[action]({ accountId, offerIds })
    expect(transactions).toEqual([
      { changed: 250, decided: 250 },
      { changed: 250, decided: 250 },
      { changed: 100, decided: 100 },
    ])
  },
)

type State = Pick<WatchState, 'hold' | 'rejected'>

/** Actions on offers with these states, at a time that can be set. All have the same proposal. */
function actionsOn(states: Map<string, State>) {
  const clock = { at: 5000 }
  const keeper = {
    store: {
      transaction: (work: () => void) => work(),
      proposal: (offerId: string) => (offerId === 'no-proposal' ? null : proposal),
    },
    stateOf: (offerId: string) => states.get(offerId) ?? null,
    remember: (offerId: string, state: State) => states.set(offerId, state),
    consider() {},
  }
  const actions = createProposalActions({
    context: { clock: { now: () => clock.at } },
    openSession: async () => ({ keeper }),
    changed: () => () => {},
  } as unknown as Parameters<typeof createProposalActions>[0])
  return { actions, clock }
}

const proposal = { targetCents: cents(900), bestCents: cents(950) }
const held: OfferHold = { why: 'person', until: null, since: 1000 }
const foreign: OfferHold = { why: 'foreign', until: null, since: 2000 }
const open: State = { hold: null, rejected: null }

test('restores the holds that offers had before they were held', async () => {
  const before = new Map<string, State>([
    ['free', open],
    ['held', { ...open, hold: held }],
    ['foreign', { ...open, hold: foreign }],
  ])
  const states = new Map(before)
  const { actions } = actionsOn(states)
  const earlier = await actions.hold({
    accountId,
    offerIds: [...before.keys(), 'unknown'],
    until: 9000,
  })
  const snoozed = { why: 'snoozed', until: 9000, since: 5000 }
  expect([...states.values()].map(({ hold }) => hold)).toEqual([snoozed, snoozed, snoozed])
  await actions.undoHold({ accountId, ...earlier })
  expect(states).toEqual(before)
})

test('doesn’t restore a hold that was set or ended after the one to undo', async () => {
  const states = new Map<string, State>([
    ['released', { ...open, hold: held }],
    ['foreign', open],
  ])
  const { actions, clock } = actionsOn(states)
  const earlier = await actions.hold({ accountId, offerIds: [...states.keys()], until: null })
  clock.at = 6000
  const later: OfferHold = { ...foreign, since: 6000 }
  states.set('released', open)
  states.set('foreign', { ...open, hold: later })
  await actions.undoHold({ accountId, ...earlier })
  expect([...states]).toEqual([
    ['released', open],
    ['foreign', { ...open, hold: later }],
  ])
})

test('undoes a rejection without ending a hold', async () => {
  const rejected = { targetCents: cents(880), bestCents: null }
  const before = new Map<string, State>([
    ['held', { ...open, hold: held }],
    ['held later', open],
    ['rejected before', { ...open, rejected }],
    ['no-proposal', { ...open, rejected }],
  ])
  const states = new Map(before)
  const { actions } = actionsOn(states)
  const earlier = await actions.reject({ accountId, offerIds: [...before.keys(), 'unknown'] })
  expect(states.get('held later')).toEqual({ hold: null, rejected: { ...proposal, since: 5000 } })
  states.set('held later', { ...open, ...states.get('held later'), hold: foreign })
  await actions.undoReject({ accountId, ...earlier })
  expect(states).toEqual(new Map([...before, ['held later', { ...open, hold: foreign }]]))
})

test('doesn’t undo a rejection that was ended or repeated', async () => {
  const states = new Map<string, State>([
    ['released', { ...open, rejected: { targetCents: cents(880), bestCents: null } }],
    ['repeated', open],
  ])
  const { actions, clock } = actionsOn(states)
  const offerIds = [...states.keys()]
  const earlier = await actions.reject({ accountId, offerIds })
  await actions.release({ accountId, offerIds })
  clock.at = 6000
  await actions.reject({ accountId, offerIds: ['repeated'] })
  await actions.undoReject({ accountId, ...earlier })
  expect([...states]).toEqual([
    ['released', open],
    ['repeated', { ...open, rejected: { ...proposal, since: 6000 } }],
  ])
})
