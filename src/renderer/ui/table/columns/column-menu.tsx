import { Popover, SegmentedControl } from '@mantine/core'
import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { IconButton, LinkButton } from '../../controls/buttons/button.tsx'
import { rowHeightOf, rowHeights } from './columns.ts'
import styles from './column-menu.module.css'
import { useColumnState, useColumnStore } from './column-store.ts'
import type { Column } from './columns.ts'

/**
 * Chooses the columns of a table, their order and the row height. Placed on the right of the
 * toolbar.
 */
export function ColumnMenu<Row>({
  tableId,
  columns,
}: {
  tableId: string
  columns: readonly Column<Row>[]
}) {
  const state = useColumnState(tableId)
  const { change, reset, defaultHeight } = useColumnStore()
  const ids = columns.map((column) => column.id)
  const order = [
    ...state.order.filter((id) => ids.includes(id)),
    ...ids.filter((id) => !state.order.includes(id)),
  ]
  const move = (id: string, by: 1 | -1): void => {
    const next = [...order]
    const at = next.indexOf(id)
    const other = next[at + by]
    if (other === undefined) return
    next[at] = other
    next[at + by] = id
    change(tableId, { order: next })
  }
  return (
    <Popover position="bottom-end" offset={4} trapFocus returnFocus>
      <Popover.Target>
        <IconButton label="Columns and row height">
          <IconColumns3 size={16} stroke={1.6} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Columns and row height">
        <div className={styles.menu}>
          <ul>
            {order.flatMap((id, index) => {
              const column = columns.find((each) => each.id === id)
              if (column === undefined) return []
              const on = state.visibility[id] ?? column.hidden !== true
              return [
                <li key={id}>
                  <Checkbox
                    label={column.header}
                    checked={on}
                    disabled={column.hideable === false}
                    onChange={(event) =>
                      change(tableId, {
                        visibility: { ...state.visibility, [id]: event.currentTarget.checked },
                      })
                    }
                  />
                  <IconButton
                    small
                    label={`Move ${column.header} to the left`}
                    disabled={index === 0}
                    onClick={() => move(id, -1)}
                  >
                    <IconArrowUp size={14} stroke={1.6} />
                  </IconButton>
                  <IconButton
                    small
                    label={`Move ${column.header} to the right`}
                    disabled={index === order.length - 1}
                    onClick={() => move(id, 1)}
                  >
                    <IconArrowDown size={14} stroke={1.6} />
                  </IconButton>
                </li>,
              ]
            })}
          </ul>
          <div className={styles.height}>
            <span id={`${tableId}-height`}>Row height</span>
            <SegmentedControl
              aria-labelledby={`${tableId}-height`}
              value={String(state.rowHeight ?? defaultHeight)}
              data={[...rowHeights]}
              onChange={(value) => change(tableId, { rowHeight: rowHeightOf(value) })}
            />
          </div>
          <div className={styles.reset}>
            <LinkButton onClick={() => reset(tableId)}>Reset to default</LinkButton>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
