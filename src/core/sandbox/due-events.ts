import type { SandboxDue } from '../../contract/sandbox/sandbox-control.ts'
import { instantOf } from '../mirror/mirror.ts'
import type { Dashboard } from './dashboard.ts'

const PAGE = 100
/** Maximum number of items returned. The first one is "due next". */
const SHOWN = 8
/**
 * Number of sales pages to read. Sales are listed newest first and are released in that order, so
 * only disputed ones are pending further back.
 */
const SALE_PAGES = 10

/**
 * Lists what falls due next in the sandbox, soonest first, as far as its dashboard and the demo
 * seller's lists show it.
 * @param sellerKey the demo seller's key; null in a world without one
 */
export async function dueEvents(
  dashboard: Dashboard,
  sellerKey: string | null,
): Promise<SandboxDue[]> {
  const parts = await Promise.all([
    webhooks(dashboard),
    escalations(dashboard),
    sellerKey === null ? [] : releases(dashboard, sellerKey),
    market(dashboard),
  ])
  return parts
    .flat()
    .toSorted((a, b) => a.at - b.at)
    .slice(0, SHOWN)
}

async function webhooks(dashboard: Dashboard): Promise<SandboxDue[]> {
  const { results: partners } = await dashboard.call('listPartners', { query: { limit: PAGE } })
  const lists = await Promise.all(
    partners.map(({ id }) =>
      dashboard.call('listDeliveries', { params: { id }, query: { limit: PAGE } }),
    ),
  )
  return lists
    .flatMap(({ results }) => results)
    .flatMap(({ event, attempts, nextAttemptAt }) => {
      const at = instantOf(nextAttemptAt)
      return at === null
        ? []
        : [{ at, kind: 'webhook' as const, what: event, count: attempts.length + 1 }]
    })
}

async function escalations(dashboard: Dashboard): Promise<SandboxDue[]> {
  const { results } = await dashboard.call('listAllDisputes', { query: { limit: PAGE } })
  return results.flatMap(({ status, name, escalatesAt }) => {
    const at = instantOf(escalatesAt)
    return at === null || status !== 'open'
      ? []
      : [{ at, kind: 'dispute' as const, what: name ?? '', count: 1 }]
  })
}

/** Groups sales that are released at the same time into one item. */
async function releases(dashboard: Dashboard, sellerKey: string): Promise<SandboxDue[]> {
  const counts = new Map<number, number>()
  for (let page = 1; page <= SALE_PAGES; page++) {
    const { results, hasMore } = await dashboard.callAs(sellerKey, 'listSales', {
      query: { page, limit: PAGE },
    })
    const pending = results.flatMap(({ status, releaseAt }) =>
      status === 'pending' ? (instantOf(releaseAt) ?? []) : [],
    )
    for (const at of pending) counts.set(at, (counts.get(at) ?? 0) + 1)
    if (hasMore !== true || pending.length === 0) break
  }
  return [...counts].map(([at, count]) => ({ at, kind: 'release' as const, what: '', count }))
}

async function market(dashboard: Dashboard): Promise<SandboxDue[]> {
  const { nextDueAt } = await dashboard.call('getMarket', {})
  const at = instantOf(nextDueAt)
  return at === null ? [] : [{ at, kind: 'market', what: '', count: 1 }]
}
