import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconFilter, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { disputeReasons } from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeFilter, DisputeView } from '../../../../contract/disputes/dispute-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { IconButton } from '../../../ui/controls/buttons/button.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { SaveViewDialog } from './save-view-dialog.tsx'
import { reasonWords } from '../../../lib/labels/dispute-labels.ts'
import { languageName } from '../words.ts'

const more: readonly { id: DisputeView; name: string }[] = [
  { id: 'needs-answer', name: 'Needs an answer' },
  { id: 'waiting', name: 'Waiting for the customer' },
  { id: 'escalated', name: 'Escalated to support' },
  { id: 'done', name: 'Marked as done' },
  { id: 'all', name: 'All' },
]
const languages = ['en', 'de', 'fr', 'es', 'it', 'pl', 'pt'] as const
const toggled = <T,>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value]
const fail =
  (record: string) =>
  (error: unknown): void => {
    toastProblem(problemOf(error), record)
  }

export interface FilterMenuProps {
  accountId: string
  filter: DisputeFilter
  counts: Readonly<Record<DisputeView, number>> | undefined
  onChange: (filter: DisputeFilter) => void
  /** Whether all seller accounts are shown together; null if there is only one. */
  every: { on: boolean; toggle: () => void } | null
}

/** More views, reasons, languages, unread, all accounts together, and saved views. */
export function FilterMenu({ accountId, filter, counts, onChange, every }: FilterMenuProps) {
  const [naming, setNaming] = useState(false)
  const saved = useQuery(api.disputes.savedViews.queryOptions({ input: { accountId } })).data ?? []
  const narrowed = filter.unread || filter.reasons.length > 0 || filter.languages.length > 0
  return (
    <>
      <Menu closeOnItemClick={false} position="bottom-end" offset={4} width={240}>
        <Menu.Target>
          <IconButton
            label={narrowed ? 'Filter, active' : 'Filter'}
            data-on={narrowed || undefined}
          >
            <IconFilter size={16} stroke={1.6} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown mah={460} style={{ overflowY: 'auto' }}>
          {every === null ? null : (
            <Menu.CheckboxItem checked={every.on} onChange={every.toggle}>
              All seller accounts together
            </Menu.CheckboxItem>
          )}
          <Menu.CheckboxItem
            checked={filter.unread}
            onChange={(unread) => onChange({ ...filter, unread })}
          >
            Unread only
          </Menu.CheckboxItem>
          <Menu.Label>Views</Menu.Label>
          {more.map(({ id, name }) => (
            <Menu.Item
              key={id}
              rightSection={counts?.[id] ?? ''}
              onClick={() => onChange({ ...filter, view: id })}
            >
              {name}
            </Menu.Item>
          ))}
          {saved.map(({ viewId, name, filter: kept }) => (
            <Menu.Item key={viewId} onClick={() => onChange(kept)}>
              {name}
            </Menu.Item>
          ))}
          {saved.map(({ viewId, name }) => (
            <Menu.Item
              key={`drop-${viewId}`}
              leftSection={<IconTrash size={14} stroke={1.6} />}
              onClick={() => void rpc.disputes.removeView({ accountId, viewId }).catch(fail(name))}
            >
              Remove “{name}”
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setNaming(true)} closeMenuOnClick>
            Save this view…
          </Menu.Item>
          <Menu.Label>Reason</Menu.Label>
          {disputeReasons.map((reason) => (
            <Menu.CheckboxItem
              key={reason}
              checked={filter.reasons.includes(reason)}
              onChange={() => onChange({ ...filter, reasons: toggled(filter.reasons, reason) })}
            >
              {reasonWords[reason]}
            </Menu.CheckboxItem>
          ))}
          <Menu.Label>Language</Menu.Label>
          {languages.map((code) => (
            <Menu.CheckboxItem
              key={code}
              checked={filter.languages.includes(code)}
              onChange={() => onChange({ ...filter, languages: toggled(filter.languages, code) })}
            >
              {languageName(code)}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      <SaveViewDialog
        accountId={accountId}
        filter={filter}
        opened={naming}
        onClose={() => setNaming(false)}
      />
    </>
  )
}
