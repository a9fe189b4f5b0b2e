import { expect, test } from 'vitest'
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
