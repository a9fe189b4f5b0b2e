import type { Account } from '../../../contract/app/accounts.ts'
import { createAccountScopes } from '../../lifecycle/lifecycle.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { CatalogueContext } from '../context.ts'
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
  /** Whether sellers copy missing details from this account. */
  isDetailSource(account: Account): boolean
}

/**
 * Syncs the catalogue of every connected account with the service, one pass per account at a time.
 */
export function startCatalogueSync(
  context: CatalogueContext,
  workshop: WorkerPool,
  scope: Scope,
): CatalogueSync {
  /** Accounts whose files are being closed: sellers can't copy details from them. */
  const leaving = new Set<string>()
  context.accounts.onRelease((accountId) => void leaving.add(accountId))

  const accounts = createAccountScopes<{ sync: AccountSync | null }>(context, scope, {
    role: null,
    open: () => ({ sync: null }),
    start(account, work) {
      leaving.delete(work.accountId)
      account.sync = startSync(context.accounts.get(work.accountId), work)
    },
  })
  context.accounts.onRelease(async (accountId) => {
    const { baseUrl } = context.accounts.get(accountId)
    // Its mirror closes next, so sellers forget the details it supplied and stop copying from it.
    await Promise.all(sellersAt(baseUrl).map((seller) => seller.copyDetailsNow()))
    await workshop.release(accountId)
  })
  /** The sync of an account that can work. */
  function syncOf(accountId: string): AccountSync | null {
    const sync = accounts.opened(accountId)?.sync ?? null
    return sync?.signal.aborted === true ? null : sync
  }

  const isAway = (accountId: string): boolean =>
    leaving.has(accountId) || context.accounts.isAsleep(accountId)

  function lender(accountId: string): (DetailSource & { name: string }) | null {
    const seller = context.accounts.get(accountId)
    if (seller.role !== 'seller' || isAway(accountId)) return null
    const partners = context.accounts
      .list({ role: 'partner', baseUrl: seller.baseUrl })
      .filter(({ id }) => !isAway(id))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    const read = partners.find((each) => readSyncState(context.mirrors.database(each.id)).seq > 0)
    return read === undefined
      ? null
      : { accountId: read.id, name: read.name, db: context.mirrors.database(read.id) }
  }

  const isSellerAt = (accountId: string, baseUrl: string): boolean => {
    const { role, baseUrl: at } = context.accounts.get(accountId)
    return role === 'seller' && at === baseUrl
  }
  const sellersAt = (baseUrl: string): AccountSync[] =>
    accounts
      .entries()
      .flatMap(([id, { sync }]) => (sync !== null && isSellerAt(id, baseUrl) ? [sync] : []))

  function startSync(account: Account, { signal, spawn }: Scope): AccountSync {
    return startAccountSync({
      context,
      workers: workshop,
      account,
      signal,
      spawn,
      detailSource() {
        const from = lender(account.id)
        return from === null
          ? null
          : { accountId: from.accountId, path: context.mirrors.cataloguePath(from.accountId) }
      },
      onPartnerPage() {
        for (const seller of sellersAt(account.baseUrl)) seller.copyDetails()
      },
    })
  }

  return {
    detailSource: lender,
    isDetailSource({ id, baseUrl }) {
      const seller = accounts.entries().find(([accountId]) => isSellerAt(accountId, baseUrl))
      return seller !== undefined && lender(seller[0])?.accountId === id
    },
    async now(accountId) {
      const sync = syncOf(accountId)
      sync?.resume()
      await sync?.rounds.runNow()
    },
    progress(accountId) {
      const db = context.mirrors.database(accountId)
      const { complete, done, total, lastAt, round } = readSyncState(db)
      const sync = syncOf(accountId)
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
  }
}
