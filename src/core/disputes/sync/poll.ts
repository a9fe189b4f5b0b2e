import { disputeStatuses } from '../../../../server/api/schemas/enums.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import type { Priority, ServiceConnection } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { readNewest } from '../../polling/polling.ts'
import type { ServiceDispute } from './facts.ts'
import { removeDispute, writeDispute, writeDisputes } from './write-disputes.ts'
import type { DisputeAccount } from './write-disputes.ts'

const PAGE_LIMIT = 100
/** Upper limit of disputes whose messages one sync pass reads. */
const MOST_READ = 50

type Status = (typeof disputeStatuses)[number]
const UNRESOLVED = disputeStatuses.filter((status) => status !== 'resolved')

export type DisputePoll = {
  account: DisputeAccount
  connection: Pick<ServiceConnection, 'call'>
  signal: AbortSignal
}

/**
 * Reads a seller's disputes (Seller API, Endpoints): first the complete list, later the newest ones
 * up to those already known, all unresolved ones, and the messages of those that changed. Returns
 * whether anything changed.
 */
export async function pollDisputes({ account, connection, signal }: DisputePoll): Promise<boolean> {
  const { store, texts, context } = account
  const began = context.clock.now()
  const read = async (
    page: number,
    status: Status | undefined,
    priority: Priority,
  ): Promise<{ rows: readonly ServiceDispute[]; last: boolean }> => {
    const answer = await connection.call(
      'listDisputes',
      { query: { page, limit: PAGE_LIMIT, ...(status !== undefined && { status }) } },
      { priority, signal },
    )
    signal.throwIfAborted()
    return pageOf(answer)
  }
  const wasComplete = store.listing().complete
  let changed = await readNewest<ServiceDispute>({
    state: store.listing,
    page: (page) => read(page, undefined, wasComplete && page === 1 ? 'watch' : 'background'),
    take: (rows, next) =>
      store.transaction(() => {
        const taken = writeDisputes(account, rows)
        if (next !== null) store.setListing(next)
        return taken
      }),
    end: store.setListing,
  })
  if (wasComplete) {
    for (const status of UNRESOLVED) changed = (await readAll(status)) || changed
    store.markPossiblyChanged(began)
  }
  if (texts.isOpen()) store.markWithoutBodies()
  for (const disputeId of store.stale(MOST_READ))
    changed =
      (await readDispute(account, connection, disputeId, 'background', signal)) !== 'same' ||
      changed
  store.setReadAt(context.clock.now())
  return changed

  async function readAll(status: Status): Promise<boolean> {
    let found = false
    for (let page = 1; ; page += 1) {
      const { rows, last } = await read(page, status, 'background')
      found = store.transaction(() => writeDisputes(account, rows)).changed || found
      if (last) return found
    }
  }
}

function pageOf(answer: ResponseBody<'listDisputes'>): {
  rows: readonly ServiceDispute[]
  last: boolean
} {
  const rows = answer.results
  const last =
    answer.hasMore === undefined
      ? rows.length < Math.min(PAGE_LIMIT, answer.limit ?? PAGE_LIMIT)
      : !answer.hasMore
  return { rows, last: last || rows.length === 0 }
}

/**
 * Reads one dispute with its messages; removes it from the mirror if the service doesn't have it.
 */
async function readDispute(
  account: DisputeAccount,
  connection: Pick<ServiceConnection, 'call'>,
  disputeId: string,
  priority: Priority,
  signal?: AbortSignal,
): Promise<'same' | 'changed' | 'gone'> {
  const { context, accountId } = account
  try {
    const answer = await connection.call(
      'getDispute',
      { params: { id: disputeId } },
      { priority, ...(signal && { signal }) },
    )
    signal?.throwIfAborted()
    const changed = writeDispute(account, disputeId, answer)
    if (changed) context.changes.notify('disputes', accountId, disputeId)
    return changed ? 'changed' : 'same'
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'NOT_FOUND') throw error
    removeDispute(account, disputeId)
    context.changes.notify('disputes', accountId, disputeId)
    return 'gone'
  }
}
