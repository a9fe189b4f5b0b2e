import { isFresh } from '../../clock.ts'
import type { ServiceConnection } from '../../context.ts'
import type { AccountScope } from '../../lifecycle/lifecycle.ts'
import type { PollLoop } from '../../mirror/mirror.ts'
import { startPolling } from '../../polling/polling.ts'
import type { OffersContext } from '../context.ts'
import { alertOf, createAlertThrottle, groupAlerts } from './alerts.ts'
import type { Alert } from './alerts.ts'
import { settleOpenChange } from '../changes/change-offer.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import { noteShown } from '../changes/patch-offer.ts'
import type { OfferFacts } from './facts.ts'
import { pollOffers } from './poll.ts'
import type { OfferRecord } from '../store.ts'

/**
 * How long a person waits for the list after the response to a new offer was lost, in milliseconds.
 */
const LIST_TIMEOUT_MS = 15_000
/** Lists of up to this many pages are read again right after a change. */
const SHORT_LIST_PAGES = 20

/** A seller account's offers, and the loop that polls them once the account can work. */
export type OfferAccount = OfferSession & { pollLoop: PollLoop | null }

type Parts = {
  context: OffersContext
  /** An account if it is open. */
  opened: (accountId: string) => OfferAccount | undefined
  sessionOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
  settleWithdrawals: (accountId: string) => Promise<void>
}

/** The poll loops of seller accounts: each sync pass settles open changes and reads all offers. */
export function createOfferSync({ context, opened, sessionOf, inTurn, settleWithdrawals }: Parts) {
  const throttle = createAlertThrottle(context.clock)

  async function syncPass(
    session: OfferSession,
    connection: Pick<ServiceConnection, 'call'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    await settleWithdrawals(session.accountId)
    for (const { offerId } of session.store.openChanges()) {
      if (session.delayed.has(offerId)) continue
      await inTurn(session.accountId, offerId, async () => {
        const change = session.store.change(offerId)
        if (change?.state === 'saving') await settleOpenChange(context, session, change, signal)
      })
    }
    const alerts: Alert[] = []
    const noteAlert = (before: OfferRecord, now: OfferFacts): void => {
      const alert = alertOf(before, now, context.settings.get().lowStock)
      if (alert !== null) alerts.push(alert)
    }
    const changed = await pollOffers({
      store: session.store,
      connection: connection,
      now: () => context.clock.now(),
      signal,
      fresh: session.fresh,
      changed: noteAlert,
      shown: (offer) => noteShown(session, offer),
      onPage: () => context.changes.notify('offers', session.accountId),
    })
    for (const notice of groupAlerts(throttle.fresh(alerts)))
      context.notices.notify({ accountId: session.accountId, ...notice })
    context.changes.notify('offers', session.accountId)
    if (changed) context.changes.notify('catalogue', session.accountId)
    return changed
  }

  /** Starts the poll loop of an account, until its work ends. */
  function start(account: OfferAccount, { accountId, signal, spawn }: AccountScope): void {
    account.pollLoop = startPolling({
      context,
      accountId,
      topic: 'offers',
      signal,
      read: (connection) => spawn(syncPass(account, connection, signal)),
    })
  }
  const now = async (accountId: string): Promise<boolean> =>
    (await opened(accountId)?.pollLoop?.runNow()) ?? false

  return {
    start,
    /** Reads the offers as soon as the rate limit allows. Resolves with whether that succeeded. */
    now,
    /**
     * Reads short lists again after a change, because it can affect other offers, for example which
     * one is cheapest.
     */
    afterChange(accountId: string): void {
      const account = opened(accountId)
      if (account !== undefined && account.store.sync().pages <= SHORT_LIST_PAGES)
        void now(accountId)
    },
    /**
     * Reads the list, but doesn't wait longer than a person would. Resolves with whether it was
     * read by then.
     */
    listAgain: (accountId: string): Promise<boolean> =>
      new Promise((resolve) => {
        const cancel = context.clock.after(LIST_TIMEOUT_MS, () => resolve(false))
        void now(accountId).then((succeeded) => {
          cancel()
          resolve(succeeded)
        })
      }),
    /** Reads the list unless that was done a moment ago. */
    async refresh(accountId: string): Promise<void> {
      if (!isFresh(context.clock, sessionOf(accountId).store.sync().lastAt ?? 0, LIST_TIMEOUT_MS))
        await now(accountId)
    },
  }
}
export type OfferSync = ReturnType<typeof createOfferSync>
