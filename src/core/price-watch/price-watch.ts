import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Account } from '../../contract/accounts.ts'
import type { Contract } from '../../contract/index.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import type { Offers } from '../offers/offers.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { decisionsCsv } from './csv.ts'
import { createEarned } from './earned.ts'
import { createKeeper } from './keeper.ts'
import type { Keeper, Watched } from './keeper.ts'
import { lookUp } from './looks.ts'
import { leadSince, marketList, marketRow, overviewOf } from './market.ts'
import type { MarketGround } from './market.ts'
import { createRehearsals } from './rehearsal/rehearsals.ts'
import { createRuleDesk } from './rule-desk.ts'
import { createSending } from './sending.ts'
import type { Sending } from './sending.ts'
import { createWatcher } from './watcher.ts'
import type { Watcher } from './watcher.ts'

export { priceWatchSchema } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

const DAY_MS = 86_400_000
const MONTH_MS = 30 * DAY_MS
const EXPORTED = 200_000
/** Decisions to mark in the chart, and their maximum number. */
const marked = [
  'applied',
  'last-check',
  'refused',
  'answer-lost',
  'at-floor',
  'at-ceiling',
  'war',
  'too-far',
  'daily-limit',
  'changed-elsewhere',
] as const
const MARKS = 300

type Desk = {
  keeper: Keeper
  sending: Sending
  watcher: Watcher | null
  ends: AbortSignal
  earned: ReturnType<typeof createEarned>
}

/**
 * The price watch of seller accounts: decides prices by rules, proposes them, sends them when
 * approved or by auto-apply, and logs every decision.
 */
export function createPriceWatch(
  context: CoreContext,
  { offers, outbox }: { offers: Offers; outbox: Outbox },
) {
  const desks = new Map<string, Desk>()
  const busy = new Map<Promise<unknown>, string>()
  const track = <T>(accountId: string, work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => busy.delete(tracked))
    busy.set(tracked, accountId)
    return tracked
  }
  const changed = (accountId: string) => (): void => {
    desks.get(accountId)?.keeper.tellPeople()
    context.changes.notify('price-watch', accountId)
  }

  function deskOf(accountId: string): Desk {
    const known = desks.get(accountId)
    if (known !== undefined) return known
    if (context.accounts.get(accountId).role !== 'seller')
      throw failure(
        'NOT_FOUND',
        'A partner account has no prices to watch.',
        'Choose a seller account.',
      )
    const keeper = createKeeper({ context, offers, outbox, accountId })
    const never = new AbortController().signal
    const sending = createSending({
      context,
      offers,
      accountId,
      keeper,
      changed: changed(accountId),
      lookUp: (offerIds, signal) => lookUp(context, accountId, keeper, offerIds, signal),
    })
    const desk: Desk = {
      keeper,
      sending,
      watcher: null,
      ends: never,
      earned: createEarned(keeper.store.db, () => context.clock.now()),
    }
    desks.set(accountId, desk)
    return desk
  }
  const sellers = (): Desk[] =>
    context.accounts
      .list()
      .filter(({ role }) => role === 'seller')
      .map(({ id }) => deskOf(id))

  function start(account: Account, ends: AbortSignal): void {
    if (account.role !== 'seller') return
    const removal = new AbortController()
    const signal = AbortSignal.any([ends, removal.signal])
    const desk = deskOf(account.id)
    desk.ends = signal
    desk.watcher = createWatcher({
      context,
      offers,
      accountId: account.id,
      keeper: desk.keeper,
      sending: desk.sending,
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
    desks.delete(accountId)
  })
  context.accounts.onSyncNow((accountId) => void desks.get(accountId)?.watcher?.now())
  offers.onLimits((accountId, row) => deskOf(accountId).keeper.limitsOf(row))
  offers.pricing.onAsked((accountId, offerId, priceCents) =>
    deskOf(accountId).keeper.store.noteAsked(offerId, priceCents, context.clock.now()),
  )

  async function groundOf({ keeper: { store }, earned }: Desk): Promise<MarketGround> {
    return {
      earned: await earned(),
      proposals: store.proposals(),
      sending: new Set(store.openOffers()),
    }
  }
  /** The account's price watch, after its offers have been decided at least once. */
  async function looking(accountId: string): Promise<Desk> {
    const desk = deskOf(accountId)
    context.attention.markViewed(accountId, 'offers')
    if (desk.keeper.watched().size === 0) await track(accountId, desk.keeper.considerAll(desk.ends))
    return desk
  }
  function watchedOf(desk: Desk, offerId: string): Watched {
    const found = desk.keeper.watched().get(offerId) ?? desk.keeper.consider([offerId])[0]
    if (found === undefined)
      throw failure(
        'NOT_FOUND',
        'Offer not found on this computer.',
        'Sync, or check the list of offers.',
      )
    return found
  }

  const note = (accountId: string | null, what: string, detail: string): void =>
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
      const desk = deskOf(id)
      changed(id)()
      void track(id, desk.keeper.considerAll(desk.ends)).then(
        () => {
          changed(id)()
          void desk.watcher?.now()
        },
        (error: unknown) => {
          if (!desk.ends.aborted) context.report('price watch', error)
        },
      )
    }
  }

  const ruleDesk = createRuleDesk({ context, offers, looking, track, changed, note })
  const rehearsals = createRehearsals({
    context,
    historyOf: (accountId, offerId) => offers.offer({ accountId, offerId }).history,
    storeOf: (accountId) => deskOf(accountId).keeper.store,
    offersOf: async (accountId) => [...(await looking(accountId)).keeper.watched().values()],
    track,
  })

  return {
    rehearsals,
    async overview({ accountId }: Inputs['overview']): Promise<Outputs['overview']> {
      const desk = await looking(accountId)
      return overviewOf(
        desk.keeper,
        await groundOf(desk),
        context.clock.now(),
        offers.pricing.listed(accountId).lastAt,
      )
    },
    async market(asked: Inputs['market']): Promise<Outputs['market']> {
      const desk = await looking(asked.accountId)
      return marketList(desk.keeper, await groundOf(desk), asked)
    },
    async offer({ accountId, offerId }: Inputs['offer']): Promise<Outputs['offer']> {
      const desk = await looking(accountId)
      const { keeper } = desk
      const watched = watchedOf(desk, offerId)
      const ground = await groundOf(desk)
      const now = context.clock.now()
      const earned = ground.earned.get(offerId)
      return {
        ...marketRow(watched, ground),
        decision: keeper.log.latest(offerId),
        rule: watched.stored?.rule ?? null,
        history: {
          points: offers
            .offer({ accountId, offerId })
            .history.map(({ at, priceCents, lowestCustomerCents, isCheapest, stock }) => ({
              at,
              customerCents: Math.round(
                priceCents * (watched.facts.customerCents / watched.facts.priceCents),
              ),
              bestCents: lowestCustomerCents,
              lead:
                stock === 0
                  ? ('none' as const)
                  : isCheapest === null
                    ? ('unknown' as const)
                    : isCheapest
                      ? ('leading' as const)
                      : ('behind' as const),
            })),
          changes: keeper.store
            .settled(offerId, 200)
            .flatMap(({ state, settledAt, fromCents, targetCents, reason, sentBy }) =>
              state === 'applied' && settledAt !== null
                ? [{ at: settledAt, fromCents, toCents: targetCents, reason, by: sentBy }]
                : [],
            )
            .toReversed(),
          marks: keeper.log
            .list(
              { offerId, reasons: marked, from: now - MONTH_MS, to: null, sentOnly: false },
              0,
              MARKS,
            )
            .rows.toReversed()
            .flatMap(({ at, reason, targetCents }) =>
              at < now - MONTH_MS ? [] : [{ at, reason, targetCents }],
            ),
          leadDay: leadSince(keeper, offerId, now - DAY_MS, now),
          leadMonth: leadSince(keeper, offerId, now - MONTH_MS, now),
          earnedMonthCents: earned?.cents ?? 0,
          soldMonth: earned?.sales ?? 0,
        },
      }
    },

    ...ruleDesk,

    async approve({ accountId, offers: approved }: Inputs['approve']): Promise<Outputs['approve']> {
      const desk = await looking(accountId)
      const { store } = desk.keeper
      if (store.stoppedAt() !== null)
        throw failure(
          'STOPPED',
          'Sending of prices is stopped.',
          'Resume it, then approve again.',
          { effect: 'Nothing was sent.' },
        )
      const left: string[] = []
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
            store.queue(
              { ...proposal, sendId: context.random.id(), sentBy: 'person' },
              context.clock.now(),
            )
            store.dropProposal(offerId)
          }
        }
      })
      changed(accountId)()
      void track(accountId, desk.sending.pump(desk.ends)).catch((error: unknown) =>
        context.report('price watch', error),
      )
      return { approved: approved.length - left.length, changed: left }
    },
    async reject({ accountId, offerIds }: Inputs['reject']): Promise<void> {
      const desk = await looking(accountId)
      const { keeper } = desk
      for (const offerId of offerIds) {
        const proposal = keeper.store.proposal(offerId)
        const state = keeper.stateOf(offerId)
        if (proposal !== null && state !== null)
          keeper.remember(offerId, {
            ...state,
            rejected: { targetCents: proposal.targetCents, bestCents: proposal.bestCents },
          })
      }
      keeper.consider(offerIds)
      changed(accountId)()
    },
    async hold({ accountId, offerIds, until }: Inputs['hold']): Promise<void> {
      const { keeper } = await looking(accountId)
      for (const offerId of offerIds) {
        const state = keeper.stateOf(offerId)
        if (state !== null)
          keeper.remember(offerId, {
            ...state,
            hold: { why: until === null ? 'person' : 'snoozed', until, since: context.clock.now() },
          })
      }
      keeper.consider(offerIds)
      changed(accountId)()
    },
    async release({ accountId, offerIds }: Inputs['release']): Promise<void> {
      const { keeper } = await looking(accountId)
      for (const offerId of offerIds) {
        const state = keeper.stateOf(offerId)
        if (state !== null) keeper.remember(offerId, { ...state, hold: null, rejected: null })
      }
      keeper.consider(offerIds)
      changed(accountId)()
    },
    async look({ accountId, offerIds }: Inputs['look']): Promise<void> {
      const desk = await looking(accountId)
      await track(accountId, lookUp(context, accountId, desk.keeper, offerIds, desk.ends))
      desk.keeper.consider(offerIds)
      changed(accountId)()
    },

    stopAll(): Outputs['stopAll'] {
      const now = context.clock.now()
      let returned = 0
      for (const desk of sellers()) {
        const { store } = desk.keeper
        if (store.stoppedAt() === null) store.stop(now)
        returned += store.sends('queued').length
        desk.sending.stop()
      }
      note(
        null,
        'Prices',
        returned === 0 ? 'sending stopped' : `sending stopped, ${returned} not sent`,
      )
      decideAnew()
      return { returned }
    },
    resume(): void {
      note(null, 'Prices', 'sending resumed')
      for (const desk of sellers()) desk.keeper.store.stop(null)
      decideAnew()
    },
    switch(): Outputs['switch'] {
      const all = sellers().map(({ keeper }) => keeper)
      const stopped = all.flatMap(({ store }) => store.stoppedAt() ?? [])
      return {
        auto: all.reduce(
          (sum, keeper) => sum + keeper.rules().filter(({ mode }) => mode === 'auto').length,
          0,
        ),
        stoppedAt: stopped.length === 0 ? null : Math.min(...stopped),
        sending: all.reduce((sum, { store }) => sum + store.openSends(), 0),
      }
    },

    async decisions({
      accountId,
      offerId = null,
      reasons = [],
      from = null,
      to = null,
      sentOnly = false,
      window,
    }: Inputs['decisions']): Promise<Outputs['decisions']> {
      const { keeper } = await looking(accountId)
      const found = keeper.log.list(
        { offerId, reasons, from, to, sentOnly },
        window?.offset ?? 0,
        window?.limit ?? 100,
      )
      const of = (id: string) => keeper.watched().get(id)?.facts
      return {
        total: found.total,
        rows: found.rows.map((row) => ({
          ...row,
          name: of(row.offerId)?.name ?? row.offerId,
          platform: of(row.offerId)?.platform ?? '',
        })),
      }
    },
    async exportDecisions({
      accountId,
      offerId = null,
      from = null,
      to = null,
    }: Inputs['exportDecisions']): Promise<Outputs['exportDecisions']> {
      const { keeper } = await looking(accountId)
      await keeper.log.flush()
      const { rows } = keeper.log.list(
        { offerId, reasons: [], from, to, sentOnly: false },
        0,
        EXPORTED,
      )
      return {
        fileName: `price-decisions-${new Date(context.clock.now()).toISOString().slice(0, 10)}.csv`,
        base64: Buffer.from(
          decisionsCsv(rows, (id) => keeper.watched().get(id)?.facts.name ?? id),
        ).toString('base64'),
      }
    },
    /**
     * Looks up, decides and sends what is due. Resolves when that has finished, successfully or
     * not.
     */
    now: async (accountId: string): Promise<void> => {
      await deskOf(accountId).watcher?.now()
    },
    /** Resolves when no work is running. The accounts' signals stop the poll loops. */
    async close(): Promise<void> {
      await Promise.allSettled([rehearsals.close(), ...busy.keys()])
      for (const { keeper } of desks.values()) await keeper.log.flush()
    },
  }
}
export type PriceWatch = ReturnType<typeof createPriceWatch>
