import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { DisputeAccess } from '../access.ts'
import { readAlarms } from '../alerts/batch-alarms.ts'
import { soldKey } from '../detail/disputed-key.ts'
import { buildReport } from './report.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** Batch alarms and the report. The account's files stay open while the report is computed. */
export function createReportProcedures(
  { context, dependencies, accountOf }: DisputeAccess,
  scopeOf: (accountId: string) => Scope,
) {
  return {
    async alarms({ accountId }: Inputs['alarms']): Promise<Outputs['alarms']> {
      const { alarms, stockOf } = await readAlarms(context, dependencies, accountId)
      return alarms.map((batch) => ({
        ...batch,
        stock: stockOf(batch.offerId),
        offerStatus: dependencies.offer(accountId, batch.offerId)?.status ?? null,
      }))
    },
    report({ accountId, from, to }: Inputs['report']): Promise<Outputs['report']> {
      const { db } = accountOf(accountId).store
      const batchOf = dependencies.batchesOfSold(accountId)
      const report = buildReport(
        db,
        from,
        to,
        (row) => {
          const sold = soldKey(db, row)
          return sold === null ? null : batchOf(sold)
        },
        nextTurn,
      )
      return scopeOf(accountId).spawn(report)
    },
  }
}
