import { FileButton, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconFileText } from '@tabler/icons-react'
import { type ClipboardEvent, useDeferredValue, useState } from 'react'
import type { Bulk } from '../../../../contract/offers/offer-bulk.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../parts.module.css'
import { CreateOffers } from './create-offers.tsx'

/** A longer text isn't shown: laying out its lines would block the page. */
const LONGEST_SHOWN = 5000

interface TableText {
  /** Identifies the text, which is too long for a key. */
  number: number
  text: string
  /** The name of a text that isn't shown; null for one in the field. */
  name: string | null
}
let count = 0
const nothing: TableText = { number: 0, text: '', name: null }
const tableOf = (text: string, name: string): TableText => ({
  number: (count += 1),
  text,
  name: text.length > LONGEST_SHOWN ? name : null,
})

/** Bulk creation of offers from a table of products and prices, pasted or read from a file. */
export function CreateFromTable({
  onClose,
  onBegun,
}: {
  onClose: () => void
  onBegun: (bulk: Bulk) => void
}) {
  const account = useAccount()
  const [table, setTable] = useState(nothing)
  const asked = useDeferredValue(table)
  const isEmpty = asked.text.trim() === ''
  const reading = useQuery({
    queryKey: [...api.offers.creation.read.key(), account.id, asked.number],
    queryFn: () => rpc.offers.creation.read({ accountId: account.id, text: asked.text }),
    enabled: !isEmpty,
    // The core keeps the table for this id; reading it again would give it another one.
    staleTime: Infinity,
  })
  const read = isEmpty ? undefined : reading.data
  const wrong = read?.wrong ?? []
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    if (text.length <= LONGEST_SHOWN) return
    event.preventDefault()
    setTable(tableOf(text, 'Pasted table'))
  }
  return (
    <CreateOffers
      key={read?.priced === 0 ? 'free' : 'priced'}
      source={read === undefined || read.lines === 0 ? null : { tableId: read.tableId }}
      count={read?.lines ?? 0}
      onClose={onClose}
      onBegun={onBegun}
      priced={(read?.priced ?? 1) > 0}
    >
      <div className={styles.paste}>
        {table.name === null ? (
          <Textarea
            label="Product id or exact name, and what you receive in EUR"
            placeholder={'product,price\nprd_1k2,12.50'}
            value={table.text}
            minRows={4}
            maxRows={8}
            autosize
            data-autofocus
            onPaste={paste}
            onChange={(event) =>
              setTable({ ...tableOf(event.currentTarget.value, ''), name: null })
            }
          />
        ) : (
          <Notice
            tone="info"
            title={table.name}
            action={<Button onClick={() => setTable(nothing)}>Remove</Button>}
          >
            {read === undefined
              ? 'Reading…'
              : t('screens.offers-table-lines', { count: read.lines })}
          </Notice>
        )}
        <div className={styles.file}>
          <FileButton
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(file) =>
              void file?.text().then((text) => setTable(tableOf(text, file.name)))
            }
          >
            {({ onClick }) => (
              <Button icon={<IconFileText size={16} stroke={1.6} />} onClick={onClick}>
                Choose a CSV file…
              </Button>
            )}
          </FileButton>
        </div>
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
