import { expect, test } from 'vitest'
import type { OfferHold } from '../../../contract/price-watch/price-watch-records.ts'
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
    stateOf: () => ({}),
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

/** Actions on offers with these holds, at a time that can be set. */
function actionsOn(holds: Map<string, OfferHold | null>) {
  const clock = { at: 5000 }
  const keeper = {
    store: { transaction: (work: () => void) => work() },
    stateOf: (offerId: string) => (holds.has(offerId) ? { hold: holds.get(offerId) } : null),
    remember: (offerId: string, { hold }: { hold: OfferHold | null }) => holds.set(offerId, hold),
    consider() {},
  }
  const actions = createProposalActions({
    context: { clock: { now: () => clock.at } },
    openSession: async () => ({ keeper }),
    changed: () => () => {},
  } as unknown as Parameters<typeof createProposalActions>[0])
  return { actions, clock }
}

test('restores the holds that offers had before they were held', async () => {
  const before = new Map<string, OfferHold | null>([
    ['free', null],
    ['held', { why: 'person', until: null, since: 1000 }],
    ['foreign', { why: 'foreign', until: null, since: 2000 }],
  ])
  const holds = new Map(before)
  const { actions } = actionsOn(holds)
  const earlier = await actions.hold({
    accountId,
    offerIds: [...before.keys(), 'unknown'],
    until: 9000,
  })
  const snoozed = { why: 'snoozed', until: 9000, since: 5000 }
  expect([...holds.values()]).toEqual([snoozed, snoozed, snoozed])
  await actions.undoHold({ accountId, ...earlier })
  expect(holds).toEqual(before)
})

test('doesn’t restore a hold that was set or ended after the one to undo', async () => {
  const holds = new Map<string, OfferHold | null>([
    ['released', { why: 'person', until: null, since: 1000 }],
    ['foreign', null],
  ])
  const { actions, clock } = actionsOn(holds)
  const earlier = await actions.hold({ accountId, offerIds: [...holds.keys()], until: null })
  clock.at = 6000
  const foreign: OfferHold = { why: 'foreign', until: null, since: 6000 }
  holds.set('released', null)
  holds.set('foreign', foreign)
  await actions.undoHold({ accountId, ...earlier })
  expect([...holds]).toEqual([
    ['released', null],
    ['foreign', foreign],
  ])
})
