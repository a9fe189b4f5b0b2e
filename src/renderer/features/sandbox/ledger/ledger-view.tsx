import { Select, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { movementLabels } from '../../../lib/labels/movement-labels.ts'
import { api } from '../../../lib/core/rpc.ts'
import { formatCount, formatFullMoment, formatUtc } from '../../../ui/format.ts'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { Bar, Body } from '../../../ui/layout/page.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { LedgerProof } from '../control/ledger-proof.tsx'
import styles from '../sandbox.module.css'
import { previousPage, usePartners } from '../use-partners.ts'

const pageSize = 50

/** Every entry of a partner's ledger, newest first, and the proof of the complete ledger. */
export function LedgerView() {
  const { partners, query, chosen, choose } = usePartners()
  const [mode, setMode] = useState<'both' | 'live' | 'test'>('both')
  const [page, setPage] = useState(1)
  const id = chosen?.id ?? ''
  const entries = { id, ...(mode === 'both' ? {} : { mode }) }
  const ledger = useQuery({
    ...api.sandbox.money.ledger.queryOptions({ input: { ...entries, page, limit: pageSize } }),
    enabled: id !== '',
    placeholderData: previousPage(api.sandbox.money.ledger.key({ input: entries })),
  })
  const unread = [query, ...(chosen === undefined ? [] : [ledger])].find(
    ({ data }) => data === undefined,
  )
  return (
    <>
      <Bar
        label="Ledger"
        end={
          <span className={styles.note}>
            {ledger.data === undefined ? '' : `${formatCount(ledger.data.total)} movements`}
          </span>
        }
      >
        <Select
          aria-label="Partner"
          className={styles.bar}
          searchable
          allowDeselect={false}
          data={partners.map((partner) => ({ value: partner.id, label: partner.name }))}
          value={id === '' ? null : id}
          onChange={(next) => {
            if (next !== null) {
              choose(next)
              setPage(1)
            }
          }}
        />
        <SegmentedControl
          aria-label="Mode"
          value={mode}
          onChange={(value) => {
            setMode(value === 'live' || value === 'test' ? value : 'both')
            setPage(1)
          }}
          data={[
            { value: 'both', label: 'Both modes' },
            { value: 'live', label: 'LIVE' },
            { value: 'test', label: 'TEST' },
          ]}
        />
      </Bar>
      <Body>
        <LedgerProof />
        {unread !== undefined ? (
          <NotRead query={unread} padded />
        ) : ledger.data?.total === 0 || chosen === undefined ? (
          <p className={styles.empty}>No entries yet.</p>
        ) : (
          <table className={styles.table} aria-label="Ledger entries">
            <thead>
              <tr>
                <th scope="col" style={{ width: 170 }}>
                  When
                </th>
                <th scope="col">Entry</th>
                <th scope="col" style={{ width: 64 }}>
                  Mode
                </th>
                <th scope="col" style={{ width: 220 }}>
                  Order
                </th>
                <th scope="col" style={{ width: 110 }} data-end>
                  EUR
                </th>
                <th scope="col" style={{ width: 120 }} data-end>
                  Balance after
                </th>
              </tr>
            </thead>
            <tbody>
              {ledger.data?.results.map((movement) => (
                <tr key={movement.id}>
                  <td title={formatUtc(movement.createdAt)} data-quiet>
                    {formatFullMoment(movement.createdAt)}
                  </td>
                  <td title={movement.id}>{movementLabels[movement.type] ?? movement.type}</td>
                  <td data-quiet>{movement.mode?.toUpperCase()}</td>
                  <td>
                    <code>{movement.orderId}</code>
                  </td>
                  <td data-end>
                    <Money cents={movement.amount} sign />
                  </td>
                  <td data-end>
                    <Money cents={movement.balanceAfter} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Body>
      <Pager page={page} size={pageSize} total={ledger.data?.total} onPage={setPage} />
    </>
  )
}
