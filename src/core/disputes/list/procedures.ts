import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import type { DisputeAccess } from '../access.ts'
import { mergeLists } from './merge-accounts.ts'
import { disputeJournal } from '../answers/journal.ts'
import { listDisputes, positionOfDispute } from './list.ts'
import type { DisputeQuery, Listed } from './list.ts'
import { disputeMarks } from './marks.ts'
import { newerThanShown } from '../settle/send-action.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Rows of several accounts among which a dispute is located: more than a person can work off. */
const LOCATED_ROWS = 5000

const filterOf = ({
  view = 'inbox',
  query = '',
  unread = false,
  reasons = [],
  languages = [],
  sort = { column: 'urgency', direction: 'asc' },
}: Omit<Inputs['list'], 'accountId' | 'everyAccount' | 'window'>): Omit<
  DisputeQuery,
  'offset' | 'limit'
> => ({ view, query, unread, reasons, languages, sort })

/** Lists disputes, shows one, and records a person's marks. */
export function createListProcedures(access: DisputeAccess) {
  const { context, accountOf, viewed, partsOf, find, detail, notifyChanged } = access

  type Read = Listed & { complete: boolean; readAt: number | null }

  const readOf = ({ accountId, store }: DisputeAccount, asked: DisputeQuery): Read => ({
    ...listDisputes(store.db, asked, partsOf(accountId)),
    complete: store.listing().complete,
    readAt: store.readAt(),
  })

  /** The list of every seller. Accounts that wait for their turn are opened one after another. */
  async function listOfAll(asked: DisputeQuery): Promise<Read> {
    const { offset, limit, sort } = asked
    const first = { ...asked, offset: 0, limit: offset + limit }
    const lists: Read[] = []
    for (const { id } of context.accounts.list({ role: 'seller' }))
      lists.push(
        context.accounts.isAsleep(id)
          ? await context.accounts.hold(id, () => readOf(accountOf(id), first))
          : readOf(viewed(id), first),
      )
    const readings = lists.map(({ readAt }) => readAt)
    return {
      ...mergeLists(lists, sort, offset, limit),
      complete: lists.every(({ complete }) => complete),
      readAt: readings.includes(null) ? null : Math.min(...readings.flatMap((at) => at ?? [])),
    }
  }
  const listOf = (accountId: string, everyAccount: boolean, asked: DisputeQuery): Promise<Read> =>
    everyAccount && !isOnlySeller(accountId)
      ? listOfAll(asked)
      : Promise.resolve(readOf(viewed(accountId), asked))
  const isOnlySeller = (accountId: string): boolean =>
    context.accounts.list({ role: 'seller' }).every(({ id }) => id === accountId)

  return {
    list({
      accountId,
      everyAccount = false,
      window,
      ...choice
    }: Inputs['list']): Promise<Outputs['list']> {
      const { offset = 0, limit = 100 } = window ?? {}
      return listOf(accountId, everyAccount, { ...filterOf(choice), offset, limit })
    },
    async position({
      accountId,
      everyAccount = false,
      of,
      ...choice
    }: Inputs['position']): Promise<Outputs['position']> {
      const asked = filterOf(choice)
      if (!everyAccount || isOnlySeller(accountId)) {
        const { now } = partsOf(accountId)
        return {
          index: positionOfDispute(viewed(accountId).store.db, asked, of.disputeId, now),
        }
      }
      const { rows } = await listOfAll({ ...asked, offset: 0, limit: LOCATED_ROWS })
      const index = rows.findIndex(
        (row) => row.accountId === of.accountId && row.disputeId === of.disputeId,
      )
      return { index: index < 0 ? null : index }
    },
    dispute: ({ accountId, disputeId }: Inputs['dispute']): Promise<DisputeDetail> =>
      detail(accountId, disputeId),
    markRead({ accountId, disputeId, messages }: Inputs['markRead']): void {
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      if (!row.unread) return
      const { db } = account.store
      disputeJournal(db).markRead(disputeId, messages, context.clock.now())
      disputeMarks(db).mark(disputeId, { unread: false }, row)
      notifyChanged(accountId, disputeId)
    },
    mark({ accountId, disputeId, seen, ...marks }: Inputs['mark']): void {
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      const { status, messages } = seen ?? row
      // Before its messages were read, a dispute only shows the customer's first one as its reason.
      const shown = { status, messages: messages ?? 1 }
      const isDone = marks.done === true
      if (isDone || typeof marks.snoozeUntil === 'number') {
        const newer = newerThanShown(shown, row, {
          not: isDone ? 'Not marked as done' : 'Not snoozed',
          nothing: `The dispute about ${row.name} (${disputeId}) is unchanged.`,
        })
        if (newer !== null) throw newer
      }
      disputeMarks(account.store.db).mark(disputeId, marks, shown)
      notifyChanged(accountId, disputeId)
    },
  }
}
