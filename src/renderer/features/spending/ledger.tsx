import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAccount } from '../../lib/account/current-account.ts'
import { ServiceMoment } from '../../lib/account/account-time.tsx'
import { movementLabels } from '../../lib/labels/movement-labels.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { Delayed } from '../../ui/feedback/delayed.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
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
  if (ledger.data === undefined)
    return (
      <section className={styles.section} aria-busy={!ledger.isError}>
        <h2>Movements</h2>
        {ledger.isError ? (
          <ErrorState problem={problemOf(ledger.error)} onRetry={() => void ledger.refetch()} />
        ) : (
          <Delayed>
            <SkeletonRows columns={['start', 'start', 'start', 'end', 'end']} height={34} />
          </Delayed>
        )}
      </section>
    )
  const { total, movements } = ledger.data
  return (
    <section className={styles.section}>
      <h2>
        Movements <small>{total}</small>
      </h2>
      {ledger.isError ? <ProblemNotice problem={problemOf(ledger.error)} /> : null}
      {total === 0 ? (
        <p className={styles.none}>No movements yet. Top-ups, orders and refunds appear here.</p>
      ) : (
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
            {movements.map((movement) => (
              <tr key={movement.id}>
                <td>
                  <ServiceMoment at={movement.at} />
                </td>
                <td>{movementLabels[movement.type] ?? movement.type}</td>
                <td>
                  {movement.orderId === null ? (
                    ''
                  ) : (
                    <button
                      type="button"
                      className={styles.product}
                      onClick={() => go(`/orders/${movement.orderId}`)}
                    >
                      {movement.externalId ?? movement.orderId}
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
      )}
      {total <= pageSize ? null : (
        <div className={styles.pages}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span>
            {page} of {Math.ceil(total / pageSize)}
          </span>
          <Button disabled={page * pageSize >= total} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </section>
  )
}
