import { IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { ActivityTable } from './activity-table.tsx'
import { ActivityFilterBar } from './filter-bar.tsx'
import { outcomeWords } from './outcome.ts'
import { useActivity } from './use-activity.ts'

/**
 * Every request and background job of this console with its outcome, and the ids to give to the
 * service's support.
 */
export function ActivityPage() {
  const activity = useActivity()
  const [open, setOpen] = useState<ActivityEntry | null>(null)
  const table = useRef<TableHandle>(null)
  const { rows } = activity
  const { page } = rows
  useShortcut('E', activity.exportEntries, { enabled: rows.total > 0 })
  return (
    <Page
      panel={
        open === null ? undefined : (
          <ActivityPanel
            entry={open}
            onClose={() => {
              setOpen(null)
              table.current?.focus()
            }}
          />
        )
      }
    >
      <PageHeader
        title="Activity"
        beside={
          <CountTabs
            label="Views"
            value={activity.view}
            onChange={(next) => activity.look({ view: next })}
            tabs={[
              { id: 'all', label: 'All', count: page?.views.all ?? null },
              { id: 'failed', label: 'Failed', count: page?.views.failed ?? null },
              { id: 'unknown', label: outcomeWords.unknown, count: page?.views.unknown ?? null },
            ]}
          />
        }
        actions={
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            keys={['E']}
            busy={activity.isExporting}
            disabled={rows.total === 0}
            onClick={activity.exportEntries}
          >
            Export CSV
          </Button>
        }
      />
      <ActivityFilterBar activity={activity} table={table} />
      <ActivityTable activity={activity} table={table} open={open} onOpen={setOpen} />
    </Page>
  )
}
