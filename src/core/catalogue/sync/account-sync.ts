import type { Database } from 'better-sqlite3'
import type { Account } from '../../../contract/app/accounts.ts'
import { Failure } from '../../failure.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import { startPollLoop } from '../../mirror/mirror.ts'
import { createThrottle } from '../../throttle.ts'
import type { PollLoop } from '../../mirror/mirror.ts'
import type { CatalogueContext } from '../context.ts'
import type { DetailSourceFile } from './partner-details.ts'
import { forgetOwnOfferNotes, ownOfferNotes, watchOwnOffers } from './own-offers.ts'
import { syncPartnerCatalogue } from './partner-sync.ts'
import { syncSellerCatalogue } from './seller-sync.ts'
import type { SellerPass } from './seller-sync.ts'
import { pagesOfOwnOffers } from '../store.ts'
import { createSyncJob } from './sync-job.ts'
import { readSyncState } from './sync-state.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'

const UPDATES_MS = 100
const SCREENS_MS = 500
const COPY_DETAILS_MS = 1000

/** The sync of one account's catalogue. */
export type AccountSync = {
  /** Aborts when the sync stops. */
  signal: AbortSignal
  resume: () => void
  rounds: PollLoop
  running: boolean
  failed: boolean
  kind: 'full' | 'changes'
  /** Copies partner details to a seller's mirror, at most once a second. */
  copyDetails: () => void
  /** The same immediately. Resolves when it has finished. */
  copyDetailsNow: () => Promise<void>
}

type Parts = {
  context: CatalogueContext
  workers: WorkerPool
  account: Account
  /** Aborts when the account stops working. */
  signal: AbortSignal
  /** The partner mirror that supplies a seller's missing details. */
  detailSource: () => DetailSourceFile | null
  /** Called when a partner's page changed products that sellers copy. */
  onPartnerPage: () => void
  /** Registers work that has to finish before the account's files are closed. */
  spawn: Scope['spawn']
}

/** Starts the sync of an account's catalogue. It stops when `signal` aborts. */
export function startAccountSync(parts: Parts): AccountSync {
  const { context, workers, account, signal, spawn, detailSource } = parts
  const { id } = account
  const db = context.mirrors.database(id)
  const connection = context.connection(id)
  const notifySync = createThrottle(context.clock, UPDATES_MS, () =>
    context.changes.notify('sync', id),
  )
  const notifyCatalogue = createThrottle(context.clock, SCREENS_MS, () => {
    if (!signal.aborted) context.changes.notify('catalogue', id)
  })
  const report =
    (where: string) =>
    (error: unknown): void => {
      if (!signal.aborted) context.report(where, error)
    }
  const job = createSyncJob(context, id, () => void sync.rounds.runNow(), signal)
  const relayOwnOffers = createOwnOfferRelay({
    db,
    signal,
    apply: (offers) => workers.execute(id, { do: 'own-offers', offers }, signal),
    onApplied: notifyCatalogue,
    track: (work) => void spawn(work).catch(report('own offers')),
  })

  const pass: Omit<SellerPass, 'signal' | 'pages' | 'execute'> = {
    now: () => context.clock.now(),
    pagesOfOwnOffers: () => pagesOfOwnOffers(db),
    page(state, changed) {
      job.show(state)
      notifySync()
      if (!changed) return
      notifyCatalogue()
      if (account.role === 'partner') parts.onPartnerPage()
    },
    added(productIds) {
      const source = detailSource()
      if (source === null || source.accountId !== readSyncState(db).lender) return
      void spawn(
        workers.execute(id, { do: 'copy-new-details', lender: source, productIds }, signal),
      ).catch(report('partner details'))
    },
  }

  let copying: Promise<void> = Promise.resolve()
  function copyDetailsNow(): Promise<void> {
    if (account.role === 'seller') {
      copying = spawn(
        copying
          .then(() =>
            signal.aborted
              ? 0
              : workers.execute(id, { do: 'copy-details', lender: detailSource() }, signal),
          )
          .then((changed) => {
            if (changed > 0) notifyCatalogue()
          })
          .catch(report('partner details')),
      )
    }
    return copying
  }

  async function runPass(): Promise<void> {
    if (job.wasCanceled()) return
    sync.kind = readSyncState(db).complete ? 'changes' : 'full'
    const stopped = job.startPass(sync.kind)
    if (account.role === 'seller') relayOwnOffers()
    const place = workers.pass(id)
    const here = { ...pass, ...place, signal: AbortSignal.any([signal, stopped]) }
    sync.running = true
    notifySync()
    try {
      await (account.role === 'partner' ? syncPartnerCatalogue(here) : syncSellerCatalogue(here))
      sync.failed = false
      if (sync.kind === 'changes')
        await workers.execute(id, { do: 'thin-history', now: context.clock.now() }, signal)
    } catch (error) {
      if (stopped.aborted && !signal.aborted) return
      sync.failed = true
      throw error
    } finally {
      place.end()
      sync.running = false
      job.endPass()
      if (!signal.aborted) {
        context.changes.notify('sync', id)
        context.changes.notify('connection', id)
      }
    }
  }

  const sync: AccountSync = {
    signal,
    resume: () => job.resume(),
    running: false,
    failed: false,
    kind: 'full',
    copyDetails: createThrottle(context.clock, COPY_DETAILS_MS, () => void copyDetailsNow()),
    copyDetailsNow,
    rounds: startPollLoop({
      clock: context.clock,
      random: context.random,
      signal,
      async ready(until) {
        await job.untilResumed(until)
        await connection.ready(until)
      },
      pause: () => context.settings.get().catalogueMinutes * 60_000,
      pass: () => spawn(runPass()),
      onFailure(error) {
        if (!(error instanceof Failure)) context.report('catalogue sync', error)
      },
    }),
  }
  sync.copyDetails()
  if (account.role === 'partner') parts.onPartnerPage()
  else {
    watchOwnOffers(db, relayOwnOffers)
    relayOwnOffers()
  }
  return sync
}

type RelayParts = {
  db: Database
  signal: AbortSignal
  apply: (offers: ReturnType<typeof ownOfferNotes>['offers']) => Promise<unknown>
  onApplied: () => void
  track: (work: Promise<void>) => void
}

/**
 * Returns a function that shows the noted own offers in the catalogue until no note is left. A note
 * is deleted once it has been applied.
 */
function createOwnOfferRelay({ db, signal, apply, onApplied, track }: RelayParts): () => void {
  let isRunning = false
  let isNoted = false

  async function applyNotes(): Promise<void> {
    for (
      let notes = ownOfferNotes(db);
      notes.offers.length > 0 && !signal.aborted;
      notes = ownOfferNotes(db)
    ) {
      await apply(notes.offers)
      forgetOwnOfferNotes(db, notes.last)
      onApplied()
    }
  }
  async function run(): Promise<void> {
    try {
      // A note is written in a transaction that commits in this turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      while (isNoted && !signal.aborted) {
        isNoted = false
        await applyNotes()
      }
    } finally {
      isRunning = false
    }
  }
  return () => {
    isNoted = true
    if (isRunning) return
    isRunning = true
    track(run())
  }
}
