import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { PriceWatchContext } from '../context.ts'
import { decisionsCsv } from './decisions-csv.ts'
import type { WatchSession } from '../session.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

const MAX_EXPORTED = 200_000

/** The decision log as lists and CSV files. */
export function createDecisionReports(
  context: PriceWatchContext,
  openSession: (accountId: string) => Promise<WatchSession>,
) {
  return {
    async decisions({
      accountId,
      offerId = null,
      reasons = [],
      from = null,
      to = null,
      sentOnly = false,
      window,
    }: Inputs['decisions']): Promise<Outputs['decisions']> {
      const { keeper } = await openSession(accountId)
      const found = keeper.log.list(
        { offerId, reasons, from, to, sentOnly },
        window?.offset ?? 0,
        window?.limit ?? 100,
      )
      const of = (id: string) => keeper.watched().get(id)?.facts
      return {
        total: found.total,
        rows: found.rows.map((row) => ({
          ...row,
          name: of(row.offerId)?.name ?? row.offerId,
          platform: of(row.offerId)?.platform ?? '',
          region: of(row.offerId)?.region ?? '',
          deliveryType: of(row.offerId)?.deliveryType ?? '',
        })),
      }
    },
    async exportDecisions({
      accountId,
      offerId = null,
      from = null,
      to = null,
    }: Inputs['exportDecisions']): Promise<Outputs['exportDecisions']> {
      const { keeper } = await openSession(accountId)
      await keeper.log.flush()
      const { rows } = keeper.log.list(
        { offerId, reasons: [], from, to, sentOnly: false },
        0,
        MAX_EXPORTED,
      )
      return {
        fileName: `price-decisions-${new Date(context.clock.now()).toISOString().slice(0, 10)}.csv`,
        base64: Buffer.from(
          decisionsCsv(
            rows,
            (id) =>
              keeper.watched().get(id)?.facts ?? {
                name: id,
                platform: '',
                region: '',
                deliveryType: '',
              },
          ),
        ).toString('base64'),
      }
    },
  }
}
