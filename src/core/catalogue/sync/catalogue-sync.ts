import type { Account } from '../../../contract/accounts.ts'
import type { CoreContext } from '../../context.ts'
import { startAccountSync } from './account-sync.ts'
import type { AccountSync } from './account-sync.ts'
import { countProducts } from '../records/facets.ts'
import type { DetailSource } from './partner-details.ts'
import { readSyncState } from './sync-state.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'

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
  detailSource(accountId: string): (DetailSource & { name: string }) | null
  /** Resolves when all passes have stopped. The accounts' signals stop them. */
  close(): Promise<void>
}

const DETAILS = 'details'

/**
 * Syncs the catalogue of every connected account with the service, one pass per account at a time.
 */
export function startCatalogueSync(context: CoreContext, workshop: WorkerPool): CatalogueSync {
  const syncs = new Map<string, AccountSync>()
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

  function lender(accountId: string): (DetailSource & { name: string }) | null {
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

  const sellersAt = (baseUrl: string): AccountSync[] =>
    context.accounts
      .list()
      .flatMap(({ id, role, baseUrl: at }) =>
        role === 'seller' && at === baseUrl ? (syncs.get(id) ?? []) : [],
      )

  function start(account: Account, ends: AbortSignal): void {
    const { id } = account
    leaving.delete(id)
    const sync = startAccountSync({
      context,
      workers: workshop,
      account,
      ends,
      detailSource() {
        const from = lender(id)
        return from === null
          ? null
          : { accountId: from.accountId, path: context.mirrors.cataloguePath(from.accountId) }
      },
      onPartnerPage() {
        for (const seller of sellersAt(account.baseUrl)) seller.copyDetails()
      },
      track: (about, work) => track(about === 'details' ? DETAILS : id, work),
    })
    syncs.set(id, sync)
    ends.addEventListener('abort', () => drop(id, sync), { once: true })
  }
  function drop(accountId: string, sync: AccountSync | undefined): void {
    if (syncs.get(accountId) === sync) syncs.delete(accountId)
  }

  context.accounts.onReady(start)
  context.accounts.onRelease(async (accountId) => {
    leaving.add(accountId)
    const { baseUrl } = context.accounts.get(accountId)
    const sync = syncs.get(accountId)
    sync?.stop()
    drop(accountId, sync)
    await settled([accountId, DETAILS])
    // Its mirror closes next, so sellers forget the details it supplied and stop copying from it.
    await Promise.all(sellersAt(baseUrl).map((seller) => seller.copyDetailsNow()))
    await workshop.release(accountId)
  })

  return {
    detailSource: lender,
    async now(accountId) {
      const sync = syncs.get(accountId)
      sync?.resume()
      await sync?.rounds.runNow()
    },
    progress(accountId) {
      const db = context.mirrors.database(accountId)
      const { complete, done, total, lastAt, round } = readSyncState(db)
      const sync = syncs.get(accountId)
      const nextAt = sync?.rounds.nextAt() ?? null
      const known = countProducts(db)
      if (sync?.running === true) {
        return {
          state: 'running',
          kind: sync.kind,
          done: sync.kind === 'full' ? done : known,
          total: sync.kind === 'full' ? total : known,
          lastAt,
          nextAt,
        }
      }
      const state = sync?.failed === true ? 'failed' : complete ? 'idle' : 'never'
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
