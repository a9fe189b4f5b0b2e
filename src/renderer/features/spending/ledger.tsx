import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../lib/account/current-account.ts'
import { ServiceMoment } from '../../lib/account/account-time.tsx'
import { movementLabels } from '../../lib/labels/movement-labels.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, type rpc } from '../../lib/core/rpc.ts'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { Delayed } from '../../ui/feedback/delayed.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { SkeletonRows } from '../../ui/table/skeleton-rows.tsx'
import styles from './spending.module.css'

const pageSize = 50

/** Every movement of the balance, as the sandbox's dashboard reports it. */
export function Ledger() {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [page, setPage] = useState(1)
  const ledger = useQuery({
    ...api.spending.ledger.queryOptions({ input: { accountId, page } }),
    placeholderData: keepPreviousData,
  })
  return (
    <section
      className={styles.section}
      aria-label="Movements"
      aria-busy={ledger.isPending || ledger.isPlaceholderData}
    >
      <h2>Movements {ledger.data === undefined ? null : <small>{ledger.data.total}</small>}</h2>
      {ledger.data === undefined ? (
        ledger.isError ? (
          <ErrorState problem={problemOf(ledger.error)} onRetry={() => void ledger.refetch()} />
        ) : (
          <Delayed>
            <SkeletonRows columns={['start', 'start', 'start', 'end', 'end']} height={34} />
          </Delayed>
        )
      ) : (
        <>
          {ledger.isError ? <ProblemNotice problem={problemOf(ledger.error)} /> : null}
          <Movements {...ledger.data} onOrder={(orderId) => go(`/orders/${orderId}`)} />
        </>
      )}
      <Pager page={page} size={pageSize} total={ledger.data?.total} onPage={setPage} flush />
    </section>
  )
}

function Movements({
  total,
  movements,
  onOrder,
}: Awaited<ReturnType<typeof rpc.spending.ledger>> & { onOrder: (orderId: string) => void }) {
  if (total === 0)
    return <p className={styles.none}>No movements yet. Top-ups, orders and refunds appear here.</p>
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Type</th>
          <th scope="col">Order</th>
          <th scope="col" className={styles.end}>
            EUR
          </th>
          <th scope="col" className={styles.end}>
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        {movements.map(({ orderId, ...movement }) => (
          <tr key={movement.id}>
            <td>
              <ServiceMoment at={movement.at} />
            </td>
            <td>{movementLabels[movement.type] ?? movement.type}</td>
            <td>
              {orderId === null ? (
                ''
              ) : (
                <button type="button" className={styles.product} onClick={() => onOrder(orderId)}>
                  {movement.externalId ?? orderId}
                </button>
              )}
            </td>
            <td className={styles.end}>
              <Money cents={movement.cents} sign />
            </td>
            <td className={styles.end}>
              <Money cents={movement.afterCents} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
