import { useMemo, useState } from 'react'
import { type Cents, cents } from '../../../../server/api/money.ts'
import { NameCell } from '../table/cells/name-cell.tsx'
import { PriceCell, PriceEdit } from '../table/cells/inline-edit-cell.tsx'
import type { Column } from '../table/columns/columns.ts'
import { DataTable } from '../table/data-table.tsx'
import { formatCents } from '../format.ts'
import { Lead, type LeadState } from '../data-display/amounts/lead.tsx'
import { StatusTag } from '../data-display/status-tag.tsx'
import { Stock } from '../data-display/amounts/stock.tsx'

interface Example {
  id: string
  detail: string
  price: number
  customer: number
  lead: LeadState
  stock: number
  state?: 'saving' | 'waits' | 'refused'
  accent?: boolean
  muted?: boolean
}

const steam = 'Steam'
const leads: LeadState = { kind: 'leading' }
const behind = (distanceCents: Cents): LeadState => ({ kind: 'behind', distanceCents })
const examples: (Example | undefined)[] = [
  {
    id: 'At rest',
    detail: steam,
    price: 3140,
    customer: 3454,
    lead: { kind: 'leading', distanceCents: cents(25) },
    stock: 1204,
  },
  { id: 'Pointed at', detail: steam, price: 890, customer: 979, lead: leads, stock: 866 },
  { id: 'Checked', detail: steam, price: 2710, customer: 2981, lead: leads, stock: 155 },
  {
    id: 'Open in the panel',
    detail: steam,
    price: 1285,
    customer: 1414,
    lead: behind(cents(45)),
    stock: 412,
  },
  {
    id: 'Editing',
    detail: steam,
    price: 1240,
    customer: 1364,
    lead: { kind: 'typed', distanceCents: cents(5), leading: true },
    stock: 412,
    accent: true,
  },
  {
    id: 'Saving',
    detail: steam,
    price: 1240,
    customer: 1364,
    lead: { kind: 'word', word: 'checking' },
    stock: 412,
    state: 'saving',
  },
  {
    id: 'Queued',
    detail: steam,
    price: 1240,
    customer: 1364,
    lead: { kind: 'word', word: '−0.45' },
    stock: 412,
    state: 'waits',
  },
  {
    id: 'Refused',
    detail: '',
    price: 1240,
    customer: 1414,
    lead: behind(cents(45)),
    stock: 412,
    state: 'refused',
  },
  { id: 'Low stock', detail: steam, price: 435, customer: 479, lead: behind(cents(20)), stock: 8 },
  {
    id: 'Paused',
    detail: 'Steam · Global',
    price: 1175,
    customer: 1293,
    lead: { kind: 'word', word: 'Paused' },
    stock: 204,
    muted: true,
  },
  undefined,
]

/** Every state of a row, in the real table. */
export function GalleryRows() {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set(['Checked']))
  const columns = useMemo<Column<Example>[]>(
    () => [
      {
        id: 'name',
        header: 'Product',
        width: 200,
        grow: true,
        cell: (row) => (
          <NameCell
            name={row.id}
            {...(row.detail === '' ? {} : { detail: row.detail })}
            after={
              row.state === 'refused' ? (
                <StatusTag tone="bad">At most two decimals</StatusTag>
              ) : undefined
            }
          />
        ),
      },
      {
        id: 'price',
        header: 'Price EUR',
        width: 110,
        align: 'end',
        cell: (row, cell) =>
          cell.editing ? (
            <PriceEdit
              cents={cents(row.price)}
              typed={null}
              label="Price"
              onType={() => {}}
              onSave={() => {}}
              onCancel={() => {}}
            />
          ) : (
            <PriceCell cents={cents(row.price)} state={row.state ?? 'rest'} />
          ),
      },
      {
        id: 'customer',
        header: 'Customer',
        width: 80,
        align: 'end',
        cell: (row) => (
          <span
            style={{
              color:
                row.accent === true
                  ? 'var(--kd-accent-text)'
                  : row.state === 'waits'
                    ? 'var(--kd-warn-text)'
                    : 'var(--kd-text-2)',
            }}
          >
            {formatCents(cents(row.customer))}
          </span>
        ),
      },
      {
        id: 'lead',
        header: 'Lead',
        width: 84,
        align: 'end',
        cell: (row) => <Lead state={row.lead} />,
      },
      {
        id: 'stock',
        header: 'Stock',
        width: 74,
        align: 'end',
        cell: (row) => <Stock count={row.stock} lowAt={10} quiet={row.muted === true} />,
      },
    ],
    [],
  )
  const [open, setOpen] = useState('Open in the panel')
  return (
    <DataTable
      tableId="gallery"
      label="Table rows"
      columns={columns}
      total={examples.length}
      getRow={(index) => examples[index]}
      rowKey={(row) => row.id}
      openKey={open}
      onOpen={(row) => setOpen(row.id)}
      checked={checked}
      onCheck={setChecked}
      editing={{ key: 'Editing', columnId: 'price', typed: null }}
      isMuted={(row) => row.muted === true}
      rowHeight={36}
    />
  )
}
