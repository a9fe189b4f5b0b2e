import { SegmentedControl, Select } from '@mantine/core'
import type { RefObject } from 'react'
import { CopyMenu } from '../../ui/controls/buttons/copy-menu.tsx'
import { SearchField } from '../../ui/controls/fields/search-field.tsx'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { formatCount, formatDay } from '../../ui/format.ts'
import { Bar } from '../../ui/layout/page.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import styles from './activity.module.css'
import { activityColumns } from './columns.tsx'
import { spans } from './outcome.ts'
import type { Activity } from './use-activity.ts'

/** The filters of the activity page: words, accounts and time. */
export function ActivityFilterBar({
  activity,
  table,
}: {
  activity: Activity
  table: RefObject<TableHandle | null>
}) {
  const { account, whose, span, look, typed, setTyped, removed, removedId, setRemovedId } = activity
  const countedUpTo = activity.rows.page?.countedUpTo
  return (
    <Bar
      label="Filters"
      end={
        <>
          <CopyMenu {...activity.copies} />
          <ColumnMenu tableId="activity" columns={activityColumns} />
        </>
      }
    >
      <SearchField
        label="Filter by word, code, request"
        width={280}
        value={typed}
        onChange={setTyped}
        list={table}
      />
      <SegmentedControl
        aria-label="Accounts"
        value={removedId === null ? whose : ''}
        data={[
          {
            value: 'this',
            label: (
              <span className={styles.whose}>
                {account.name} <ModeBadge mode={account.mode} small />
              </span>
            ),
          },
          { value: 'all', label: 'All accounts' },
        ]}
        onChange={(value) => {
          setRemovedId(null)
          look({ whose: value === 'all' ? 'all' : 'this' })
        }}
      />
      {removed.length === 0 ? null : (
        <Select
          aria-label="Removed accounts"
          placeholder="Removed accounts"
          size="xs"
          w={230}
          clearable
          data={removed.map(({ accountId, name, mode, removedAt }) => ({
            value: accountId,
            label: `${name} ${mode.toUpperCase()}, removed ${formatDay(removedAt)}`,
          }))}
          value={removedId}
          onChange={setRemovedId}
        />
      )}
      <SegmentedControl
        aria-label="Time"
        value={span}
        data={spans.map(({ id, label }) => ({ value: id, label }))}
        onChange={(value) => look({ span: spans.find(({ id }) => id === value)?.id ?? 'any' })}
      />
      {countedUpTo == null ? null : (
        <span style={{ fontSize: 12 }}>Newest {formatCount(countedUpTo)} matches only</span>
      )}
    </Bar>
  )
}
