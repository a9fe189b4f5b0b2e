import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Bulk } from '../../../../contract/offers/offer-bulk.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../parts.module.css'
import { CreateOffers } from './create-offers.tsx'
import { TableField } from './table-field.tsx'
import { noTable } from './table-text.ts'

/** Bulk creation of offers from a table of products and prices, pasted or read from a file. */
export function CreateFromTable({
  onClose,
  onBegun,
}: {
  onClose: () => void
  onBegun: (bulk: Bulk) => void
}) {
  const account = useAccount()
  const [table, setTable] = useState(noTable)
  const asked = useDeferredValue(table)
  const isEmpty = asked.text.trim() === ''
  const reading = useQuery({
    queryKey: [...api.offers.creation.read.key(), account.id, asked.number],
    queryFn: () => rpc.offers.creation.read({ accountId: account.id, text: asked.text }),
    enabled: !isEmpty,
    // The core keeps the table for this id. Reading it again would give it another one, whose plan
    // was never shown.
    staleTime: 'static',
  })
  const read = isEmpty ? undefined : reading.data
  const wrong = read?.wrong ?? []
  /** Whether the table has prices; while it is read, whether the one before it had some. */
  const [priced, setPriced] = useState(true)
  if (read !== undefined && read.priced > 0 !== priced) setPriced(read.priced > 0)
  return (
    <CreateOffers
      source={read === undefined || read.lines === 0 ? null : { tableId: read.tableId }}
      count={read?.lines ?? 0}
      onClose={onClose}
      onBegun={onBegun}
      priced={priced}
    >
      <div className={styles.paste}>
        <TableField
          label="Product id or exact name, and what you receive in EUR"
          placeholder={'product,price\nprd_1k2,12.50'}
          table={table}
          onChange={setTable}
          state={
            read === undefined ? 'Reading…' : t('screens.offers-table-lines', { count: read.lines })
          }
        />
        {reading.isError && !isEmpty ? <ProblemNotice problem={problemOf(reading.error)} /> : null}
        {wrong.length === 0 ? null : (
          <Notice
            tone="warn"
            title={t('screens.offers-unreadable', { count: read?.wrongCount ?? 0 })}
          >
            <ul className={styles.wrong}>
              {wrong.map((line) => (
                <li key={line.line}>
                  Line {line.line}: {line.reason} <span className="kd-mono">{line.text}</span>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </CreateOffers>
  )
}
