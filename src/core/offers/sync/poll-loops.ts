import type { Account } from '../../../contract/accounts.ts'
import type { CoreContext, ServiceConnection } from '../../context.ts'
import type { PollLoop } from '../../mirror/mirror.ts'
import { startPolling } from '../../polling/polling.ts'
import { alertOf, createAlertThrottle, groupAlerts } from './alerts.ts'
import type { Alert } from './alerts.ts'
import { settleOpenChange } from '../changes/change-offer.ts'
import type { OfferSession } from '../changes/change-offer.ts'
import type { OfferFacts } from './facts.ts'
import { pollOffers } from './poll.ts'
import type { OfferRecord } from '../store.ts'

/**
 * How long a person waits for the list after the response to a new offer was lost, in milliseconds.
 */
const LIST_TIMEOUT_MS = 15_000
/** Lists of up to this many pages are read again right after a change. */
const SHORT_LIST_PAGES = 20

type OfferPollLoop = { stop: () => void; rounds: PollLoop; desk: OfferSession }

type Parts = {
  context: CoreContext
  deskOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
  track: <T>(accountId: string, work: Promise<T>) => Promise<T>
  settleWithdrawals: (accountId: string) => Promise<void>
}

/** The poll loops of seller accounts: each sync pass settles open changes and reads all offers. */
export function createOfferSync({ context, deskOf, inTurn, track, settleWithdrawals }: Parts) {
  const throttle = createAlertThrottle(() => context.clock.now())
  const loops = new Map<string, OfferPollLoop>()

  async function syncPass(
    desk: OfferSession,
    connection: Pick<ServiceConnection, 'call'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    await settleWithdrawals(desk.accountId)
    for (const { offerId } of desk.store.openChanges()) {
      await inTurn(desk.accountId, offerId, async () => {
        const change = desk.store.change(offerId)
        if (change?.state === 'saving') await settleOpenChange(context, desk, change, signal)
      })
    }
    const alerts: Alert[] = []
    const noteAlert = (before: OfferRecord, now: OfferFacts): void => {
      const alert = alertOf(before, now, context.settings.get().lowStock)
      if (alert !== null) alerts.push(alert)
    }
    const changed = await pollOffers({
      store: desk.store,
      connection: connection,
      now: () => context.clock.now(),
      signal,
      fresh: desk.fresh,
      changed: noteAlert,
    })
    for (const notice of groupAlerts(throttle.fresh(alerts)))
      context.notices.notify({ accountId: desk.accountId, ...notice })
    context.changes.notify('offers', desk.accountId)
    if (changed) context.changes.notify('catalogue', desk.accountId)
    context.changes.notify('connection', desk.accountId)
    return changed
  }

  /** Starts the poll loop of an account, and returns the signal that ends its work. */
  function start(account: Account, ends: AbortSignal): AbortSignal {
    const removal = new AbortController()
    const signal = AbortSignal.any([ends, removal.signal])
    const desk = deskOf(account.id)
    const loop: OfferPollLoop = {
      desk,
      stop: () => removal.abort(),
      rounds: startPolling({
        context,
        accountId: account.id,
        topic: 'offers',
        signal,
        read: (connection) => track(account.id, syncPass(desk, connection, signal)),
      }),
    }
    loops.set(account.id, loop)
    signal.addEventListener(
      'abort',
      () => {
        if (loops.get(account.id) === loop) loops.delete(account.id)
      },
      { once: true },
    )
    return signal
  }

  return {
    start,
    stop: (accountId: string): void => loops.get(accountId)?.stop(),
    /** Reads the offers as soon as the rate limit allows. */
    async now(accountId: string): Promise<void> {
      await loops.get(accountId)?.rounds.runNow()
    },
    /**
     * Reads short lists again after a change, because it can affect other offers, for example which
     * one is cheapest.
     */
    afterChange(accountId: string): void {
      const loop = loops.get(accountId)
      if (loop !== undefined && loop.desk.store.sync().pages <= SHORT_LIST_PAGES)
        void loop.rounds.runNow()
    },
    /** Reads the list, but doesn't wait longer than a person would. */
    listAgain: (accountId: string): Promise<void> =>
      new Promise((resolve) => {
        const cancel = context.clock.after(LIST_TIMEOUT_MS, resolve)
        void (loops.get(accountId)?.rounds.runNow() ?? Promise.resolve()).then(() => {
          cancel()
          resolve()
        })
      }),
    /** Reads the list unless that was done a moment ago. */
    async refresh(accountId: string): Promise<void> {
      if (context.clock.now() - (deskOf(accountId).store.sync().lastAt ?? 0) > LIST_TIMEOUT_MS)
        await loops.get(accountId)?.rounds.runNow()
    },
  }
}
