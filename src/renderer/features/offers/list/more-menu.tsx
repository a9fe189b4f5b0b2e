import { t } from '../../../../contract/localization/localized.ts'
import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  IconCoin,
  IconCopy,
  IconDots,
  IconDownload,
  IconHistory,
  IconTablePlus,
} from '@tabler/icons-react'
import type { OfferFilter } from '../../../../contract/offers/offer-filter.ts'
import type { SavedView } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { saveText } from '../../../lib/save-file.ts'
import { IconButton } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { bulkProgress } from '../bulk/bulk-texts.ts'

type Sort = SavedView['look']['sort']
export interface TableChoice {
  filter: OfferFilter
  sort: Sort
  offerIds: string[] | null
}

/**
 * Saves the offers as a file or copies them: the checked offers, or otherwise all that match the
 * filters.
 */
async function exportTable(
  accountId: string,
  choice: TableChoice,
  form: 'file' | 'csv' | 'tabs',
): Promise<void> {
  try {
    const { fileName, text, rows } = await rpc.offers.table({
      accountId,
      ...choice,
      form: form === 'tabs' ? 'tabs' : 'csv',
    })
    if (form === 'file') return saveText(fileName, text)
    await navigator.clipboard.writeText(text)
    toast({
      kind: 'copy',
      title: `${t('counts.offers', { count: rows })} copied`,
      text: 'Paste them into a spreadsheet. Keys aren’t included.',
    })
  } catch (error) {
    toastProblem(problemOf(error), null)
  }
}

/** Less frequent actions: export, copy, offers and costs from tables, and past bulk changes. */
export function MoreMenu({
  choice,
  onCreate,
  onCosts,
  onResults,
}: {
  choice: TableChoice
  onCreate: () => void
  onCosts: () => void
  onResults: (bulkId: string) => void
}) {
  const { id: accountId } = useAccount()
  const bulks = useQuery(api.offers.bulk.list.queryOptions({ input: { accountId } })).data ?? []
  const what =
    choice.offerIds === null ? 'all shown' : `${formatCount(choice.offerIds.length)} checked`
  return (
    <Menu position="bottom-end" offset={4} width={300}>
      <Menu.Target>
        <IconButton label="More: export, copy, changes">
          <IconDots size={16} stroke={1.6} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconDownload size={16} stroke={1.6} />}
          onClick={() => void exportTable(accountId, choice, 'file')}
        >
          Export as CSV ({what})
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCopy size={16} stroke={1.6} />}
          onClick={() => void exportTable(accountId, choice, 'tabs')}
        >
          Copy as text ({what})
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCopy size={16} stroke={1.6} />}
          onClick={() => void exportTable(accountId, choice, 'csv')}
        >
          Copy as CSV ({what})
        </Menu.Item>
        <Menu.Item leftSection={<IconTablePlus size={16} stroke={1.6} />} onClick={onCreate}>
          New offers from a table…
        </Menu.Item>
        <Menu.Item leftSection={<IconCoin size={16} stroke={1.6} />} onClick={onCosts}>
          Costs from a table…
        </Menu.Item>
        {bulks.length === 0 ? null : <Menu.Label>Bulk changes</Menu.Label>}
        {bulks.slice(0, 8).map((bulk) => (
          <Menu.Item
            key={bulk.bulkId}
            leftSection={<IconHistory size={16} stroke={1.6} />}
            onClick={() => onResults(bulk.bulkId)}
          >
            {bulk.title}: {bulkProgress(bulk)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
