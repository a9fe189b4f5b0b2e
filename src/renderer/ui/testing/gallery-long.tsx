import { useEffect, useMemo, useState } from 'react'
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

/** A table that has its first rows when the place of its open record, much later, is known. */
export function Growing() {
  const [total, setTotal] = useState(100)
  const columns = useMemo<Column<Line>[]>(
    () => [{ id: 'name', header: 'Name', width: 200, grow: true, cell: (row) => row.id }],
    [],
  )
  return (
    <>
      <Button onClick={() => setTotal(2000)}>Grow</Button>
      <div style={{ display: 'flex', height: 300 }}>
        <DataTable
          tableId="growing"
          label="Growing list"
          columns={columns}
          total={total}
          getRow={(index) => ({ id: `item ${index}` })}
          rowKey={(row) => row.id}
          openKey="item 1990"
          list="growing"
          locate={async () => 1990}
          rowHeight={36}
        />
      </div>
    </>
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

/** A list that is sorted in reverse when the window receives a `reality` event. */
export function Resorted() {
  const [lines, setLines] = useState(['first', 'second', 'third', 'fourth'])
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [did, setDid] = useState('')
  useEffect(() => {
    const reverse = (): void => setLines((before) => before.toReversed())
    window.addEventListener('reality', reverse)
    return () => window.removeEventListener('reality', reverse)
  }, [])
  const columns = useMemo<Column<Line>[]>(
    () => [
      { id: 'name', header: 'Name', width: 200, grow: true, cell: (row) => <b>{row.id}</b> },
      {
        id: 'action',
        header: 'Action',
        width: 200,
        cell: (row) => (
          <span data-own>
            <Button size="xs" onClick={() => setDid(`sent ${row.id}`)}>
              Send
            </Button>
          </span>
        ),
      },
    ],
    [],
  )
  return (
    <>
      <p>Sorted again</p>
      <output>{did}</output>
      <div style={{ display: 'flex', height: 300 }}>
        <DataTable
          tableId="resorted"
          label="Sorted again"
          columns={columns}
          total={lines.length}
          getRow={(index) => {
            const id = lines[index]
            return id === undefined ? undefined : { id }
          }}
          rowKey={(row) => row.id}
          onOpen={(row) => setDid(`opened ${row.id}`)}
          checked={checked}
          onCheck={(next) => {
            setChecked(next)
            setDid(`selected ${[...next].join(', ')}`)
          }}
          rowHeight={36}
        />
      </div>
    </>
  )
}
