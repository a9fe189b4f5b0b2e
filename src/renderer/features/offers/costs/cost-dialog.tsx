import { useMemo, useState } from 'react'
import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Cents } from '../../../../../server/api/money.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/localization/localized.ts'
import type { OfferCost } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { MoneyField } from '../../../ui/controls/fields/price-field.tsx'
import { Money, MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../../ui/layout/submit-actions.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { type PagedRows, usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { useOfferTerms } from '../panel/use-offer-terms.ts'
import styles from '../parts.module.css'

const ROW_HEIGHT = 32
const HEADER_HEIGHT = 34
const MOST_HEIGHT = 340

type CostPage = InferContractRouterOutputs<Contract['offers']>['costs']

function Cost({ from, to }: { from: Cents | null; to: Cents | null }) {
  if (to === null || to === from) return from === null ? '–' : <Money cents={from} />
  return from === null ? <Money cents={to} /> : <MoneyChange from={from} to={to} />
}

const columnsOf = (cents: Cents | null): Column<OfferCost>[] => [
  {
    id: 'name',
    header: 'Product',
    width: 240,
    grow: true,
    hideable: false,
    cell: (row) => <NameCell name={row.name} detail={variantLabel(row)} />,
  },
  {
    id: 'cost',
    header: 'Cost EUR',
    width: 150,
    align: 'end',
    cell: ({ costCents }) => <Cost from={costCents} to={cents} />,
  },
]

/** The offers whose cost is set, with their present and their new costs. */
function CostTable({ rows, cents }: { rows: PagedRows<OfferCost, CostPage>; cents: Cents | null }) {
  const columns = useMemo(() => columnsOf(cents), [cents])
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
    <div
      className={styles.costs}
      style={{ height: Math.min(MOST_HEIGHT, HEADER_HEIGHT + ROW_HEIGHT * rows.total) }}
    >
      <DataTable
        tableId="offers-costs"
        label="Offers"
        columns={columns}
        total={rows.total}
        getRow={rows.getRow}
        rowKey={(row) => row.offerId}
        onRange={rows.onRange}
        loading={rows.loading}
        stale={rows.stale}
        rowHeight={ROW_HEIGHT}
        empty={<p className="kd-nothing">None of these offers exists any more.</p>}
      />
    </div>
  )
}

/** Sets or clears the cost per key of offers, and shows all of them. */
export function CostDialog({ offerIds, onClose }: { offerIds: string[]; onClose: () => void }) {
  const account = useAccount()
  /** The offers that were checked when the dialog opened. */
  const [chosen] = useState(offerIds)
  const [cents, setCents] = useState<Cents | null>(null)
  const terms = useOfferTerms()
  const rows = usePagedRows<OfferCost, CostPage>(
    JSON.stringify([account.id, chosen]),
    (window) =>
      api.offers.costs.queryOptions({
        input: { accountId: account.id, offerIds: chosen, window },
      }),
    (row) => row.offerId,
  )
  const count = t('counts.offers', { count: rows.page?.total ?? chosen.length })
  const entered = rows.page?.entered ?? 0
  const set = (costCents: Cents | null): void => {
    if (rows.page === undefined || terms.busy) return
    terms.change(
      `Cost ${costCents === null ? 'cleared' : 'set'} for ${count}`,
      { offerIds: chosen, costCents },
      onClose,
    )
  }
  const submit = (): void => {
    if (cents !== null) set(cents)
  }
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  return (
    <Dialog
      opened
      onClose={onClose}
      closable
      account={account}
      width={640}
      title={`Cost per key of ${count}`}
      lead={
        'What you paid for one key. It’s saved on this computer only, and is used for ' +
        'the profit and as the repricing floor.'
      }
      actions={
        <>
          <Button size="md" disabled={entered === 0 || terms.busy} onClick={() => set(null)}>
            Clear cost
          </Button>
          <SubmitActions
            ready={cents !== null && rows.page !== undefined}
            busy={terms.busy}
            onCancel={onClose}
            onSubmit={submit}
          >
            Set cost
          </SubmitActions>
        </>
      }
    >
      <div className={styles.cost}>
        <MoneyField label="Cost per key" cents={cents} onChange={setCents} onEnter={submit} />
      </div>
      <CostTable rows={rows} cents={cents} />
    </Dialog>
  )
}
