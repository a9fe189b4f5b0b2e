import { setImmediate } from 'node:timers/promises'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { failure } from '../../failure.ts'
import type { PriceWatchContext } from '../context.ts'
import type { PriceEngine } from '../engine/price-engine.ts'
import { lookUpBestPrices } from '../polling/best-prices.ts'
import type { WatchState } from '../rules/facts.ts'
import type { WatchSession } from '../session.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

type Parts = {
  context: PriceWatchContext
  openSession: (accountId: string) => Promise<WatchSession>
  changed: (accountId: string) => () => void
}

/** Offers that are changed and decided in one transaction, and without serving other requests. */
const CHUNK_SIZE = 250

/** Changes the states of offers, and decides them again. */
async function changeStates(
  keeper: PriceEngine,
  offerIds: readonly string[],
  change: (state: WatchState, offerId: string) => WatchState,
): Promise<void> {
  const all = [...new Set(offerIds)]
  for (let from = 0; from < all.length; from += CHUNK_SIZE) {
    if (from > 0) await setImmediate()
    const chunk = all.slice(from, from + CHUNK_SIZE)
    keeper.store.transaction(() => {
      for (const offerId of chunk) {
        const state = keeper.stateOf(offerId)
        if (state !== null) keeper.remember(offerId, change(state, offerId))
      }
      keeper.consider(chunk)
    })
  }
}

/**
 * A person's actions on proposals and offers: approve, reject, hold, undo a rejection or a hold,
 * release, refresh.
 */
export function createProposalActions({ context, openSession, changed }: Parts) {
  /** Restores what offers had before an action at `since`, unless it was changed afterwards. */
  async function restore<Part extends 'hold' | 'rejected'>(
    accountId: string,
    part: Part,
    since: number,
    before: ReadonlyMap<string, WatchState[Part]>,
  ): Promise<void> {
    const { keeper } = await openSession(accountId)
    await changeStates(keeper, [...before.keys()], (state, offerId) =>
      state[part]?.since === since ? { ...state, [part]: before.get(offerId) ?? null } : state,
    )
    changed(accountId)()
  }

  return {
    async approve({ accountId, offers: approved }: Inputs['approve']): Promise<Outputs['approve']> {
      const session = await openSession(accountId)
      const { store } = session.keeper
      if (store.stoppedAt() !== null)
        throw failure(
          'STOPPED',
          'Sending of prices is stopped.',
          'Resume it, then approve again.',
          { effect: 'Nothing was sent.' },
        )
      const left: string[] = []
      const sends: Outputs['approve']['sends'] = []
      store.transaction(() => {
        for (const { offerId, targetCents } of approved) {
          const proposal = store.proposal(offerId)
          if (
            proposal === null ||
            proposal.targetCents !== targetCents ||
            store.openSend(offerId) !== null
          )
            left.push(offerId)
          else {
            const sendId = context.random.id()
            store.queue({ ...proposal, sendId, sentBy: 'person' }, context.clock.now())
            store.dropProposal(offerId)
            sends.push({ offerId, sendId })
          }
        }
      })
      changed(accountId)()
      void session.files.spawn(session.sending.pump(session.ends))
      return { approved: sends.length, sends, changed: left }
    },
    async sends({ accountId, sendIds }: Inputs['sends']): Promise<Outputs['sends']> {
      const { store } = (await openSession(accountId)).keeper
      return sendIds.flatMap((id) => {
        const found = store.send(id)
        if (found === null) return []
        const { sendId, offerId, state, result } = found
        return [{ sendId, offerId, state, note: result }]
      })
    },
    async reject({ accountId, offerIds }: Inputs['reject']): Promise<Outputs['reject']> {
      const { keeper } = await openSession(accountId)
      const since = context.clock.now()
      const before: Outputs['reject']['before'] = []
      await changeStates(keeper, offerIds, (state, offerId) => {
        const proposal = keeper.store.proposal(offerId)
        if (proposal === null) return state
        before.push({ offerId, rejected: state.rejected })
        const { targetCents, bestCents } = proposal
        return { ...state, rejected: { targetCents, bestCents, since } }
      })
      changed(accountId)()
      return { since, before }
    },
    undoReject: ({ accountId, since, before }: Inputs['undoReject']): Promise<void> =>
      restore(
        accountId,
        'rejected',
        since,
        new Map(before.map(({ offerId, rejected }) => [offerId, rejected])),
      ),
    async hold({ accountId, offerIds, until }: Inputs['hold']): Promise<Outputs['hold']> {
      const { keeper } = await openSession(accountId)
      const why = until === null ? 'person' : 'snoozed'
      const since = context.clock.now()
      const before: Outputs['hold']['before'] = []
      await changeStates(keeper, offerIds, (state, offerId) => {
        before.push({ offerId, hold: state.hold })
        return { ...state, hold: { why, until, since } }
      })
      changed(accountId)()
      return { since, before }
    },
    undoHold: ({ accountId, since, before }: Inputs['undoHold']): Promise<void> =>
      restore(
        accountId,
        'hold',
        since,
        new Map(before.map(({ offerId, hold }) => [offerId, hold])),
      ),
    async release({ accountId, offerIds }: Inputs['release']): Promise<void> {
      const { keeper } = await openSession(accountId)
      await changeStates(keeper, offerIds, (state) => ({ ...state, hold: null, rejected: null }))
      changed(accountId)()
    },
    async refresh({ accountId, offerIds }: Inputs['refresh']): Promise<void> {
      const session = await openSession(accountId)
      await session.files.spawn(
        lookUpBestPrices(context, accountId, session.keeper, offerIds, session.ends),
      )
      session.keeper.consider(offerIds)
      changed(accountId)()
    },
  }
}
