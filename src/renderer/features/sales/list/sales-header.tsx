import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { fileOf, saveBlob } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { PageHeader } from '../../../ui/layout/page.tsx'
import { periods } from '../periods.ts'
import type { SalesFilter } from './use-sales-filter.ts'

/** The period of the sales, and their export. */
export function SalesHeader({
  filter,
  total,
  onReleases,
}: {
  filter: SalesFilter
  total: number
  /** Shows the panel with the releases; null if it is shown or another one is. */
  onReleases: (() => void) | null
}) {
  const exports = useMutation({
    mutationFn: async () => fileOf(await rpc.sales.export(filter.asked)),
    onSuccess: ({ facts: { fileName, sales }, content }) => {
      saveBlob(fileName, content)
      toast({ title: `${t('counts.sales', { count: sales })} exported`, text: fileName })
    },
    onError: (error) => toastProblem(problemOf(error), null),
  })
  const exportSales = (): void => {
    if (!exports.isPending) exports.mutate()
  }
  useShortcut('E', exportSales, { enabled: total > 0 })
  return (
    <PageHeader
      title="Sales and balance"
      actions={
        <>
          <CountTabs
            label="Period"
            value={filter.period}
            onChange={(next) => filter.look({ period: next })}
            tabs={periods}
          />
          {onReleases === null ? null : <Button onClick={onReleases}>Releases</Button>}
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            keys={['E']}
            busy={exports.isPending}
            disabled={total === 0}
            onClick={exportSales}
          >
            Export CSV
          </Button>
        </>
      }
    />
  )
}
