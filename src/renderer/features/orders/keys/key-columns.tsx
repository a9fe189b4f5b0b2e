import type { KeyRow } from '../../../../contract/order-records.ts'
import { ClaimTimeLeft, ServiceMoment } from '../../../lib/account/account-time.tsx'
import { claimLabel } from '../../../lib/labels/claim-labels.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatMoment } from '../../../ui/format.ts'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { type Column, momentWidth } from '../../../ui/table/columns/columns.ts'
import { isoMoment } from '../../../ui/table/copy/table-text.ts'
import styles from '../orders.module.css'
import { handedText } from './handed-over.tsx'
import type { useOrderClaims } from './key-row.tsx'

const claimText = (
  claim: Parameters<typeof claimLabel>[0] | undefined,
  { replacement, seenAt, claimUntil }: KeyRow,
): string =>
  claim !== undefined
    ? claimLabel(claim).word
    : replacement && seenAt === null
      ? 'New, replacement'
      : `until ${isoMoment(claimUntil)}`

type ClaimsByKey = ReturnType<typeof useOrderClaims>

export const keyColumns = (claims: ClaimsByKey): readonly Column<KeyRow>[] => [
  {
    id: 'key',
    header: 'Key',
    text: (row) => row.masked,
    width: 230,
    hideable: false,
    cell: (row) => (
      <span className={styles.masked}>
        <span className={styles.key}>{row.masked}</span>
      </span>
    ),
  },
  {
    id: 'product',
    header: 'Product',
    text: (row) => row.name,
    width: 260,
    minWidth: 150,
    wantedWidth: 200,
    grow: true,
    hideable: false,
    cell: (row) => <NameCell name={row.name} detail={variantLabel(row)} />,
  },
  { id: 'order', header: 'Order', width: 180, hideOrder: 4, cell: (row) => row.externalId },
  {
    id: 'delivered',
    header: 'Delivered',
    text: (row) => isoMoment(row.deliveredAt),
    width: momentWidth,
    align: 'end',
    hideOrder: 2,
    cell: (row) => <ServiceMoment at={row.deliveredAt} />,
  },
  {
    id: 'claim',
    header: 'Claim',
    width: 190,
    text: (row) => claimText(claims.get(row.keyId), row),
    cell: (row) => {
      const claim = claims.get(row.keyId)
      if (claim !== undefined)
        return <StatusTag tone={claimLabel(claim).tone}>{claimLabel(claim).word}</StatusTag>
      return row.replacement && row.seenAt === null ? (
        <StatusTag tone="info">New, replacement</StatusTag>
      ) : (
        <ClaimTimeLeft until={row.claimUntil} />
      )
    },
  },
  {
    id: 'handed',
    header: 'Handed over',
    width: 170,
    hideOrder: 3,
    text: (row) => [isoMoment(row.handedAt), row.handedNote].filter(Boolean).join(' '),
    title: (row) => handedText(row) || undefined,
    cell: (row) =>
      row.handedAt === null ? null : (
        <NameCell
          name={formatMoment(row.handedAt, Date.now())}
          {...(row.handedNote !== '' && { detail: row.handedNote })}
        />
      ),
  },
  {
    id: 'seen',
    header: 'Last used here',
    text: (row) => isoMoment(row.seenAt),
    width: momentWidth,
    align: 'end',
    hideOrder: 1,
    cell: (row) => (row.seenAt === null ? null : formatMoment(row.seenAt, Date.now())),
  },
]
