import { variantLabel } from '../../lib/labels/product-labels.ts'
import type { Batch } from '../../../contract/keys/batches.ts'
import { formatCount, formatMoment, formatUtc } from '../../ui/format.ts'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { NameCell } from '../../ui/table/cells/name-cell.tsx'
import { type Column, momentWidth } from '../../ui/table/columns/columns.ts'
import { isoMoment, plainAmount } from '../../ui/table/copy/table-text.ts'
import styles from './batches.module.css'

/** Share of disputed keys among sold keys above which a batch is highlighted. */
const BAD_SHARE = 0.03

export const batchColumns: readonly Column<Batch>[] = [
  {
    id: 'name',
    header: 'Batch',
    text: (batch) => batch.name,
    width: 250,
    minWidth: 140,
    wantedWidth: 180,
    grow: true,
    hideable: false,
    cell: (batch) => <NameCell keepsName name={batch.name} detail={batch.files.join(', ')} />,
  },
  {
    id: 'offer',
    header: 'Offer',
    text: (batch) => batch.offerName,
    width: 290,
    minWidth: 120,
    wantedWidth: 200,
    grow: true,
    cell: (batch) => <NameCell name={batch.offerName} detail={variantLabel(batch)} />,
  },
  { id: 'supplier', header: 'Supplier', width: 140, hideOrder: 1, cell: (batch) => batch.supplier },
  {
    id: 'at',
    header: 'Uploaded',
    text: (batch) => isoMoment(batch.uploadedAt),
    width: momentWidth,
    hideOrder: 2,
    cell: (batch) =>
      batch.uploadedAt === null ? null : (
        <time title={formatUtc(batch.uploadedAt)}>
          {formatMoment(batch.uploadedAt, Date.now())}
        </time>
      ),
  },
  {
    id: 'cost',
    header: 'Cost EUR',
    text: (batch) => plainAmount(batch.costCents),
    width: 84,
    align: 'end',
    hideOrder: 4,
    cell: (batch) =>
      batch.costCents === null ? (
        <span className={styles.grey}>–</span>
      ) : (
        <Money cents={batch.costCents} />
      ),
  },
  {
    id: 'keys',
    header: 'Keys',
    text: (batch) => batch.keys,
    width: 80,
    align: 'end',
    hideable: false,
    cell: (batch) => formatCount(batch.keys),
  },
  {
    id: 'sold',
    header: 'Sold',
    text: (batch) => batch.sold,
    width: 76,
    align: 'end',
    cell: (batch) => formatCount(batch.sold),
  },
  {
    id: 'gone',
    header: 'Withdrawn',
    text: (batch) => batch.gone,
    width: 92,
    align: 'end',
    hideOrder: 3,
    cell: (batch) => (batch.gone === 0 ? null : formatCount(batch.gone)),
  },
  {
    id: 'claimed',
    header: 'Disputed',
    text: (batch) => batch.claimed,
    width: 104,
    align: 'end',
    hideable: false,
    cell: (batch) => <DisputedCell batch={batch} />,
  },
]

function DisputedCell({ batch: { claimed, sold } }: { batch: Batch }) {
  if (claimed === 0) return <span className={styles.grey}>none</span>
  const share = sold === 0 ? 1 : claimed / sold
  return (
    <span className={styles.share} data-bad={share > BAD_SHARE || undefined}>
      {formatCount(claimed)} · {(share * 100).toFixed(1)} %
    </span>
  )
}
