import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Account } from '../../contract/accounts.ts'
import type { Contract } from '../../contract/index.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import type { Offers } from '../offers/offers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { createDecisionReports } from './reports/decision-reports.ts'
import { createEarned } from './reports/earnings.ts'
import { createPriceEngine } from './engine/price-engine.ts'
import type { Watched } from './engine/price-engine.ts'
import { lookUpBestPrices } from './polling/best-prices.ts'
import { marketList, overviewOf } from './reports/market.ts'
import type { MarketContext } from './reports/market.ts'
import { offerDetails } from './reports/offer-details.ts'
import { createProposalActions } from './sending/proposal-actions.ts'
import { createSimulations } from './simulation/simulations.ts'
import { createRules } from './rules/manage-rules.ts'
import { createSendQueue } from './sending/send-queue.ts'
import type { WatchSession } from './session.ts'
import { createStopSwitch } from './sending/stop-switch.ts'
import { createPriceWatchLoop } from './polling/poll-loop.ts'

export { priceWatchSchema } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

/**
 * The price watch of seller accounts: decides prices by rules, proposes them, sends them when
 * approved or by auto-apply, and logs every decision.
 */
export function createPriceWatch(
  context: CoreContext,
  { offers, outbox }: { offers: Offers; outbox: Outbox },
) {
  const sessions = new Map<string, WatchSession>()
  const busy = new Map<Promise<unknown>, string>()
  const track = <T>(accountId: string, work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => busy.delete(tracked))
    busy.set(tracked, accountId)
    return tracked
  }
  const changed = (accountId: string) => (): void => {
    sessions.get(accountId)?.keeper.notify()
    context.changes.notify('price-watch', accountId)
  }

  function sessionOf(accountId: string): WatchSession {
    const known = sessions.get(accountId)
    if (known !== undefined) return known
    if (context.accounts.get(accountId).role !== 'seller')
      throw failure(
        'NOT_FOUND',
        'A partner account has no prices to watch.',
        'Choose a seller account.',
      )
    const keeper = createPriceEngine({ context, offers, outbox, accountId })
    const never = new AbortController().signal
    const sending = createSendQueue({
      context,
      offers,
      accountId,
      keeper,
      changed: changed(accountId),
      lookUp: (offerIds, signal) => lookUpBestPrices(context, accountId, keeper, offerIds, signal),
    })
    const session: WatchSession = {
      keeper,
      sending,
      watcher: null,
      ends: never,
      earned: createEarned(keeper.store.db, () => context.clock.now()),
    }
    sessions.set(accountId, session)
    return session
  }
  const sellers = (): WatchSession[] =>
    context.accounts
      .list()
      .filter(({ role }) => role === 'seller')
      .map(({ id }) => sessionOf(id))

  function start(account: Account, ends: AbortSignal): void {
    if (account.role !== 'seller') return
    const removal = new AbortController()
    const signal = AbortSignal.any([ends, removal.signal])
    const session = sessionOf(account.id)
    session.ends = signal
    session.watcher = createPriceWatchLoop({
      context,
      offers,
      accountId: account.id,
      keeper: session.keeper,
      sending: session.sending,
      changed: changed(account.id),
      signal,
      track: (work) => track(account.id, work),
    })
    stops.set(account.id, () => removal.abort())
  }
  const stops = new Map<string, () => void>()
  context.accounts.onReady(start)
  context.accounts.onRelease(async (accountId) => {
    stops.get(accountId)?.()
    await Promise.allSettled([...busy].filter(([, of]) => of === accountId).map(([work]) => work))
    sessions.delete(accountId)
  })
  context.accounts.onSyncNow((accountId) => void sessions.get(accountId)?.watcher?.now())
  offers.onLimits((accountId, row) => sessionOf(accountId).keeper.limitsOf(row))
  offers.pricing.onPriceRequested((accountId, offerId, priceCents) =>
    sessionOf(accountId).keeper.store.recordSentPrice(offerId, priceCents, context.clock.now()),
  )

  async function groundOf({ keeper: { store }, earned }: WatchSession): Promise<MarketContext> {
    return {
      earned: await earned(),
      proposals: store.proposals(),
      sending: new Set(store.openOffers()),
    }
  }
  /** The account's price watch, after its offers have been decided at least once. */
  async function openSession(accountId: string): Promise<WatchSession> {
    const session = sessionOf(accountId)
    context.attention.markViewed(accountId, 'offers')
    if (session.keeper.watched().size === 0)
      await track(accountId, session.keeper.considerAll(session.ends))
    return session
  }
  function watchedOf(session: WatchSession, offerId: string): Watched {
    const found = session.keeper.watched().get(offerId) ?? session.keeper.consider([offerId])[0]
    if (found === undefined)
      throw failure(
        'NOT_FOUND',
        'Offer not found on this computer.',
        'Sync, or check the list of offers.',
      )
    return found
  }

  const note = (accountId: string | null, what: Localized, detail: Localized): void =>
    context.activity.add({
      accountId,
      what,
      detail,
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })

  /** Decides all offers again by current data, then looks up and sends what is due. */
  function decideAnew(): void {
    for (const { id, role } of context.accounts.list()) {
      if (role !== 'seller') continue
      const session = sessionOf(id)
      changed(id)()
      void track(id, session.keeper.considerAll(session.ends)).then(
        () => {
          changed(id)()
          void session.watcher?.now()
        },
        (error: unknown) => {
          if (!session.ends.aborted) context.report('price watch', error)
        },
      )
    }
  }

  const rules = createRules({ context, offers, openSession, track, changed, note })
  const simulations = createSimulations({
    context,
    historyOf: (accountId, offerId) => offers.offer({ accountId, offerId }).history,
    storeOf: (accountId) => sessionOf(accountId).keeper.store,
    offersOf: async (accountId) => [...(await openSession(accountId)).keeper.watched().values()],
    track,
  })

  return {
    rehearsals: simulations,
    async overview({ accountId }: Inputs['overview']): Promise<Outputs['overview']> {
      const session = await openSession(accountId)
      return overviewOf(
        session.keeper,
        await groundOf(session),
        context.clock.now(),
        offers.pricing.lastListing(accountId).lastAt,
      )
    },
    async market(asked: Inputs['market']): Promise<Outputs['market']> {
      const session = await openSession(asked.accountId)
      return marketList(session.keeper, await groundOf(session), asked)
    },
    async offer({ accountId, offerId }: Inputs['offer']): Promise<Outputs['offer']> {
      const session = await openSession(accountId)
      return offerDetails({
        keeper: session.keeper,
        watched: watchedOf(session, offerId),
        ground: await groundOf(session),
        readings: offers.offer({ accountId, offerId }).history,
        now: context.clock.now(),
      })
    },

    ...rules,
    ...createProposalActions({ context, openSession, track, changed }),
    ...createStopSwitch({ context, sellers, decideAnew, note }),
    ...createDecisionReports(context, openSession),

    /**
     * Looks up, decides and sends what is due. Resolves when that has finished, successfully or
     * not.
     */
    now: async (accountId: string): Promise<void> => {
      await sessionOf(accountId).watcher?.now()
    },
    /** Resolves when no work is running. The accounts' signals stop the poll loops. */
    async close(): Promise<void> {
      await Promise.allSettled([simulations.close(), ...busy.keys()])
      for (const { keeper } of sessions.values()) await keeper.log.flush()
    },
  }
}
export type PriceWatch = ReturnType<typeof createPriceWatch>
