import type { Account } from '../../contract/accounts.ts'
import type { CoreContext, JobControls } from '../context.ts'
import { Failure } from '../failure.ts'
import { keepRounds, throttle } from '../mirror/mirror.ts'
import type { Rounds } from '../mirror/mirror.ts'
import type { Lender } from './lending.ts'
import { forgetOwnOfferNotes, ownOfferNotes, watchOwnOffers } from './own-offers.ts'
import { syncPartnerCatalogue } from './partner-sync.ts'
import { pagesOfOwnOffers } from './store.ts'
import { syncSellerCatalogue } from './seller-sync.ts'
import type { SellerPass } from './seller-sync.ts'
import type { Workshop } from './workshop.ts'
import { countProducts } from './facets.ts'
import { readSyncState } from './sync-state.ts'
import type { SyncState } from './sync-state.ts'

export type SyncProgress = {
  state: 'never' | 'running' | 'idle' | 'failed'
  kind: 'full' | 'changes' | null
  done: number
  total: number | null
  lastAt: number | null
  nextAt: number | null
}

export interface CatalogueSync {
  /**
   * Syncs as soon as the connection allows. Resolves when that pass has finished, successfully or
   * not.
   */
  now(accountId: string): Promise<void>
  progress(accountId: string): SyncProgress
  /**
   * The partner account whose mirror supplies a seller's missing details. Null for partners, and if
   * none is connected.
   */
  lender(accountId: string): (Lender & { name: string }) | null
  /** Resolves when all passes have stopped. The accounts' signals stop them. */
  close(): Promise<void>
}

const UPDATES_MS = 100
const SCREENS_MS = 500
const BORROW_MS = 1000
const LENDING = 'lending'
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

type Worker = {
  stop: () => void
  rounds: Rounds
  running: boolean
  failed: boolean
  kind: 'full' | 'changes'
  borrow: () => void
  borrowNow: () => Promise<void>
  resume: () => void
}

/**
 * Syncs the catalogue of every connected account with the service, one pass per account at a time.
 */
export function keepCatalogues(context: CoreContext, workshop: Workshop): CatalogueSync {
  const workers = new Map<string, Worker>()
  const leaving = new Set<string>()
  /** Work in flight by subject: an account's passes, or copying partner details. */
  const busy = new Map<Promise<unknown>, string>()

  const track = <T>(about: string, work: Promise<T>): Promise<T> => {
    const tracked = work.finally(() => busy.delete(tracked))
    busy.set(tracked, about)
    return tracked
  }
  const settled = (about: readonly string[]): Promise<unknown> =>
    Promise.allSettled([...busy].filter(([, of]) => about.includes(of)).map(([work]) => work))

  function lender(accountId: string): (Lender & { name: string }) | null {
    const accounts = context.accounts.list().filter((each) => !leaving.has(each.id))
    const seller = accounts.find((each) => each.id === accountId)
    if (seller?.role !== 'seller') return null
    const partners = accounts
      .filter((each) => each.role === 'partner' && each.baseUrl === seller.baseUrl)
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    const read = partners.find((each) => readSyncState(context.mirrors.database(each.id)).seq > 0)
    return read === undefined
      ? null
      : { accountId: read.id, name: read.name, db: context.mirrors.database(read.id) }
  }

  /**
   * Makes every seller account of the same service copy the details that a partner's page changed.
   */
  function lend(baseUrl: string): void {
    for (const seller of sellersAt(baseUrl)) seller.borrow()
  }
  const sellersAt = (baseUrl: string): Worker[] =>
    context.accounts
      .list()
      .flatMap(({ id, role, baseUrl: at }) =>
        role === 'seller' && at === baseUrl ? (workers.get(id) ?? []) : [],
      )

  function start(account: Account, ends: AbortSignal): void {
    const { id } = account
    leaving.delete(id)
    const removal = new AbortController()
    const signal = AbortSignal.any([ends, removal.signal])
    const db = context.mirrors.database(id)
    const line = context.connection(id)
    const jobId = `catalogue-sync:${id}`
    const tellSync = throttle(context.clock, UPDATES_MS, () => context.changes.notify('sync', id))
    const tellCatalogue = throttle(context.clock, SCREENS_MS, () => {
      if (!signal.aborted) context.changes.notify('catalogue', id)
    })
    let begun: { at: number; done: number } | null = null
    let last: SyncState | null = null
    /** Stops only the pass in flight. */
    let halt = new AbortController()
    let calledOff = false
    let goOn: (() => void) | null = null

    const showJob = throttle(context.clock, UPDATES_MS, () => {
      if (!worker.running || worker.kind !== 'full' || last === null) return
      const { done, total } = last
      begun ??= { at: context.clock.now(), done }
      const rate = (done - begun.done) / Math.max(1, context.clock.now() - begun.at)
      const leftMs =
        total === null || rate <= 0 ? null : Math.round(Math.max(0, total - done) / rate)
      context.jobs.set(
        {
          id: jobId,
          kind: 'catalogue-sync',
          accountId: id,
          title: 'Catalogue',
          state: 'running',
          done,
          total,
          leftMs,
        },
        controls,
      )
    })

    const controls: JobControls = {
      pause() {
        context.jobs.setPaused(jobId, true)
        halt.abort()
      },
      resume() {
        worker.resume()
        void worker.rounds.now()
      },
      /** Read products stay; the next regular pass resumes from there. */
      cancel() {
        calledOff = goOn !== null
        context.jobs.setPaused(jobId, false)
        halt.abort()
        context.jobs.end(jobId)
        goOn?.()
      },
    }
    const showPaused = (): void => {
      const { done, total } = readSyncState(db)
      context.jobs.set(
        {
          id: jobId,
          kind: 'catalogue-sync',
          accountId: id,
          title: 'Catalogue',
          state: 'paused',
          done,
          total,
          leftMs: null,
        },
        controls,
      )
    }
    const untilResumed = (until: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (until.aborted || !context.jobs.isPaused(jobId)) return resolve()
        showPaused()
        const end = (): void => {
          until.removeEventListener('abort', end)
          goOn = null
          resolve()
        }
        goOn = end
        until.addEventListener('abort', end, { once: true })
      })

    const pass: Omit<SellerPass, 'signal' | 'pages' | 'execute'> = {
      now: () => context.clock.now(),
      pagesOfOwnOffers: () => pagesOfOwnOffers(db),
      page(state, changed) {
        last = state
        showJob()
        tellSync()
        if (!changed) return
        tellCatalogue()
        if (account.role === 'partner') lend(account.baseUrl)
      },
      added(productIds) {
        const from = lenderFile()
        if (from === null || from.accountId !== readSyncState(db).lender) return
        void track(
          id,
          workshop.execute(id, { do: 'copy-new-details', lender: from, productIds }, signal),
        ).catch(lost('partner details'))
      },
    }
    const lenderFile = () => {
      const from = lender(id)
      return from === null
        ? null
        : { accountId: from.accountId, path: context.mirrors.cataloguePath(from.accountId) }
    }
    const lost =
      (where: string) =>
      (error: unknown): void => {
        if (!signal.aborted) context.report(where, error)
      }

    let borrowing: Promise<void> = Promise.resolve()
    const borrowNow = (): Promise<void> => {
      if (account.role === 'seller') {
        borrowing = track(
          LENDING,
          borrowing
            .then(() =>
              signal.aborted
                ? 0
                : workshop.execute(id, { do: 'copy-details', lender: lenderFile() }, signal),
            )
            .then((changed) => {
              if (changed > 0) tellCatalogue()
            })
            .catch(lost('partner details')),
        )
      }
      return borrowing
    }
    const borrow = throttle(context.clock, BORROW_MS, () => void borrowNow())

    /**
     * Shows the noted own offers in the catalogue until no note is left. A note is deleted once it
     * has been applied.
     */
    async function passOn(): Promise<void> {
      for (
        let notes = ownOfferNotes(db);
        notes.offers.length > 0 && !signal.aborted;
        notes = ownOfferNotes(db)
      ) {
        await workshop.execute(id, { do: 'own-offers', offers: notes.offers }, signal)
        forgetOwnOfferNotes(db, notes.last)
        tellCatalogue()
      }
    }
    let passing: Promise<void> | null = null
    let noted = false
    function passOnSoon(): void {
      noted = true
      if (passing !== null) return
      // A note is written in a transaction that commits in this turn of the event loop.
      passing = track(
        id,
        turn().then(async () => {
          while (noted && !signal.aborted) {
            noted = false
            await passOn()
          }
        }),
      )
        .catch(lost('own offers'))
        .finally(() => {
          passing = null
        })
    }

    const worker: Worker = {
      stop: () => removal.abort(),
      resume() {
        if (context.jobs.isPaused(jobId)) context.jobs.setPaused(jobId, false)
        goOn?.()
      },
      running: false,
      failed: false,
      kind: 'full',
      borrow,
      borrowNow,
      rounds: keepRounds({
        clock: context.clock,
        random: context.random,
        signal,
        async ready(until) {
          await untilResumed(until)
          await line.ready(until)
        },
        pause: () => context.settings.get().catalogueMinutes * 60_000,
        round: () => track(id, round()),
        failed(error) {
          if (!(error instanceof Failure)) context.report('catalogue sync', error)
        },
      }),
    }
    workers.set(id, worker)
    signal.addEventListener(
      'abort',
      () => {
        context.jobs.end(jobId)
        if (workers.get(id) === worker) workers.delete(id)
      },
      { once: true },
    )
    borrow()
    if (account.role === 'partner') lend(account.baseUrl)
    else {
      watchOwnOffers(db, passOnSoon)
      passOnSoon()
    }

    async function round(): Promise<void> {
      if (calledOff) {
        calledOff = false
        return
      }
      const stop = (halt = new AbortController())
      if (account.role === 'seller') passOnSoon()
      const place = workshop.pass(id)
      const here = { ...pass, ...place, signal: AbortSignal.any([signal, stop.signal]) }
      begun = null
      worker.running = true
      worker.kind = readSyncState(db).complete ? 'changes' : 'full'
      tellSync()
      try {
        await (account.role === 'partner' ? syncPartnerCatalogue(here) : syncSellerCatalogue(here))
        worker.failed = false
        if (worker.kind === 'changes')
          await workshop.execute(id, { do: 'thin-history', now: context.clock.now() }, signal)
      } catch (error) {
        if (stop.signal.aborted && !signal.aborted) return
        worker.failed = true
        throw error
      } finally {
        place.end()
        worker.running = false
        if (context.jobs.isPaused(jobId) && !signal.aborted) showPaused()
        else context.jobs.end(jobId)
        if (!signal.aborted) {
          context.changes.notify('sync', id)
          context.changes.notify('connection', id)
        }
      }
    }
  }

  context.accounts.onReady(start)
  context.accounts.onRelease(async (accountId) => {
    leaving.add(accountId)
    const { baseUrl } = context.accounts.get(accountId)
    workers.get(accountId)?.stop()
    await settled([accountId, LENDING])
    // Its mirror closes next, so sellers forget the details it supplied and stop copying from it.
    await Promise.all(sellersAt(baseUrl).map((seller) => seller.borrowNow()))
    await workshop.release(accountId)
  })

  return {
    lender,
    async now(accountId) {
      const worker = workers.get(accountId)
      worker?.resume()
      await worker?.rounds.now()
    },
    progress(accountId) {
      const db = context.mirrors.database(accountId)
      const { complete, done, total, lastAt, round } = readSyncState(db)
      const worker = workers.get(accountId)
      const nextAt = worker?.rounds.nextAt() ?? null
      const known = countProducts(db)
      if (worker?.running === true) {
        return {
          state: 'running',
          kind: worker.kind,
          done: worker.kind === 'full' ? done : known,
          total: worker.kind === 'full' ? total : known,
          lastAt,
          nextAt,
        }
      }
      const state = worker?.failed === true ? 'failed' : complete ? 'idle' : 'never'
      return {
        state,
        kind: round === 0 ? null : complete ? 'changes' : 'full',
        done: complete ? known : done,
        total: complete ? known : total,
        lastAt,
        nextAt,
      }
    },
    async close() {
      await Promise.allSettled(busy.keys())
    },
  }
}
