import { FileButton, Textarea } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useMemo } from 'react'
import { type Cents, subtractCents } from '../../../../../server/api/money.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { formatCents, formatEur } from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../../ui/layout/submit-actions.tsx'
import { percentChange } from '../../../ui/percent-change.ts'
import styles from '../orders.module.css'
import { PreviewTable } from './preview-table.tsx'
import { placeableOrders, previewRows, tableChange } from './table-preview.ts'
import type { ReadTable } from './table-preview.ts'
import { useOrderTable } from './use-order-table.ts'

const maxNamed = 4

/**
 * Many orders from a table of lines: every line is shown with its product and price, then exactly
 * what is shown is recorded and placed one order after the other.
 */
export function TableDialog() {
  const account = useAccount()
  const table = useOrderTable()
  const { opened, draft, shown, changed, canPlace } = table
  useShortcut('Ctrl+Enter', table.place, { enabled: opened, where: 'dialog' })
  const count = shown === null ? 0 : placeableOrders(shown).length
  return (
    <Dialog
      opened={opened}
      onClose={table.close}
      title="Orders from a table"
      account={account}
      width={980}
      lead={
        'One line per product: reference, product ID, units, maximum price each. Lines with ' +
        'the same reference form one order. Without a maximum, Keydesk uses the current price ' +
        'plus 1 %.'
      }
      actions={
        <SubmitActions
          ready={canPlace}
          busy={table.busy}
          onCancel={table.close}
          onSubmit={table.place}
        >
          {shown === null
            ? t('screens.orders-place', { count })
            : t('screens.orders-place-for', { count, amount: formatCents(shown.atMostCents) })}
        </SubmitActions>
      }
      note={
        table.blocked === null
          ? 'Each order is recorded before it is sent'
          : `${table.blocked} This table is kept. Nothing is ordered until you place it.`
      }
    >
      <Textarea
        aria-label="Table of lines"
        data-autofocus
        autosize
        mt={10}
        minRows={3}
        maxRows={shown === null ? 10 : 4}
        classNames={{ input: 'kd-mono' }}
        placeholder={'reference,product id,units,max\nA-1,prd_…,2,33.49'}
        spellCheck={false}
        value={draft.text}
        onChange={(event) => table.enter('pasted table', event.currentTarget.value)}
      />
      <div className={styles.fileField}>
        <FileButton
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(file) => {
            if (file !== null) void file.text().then((content) => table.enter(file.name, content))
          }}
        >
          {({ onClick }) => (
            <Button icon={<IconFileText size={16} stroke={1.6} />} onClick={onClick}>
              Choose a CSV file…
            </Button>
          )}
        </FileButton>
      </div>
      {shown === null ? null : (
        <Preview shown={shown} previous={draft.previous} onTopUp={table.topUp} />
      )}
      {shown === null || changed === null ? null : (
        <Changed shown={shown} now={changed} onAccept={table.accept} />
      )}
    </Dialog>
  )
}

function Preview({
  shown,
  previous,
  onTopUp,
}: {
  shown: ReadTable
  onTopUp: () => void
  previous: Parameters<typeof previewRows>[1]
}) {
  const rows = useMemo(() => previewRows(shown, previous), [shown, previous])
  const placeable = placeableOrders(shown).length
  const left = shown.orders.length - placeable
  const { atMostCents, balanceCents, problems } = shown
  const isShort = balanceCents !== null && atMostCents > balanceCents
  if (rows.length === 0)
    return <Notice tone="warn" title={problems[0]?.problem ?? 'The table is empty.'} />
  return (
    <>
      <PreviewTable rows={rows} />
      <p className={styles.summary}>
        <b>{t('screens.orders-placeable', { placeable, count: shown.orders.length })}</b>
        {left > 0 ? <span className={styles.low}>{left} left out</span> : null}
        <span>
          At most <b>{formatEur(atMostCents)}</b>
          {balanceCents === null ? '' : ` of a balance of ${formatCents(balanceCents)}`}
        </span>
      </p>
      {isShort ? (
        <Notice
          tone="warn"
          title={`The balance is ${formatEur(subtractCents(atMostCents, balanceCents))} too low for all of them.`}
          action={<Button onClick={onTopUp}>How to top up</Button>}
        >
          Placing stops at the first order that it doesn’t cover, and asks.
        </Notice>
      ) : null}
    </>
  )
}

/** An amount as it was and is, with the change in percent. */
function move(from: Cents | null, to: Cents | null): string {
  const amount = (value: Cents | null): string => (value === null ? 'unknown' : formatCents(value))
  const percent = from === null || to === null ? '' : ` (${percentChange(from, to)})`
  return `${amount(from)} → ${amount(to)}${percent}`
}

/** The table changed between showing and pressing: nothing was placed, and a person decides. */
function Changed({
  shown,
  now,
  onAccept,
}: {
  shown: ReadTable
  now: ReadTable
  onAccept: () => void
}) {
  const change = tableChange(shown, now)
  if (change === null) return null
  const { orders, atMost, prices } = change
  return (
    <Notice
      tone="warn"
      title="Nothing was placed: the table changed since it was shown."
      action={<Button onClick={onAccept}>Show the current table</Button>}
    >
      {orders.from === orders.to
        ? ''
        : `Orders that can be placed: ${orders.from} → ${orders.to}. `}
      {atMost.from === atMost.to ? '' : `At most: ${move(atMost.from, atMost.to)}. `}
      {prices.length === 0 ? null : (
        <ul className={styles.fields}>
          {prices.slice(0, maxNamed).map(({ product, from, to }) => (
            <li key={`${product} ${from}`}>
              {product}: {move(from, to)}
            </li>
          ))}
          {prices.length > maxNamed ? <li>and {prices.length - maxNamed} more</li> : null}
        </ul>
      )}
    </Notice>
  )
}
