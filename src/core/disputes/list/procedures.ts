import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import type { DisputeAccess } from '../access.ts'
import { mergeLists } from './merge-accounts.ts'
import { disputeJournal } from '../answers/journal.ts'
import { listDisputes, positionOfDispute } from './list.ts'
import type { DisputeQuery, Listed } from './list.ts'
import { disputeMarks } from './marks.ts'
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

  function listOf(accounts: readonly DisputeAccount[], asked: DisputeQuery): Listed {
    const { offset, limit, sort } = asked
    const [only] = accounts
    if (accounts.length === 1 && only !== undefined)
      return listDisputes(only.store.db, asked, partsOf(only.accountId))
    return mergeLists(
      accounts.map((account) =>
        listDisputes(
          account.store.db,
          { ...asked, offset: 0, limit: offset + limit },
          partsOf(account.accountId),
        ),
      ),
      sort,
      offset,
      limit,
    )
  }

  const chosenAccounts = (accountId: string, everyAccount: boolean): DisputeAccount[] =>
    (everyAccount
      ? context.accounts.list().flatMap(({ id, role }) => (role === 'seller' ? [id] : []))
      : [accountId]
    ).map(viewed)

  return {
    list({ accountId, everyAccount = false, window, ...choice }: Inputs['list']): Outputs['list'] {
      const { offset = 0, limit = 100 } = window ?? {}
      const accounts = chosenAccounts(accountId, everyAccount)
      const readings = accounts.map(({ store }) => store.readAt())
      return {
        ...listOf(accounts, { ...filterOf(choice), offset, limit }),
        complete: accounts.every(({ store }) => store.listing().complete),
        readAt: readings.includes(null) ? null : Math.min(...readings.flatMap((at) => at ?? [])),
      }
    },
    position({
      accountId,
      everyAccount = false,
      of,
      ...choice
    }: Inputs['position']): Outputs['position'] {
      const accounts = chosenAccounts(accountId, everyAccount)
      const asked = filterOf(choice)
      const [only] = accounts
      if (accounts.length === 1 && only !== undefined) {
        const { now } = partsOf(only.accountId)
        return { index: positionOfDispute(only.store.db, asked, of.disputeId, now) }
      }
      const index = listOf(accounts, { ...asked, offset: 0, limit: LOCATED_ROWS }).rows.findIndex(
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
    mark({ accountId, disputeId, ...marks }: Inputs['mark']): void {
      const account = accountOf(accountId)
      disputeMarks(account.store.db).mark(disputeId, marks, find(account, disputeId))
      notifyChanged(accountId, disputeId)
    },
  }
}
