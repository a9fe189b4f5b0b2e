import { useQuery } from '@tanstack/react-query'
import type { Problem } from '../../../../contract/base.ts'
import type { OrderDetail } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'

/**
 * An order. One that isn't on this computer, for example of another computer, is looked up on the
 * service. A problem means that the order can't be shown.
 */
export function useOrder(orderId: string): {
  order: OrderDetail | undefined
  problem: Problem | null
  retry: () => void
} {
  const { id: accountId } = useAccount()
  const input = { accountId, orderId }
  const stored = useQuery(api.orders.order.queryOptions({ input }))
  const storedProblem = stored.isError ? problemOf(stored.error) : null
  const isMissing = stored.data === undefined && storedProblem?.code === 'NOT_FOUND'
  const found = useQuery({
    // Not a key of the orders, so that a failed lookup isn't repeated whenever one of them changes.
    queryKey: ['order-lookup', input],
    queryFn: () => rpc.orders.lookUp(input),
    enabled: isMissing,
  })
  const foundProblem = found.isError ? problemOf(found.error) : null
  const order = stored.data ?? (isMissing ? found.data : undefined)
  return {
    order,
    problem: order === undefined ? (isMissing ? foundProblem : storedProblem) : null,
    retry: () => void (isMissing ? found : stored).refetch(),
  }
}
