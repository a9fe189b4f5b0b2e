import { useMemo, useState } from 'react'
import { Button } from '../controls/buttons/button.tsx'
import type { Column } from '../table/columns/columns.ts'
import { DataTable } from '../table/data-table.tsx'
import { NameCell } from '../table/cells/name-cell.tsx'

interface Line {
  id: string
}

/** A cell with state of its row: a secret, once it was requested. */
function Secret({ of }: { of: string }) {
  const [shown, setShown] = useState(false)
  return (
    <span data-own>
      {shown ? (
        `secret of ${of}`
      ) : (
        <Button size="xs" onClick={() => setShown(true)}>
          Show {of}
        </Button>
      )}
    </span>
  )
}

/** A table too long to render completely; its rows reuse the elements of rows that left. */
export function Long() {
  const columns = useMemo<Column<Line>[]>(
    () => [
      {
        id: 'name',
        header: 'Long list',
        width: 200,
        grow: true,
        stateless: true,
        cell: (row) => <NameCell name={row.id} />,
      },
      { id: 'secret', header: 'Secret', width: 200, cell: (row) => <Secret of={row.id} /> },
    ],
    [],
  )
  return (
    <div style={{ display: 'flex', height: 600 }}>
      <DataTable
        tableId="long"
        label="Long list"
        columns={columns}
        total={5000}
        getRow={(index) => ({ id: `line ${index}` })}
        rowKey={(row) => row.id}
        rowHeight={36}
      />
    </div>
  )
}
