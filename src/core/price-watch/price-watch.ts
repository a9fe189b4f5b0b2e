import { setImmediate } from 'node:timers/promises'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import { failure } from '../failure.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { AccountScope, Scope } from '../lifecycle/lifecycle.ts'
import type { Offers } from '../offers/offers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Duty } from '../context.ts'
import type { PriceWatchContext } from './context.ts'
import { createDecisionReports } from './reports/decision-reports.ts'
import { createEarned } from './reports/earnings.ts'
import { createPriceEngine } from './engine/price-engine.ts'
import type { PriceEngine, Watched } from './engine/price-engine.ts'
import { lookUpBestPrices } from './polling/best-prices.ts'
import { marketList, overviewOf, positionInMarket } from './reports/market.ts'
import type { MarketContext } from './reports/market.ts'
import { offerDetails } from './reports/offer-details.ts'
import { createProposalActions } from './sending/proposal-actions.ts'
import { createSimulations } from './simulation/simulations.ts'
import { createRules } from './rules/manage-rules.ts'
import type { PriceRules } from './rules/price-rules.ts'
import { createSendQueue } from './sending/send-queue.ts'
import type { WatchSession } from './session.ts'
import { createStopSwitch } from './sending/stop-switch.ts'
import { createPriceWatchLoop } from './polling/poll-loop.ts'
import { localEntry } from '../local-entry.ts'

export { priceWatchSchema } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

/**
 * The price watch of seller accounts: decides prices by rules, proposes them, sends them when
 * approved or by auto-apply, and logs every decision.
 */
function createPriceWatch(
  context: PriceWatchContext,
  { offers, outbox, priceRules }: { offers: Offers; outbox: Outbox; priceRules: PriceRules },
  scope: Scope,
) {
  const accounts = createAccountScopes<WatchSession>(context, scope, {
    role: 'seller',
    otherRole: ['A partner account has no prices to watch.', 'Choose a seller account.'],
    open: openAccount,
    start(session, { accountId, signal, spawn }) {
      session.ends = signal
      stopSwitch.apply(session)
      session.watcher = createPriceWatchLoop({
        context,
        offers,
        accountId,
        keeper: session.keeper,
        sending: session.sending,
        changed: changed(accountId),
        signal,
        track: spawn,
      })
    },
  })
  const sessionOf = accounts.of
  const changed = (accountId: string) => (): void => {
    accounts.opened(accountId)?.keeper.notify()
    context.changes.notify('price-watch', accountId)
  }

  /** Decides offers right after a person changes their cost or their own limits. */
  function watchTerms({ accountId, signal, spawn }: AccountScope, keeper: PriceEngine): void {
    let isDue = false
    async function decideChanged(): Promise<void> {
      // All offers of one change are decided together, after its transaction.
      await setImmediate()
      isDue = false
      const session = accounts.opened(accountId)
      if (session === undefined || signal.aborted || session.ends.aborted) return
      const ends = AbortSignal.any([signal, session.ends])
      try {
        if ((await keeper.decideChanged(ends)) > 0) changed(accountId)()
      } catch (error) {
        if (!ends.aborted) context.report('price watch', error)
      }
    }
    offers.pricing.onTermsChanged(
      accountId,
      () => {
        if (isDue) return
        isDue = true
        void spawn(decideChanged())
      },
      signal,
    )
  }

  function openAccount(files: AccountScope): WatchSession {
    const { accountId } = files
    const keeper = createPriceEngine({ context, offers, outbox, priceRules, accountId })
    for (const { offerId, targetCents } of keeper.store.sends('sending'))
      offers.pricing.meetPrice(accountId, offerId, targetCents)
    watchTerms(files, keeper)
    files.onEnd(() => keeper.log.flush())
    const sending = createSendQueue({
      context,
      offers,
      accountId,
      keeper,
      changed: changed(accountId),
      files,
      lookUp: (offerIds, signal) => lookUpBestPrices(context, accountId, keeper, offerIds, signal),
    })
    return {
      files,
      keeper,
      sending,
      watcher: null,
      ends: files.signal,
      earned: createEarned(keeper.store.db, context.clock, () =>
        context.accounts.serviceNow(accountId),
      ),
    }
  }
  context.accounts.onSyncNow((accountId) => void accounts.opened(accountId)?.watcher?.now())
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
      await session.files.spawn(session.keeper.considerAll(session.ends))
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
    context.activity.add(
      localEntry({
        accountId,
        what,
        detail,
      }),
    )

  /** Decides all offers again by current data, then looks up and sends what is due. */
  function decideAnew(): void {
    for (const session of accounts.awake()) {
      const notify = changed(session.files.accountId)
      notify()
      void session.files.spawn(session.keeper.considerAll(session.ends)).then(
        () => {
          notify()
          void session.watcher?.now()
        },
        (error: unknown) => {
          if (!session.ends.aborted) context.report('price watch', error)
        },
      )
    }
  }

  const stopSwitch = createStopSwitch({ context, accounts, decideAnew, note })
  const rules = createRules({ context, offers, openSession, changed, note })
  const simulations = createSimulations({
    context,
    historyOf: (accountId, offerId) => offers.offer({ accountId, offerId }).history,
    sessionOf,
    offersOf: async (accountId) => [...(await openSession(accountId)).keeper.watched().values()],
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
    async position(asked: Inputs['position']): Promise<Outputs['position']> {
      const session = await openSession(asked.accountId)
      return { index: await positionInMarket(session.keeper, await groundOf(session), asked) }
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
    ...createProposalActions({ context, openSession, changed }),
    stopAll: stopSwitch.stopAll,
    resume: stopSwitch.resume,
    switch: stopSwitch.switch,
    ...createDecisionReports(context, openSession),

    /** An account in which a rule sends prices gets its turn earlier. */
    duty: (accountId: string): Duty => (stopSwitch.isSending(accountId) ? 'soon' : null),
    /**
     * Looks up, decides and sends what is due. Resolves when that has finished, successfully or
     * not.
     */
    now: async (accountId: string): Promise<void> => {
      await sessionOf(accountId).watcher?.now()
    },
  }
}
export type PriceWatch = ReturnType<typeof createPriceWatch>

export const priceWatchFeature = defineFeature({
  name: 'priceWatch',
  schemas: [],
  start: createPriceWatch,
  duty: (priceWatch, { id, role }) => (role === 'seller' ? priceWatch.duty(id) : null),
})
