import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { ActivityEntry } from '../../../contract/app/app.ts'
import { t } from '../../../contract/localization/localized.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { fileOf, saveBlob } from '../../lib/save-file.ts'
import { useCopyOf } from '../../ui/controls/buttons/copy-menu.tsx'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { usePagedRows } from '../../ui/table/rows/paged-rows.ts'
import { oneOf, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { sinceOf, spans } from './outcome.ts'

const views = ['all', 'failed', 'unknown'] as const
type View = (typeof views)[number]
const lookParts = {
  view: oneOf(views, 'all'),
  whose: oneOf(['this', 'all'], 'this'),
  span: oneOf(
    spans.map(({ id }) => id),
    'any',
  ),
}
type ActivityPageOf = {
  total: number
  rows: ActivityEntry[]
  views: Record<View, number>
  countedUpTo: number | null
}

/** The filter of the activity page, the entries it matches, and their export. */
export function useActivity() {
  const account = useAccount()
  const [{ view, whose, span }, look] = useListSettings('activity', account.id, lookParts)
  const [typed, setTyped] = useState('')
  const [removedId, setRemovedId] = useState<string | null>(null)
  const removed = useQuery(api.activity.removedAccounts.queryOptions()).data ?? []
  const query = useDeferredValue(typed)
  const asked = {
    accountId: removedId ?? (whose === 'this' ? account.id : null),
    view,
    query,
    from: sinceOf(span, Date.now()),
  }
  const rows = usePagedRows<ActivityEntry, ActivityPageOf>(
    JSON.stringify(asked),
    (window) => api.activity.list.queryOptions({ input: { ...asked, window } }),
    (entry) => entry.id,
  )
  const exports = useMutation({
    mutationFn: async (choice: typeof asked) => fileOf(await rpc.activity.export(choice)),
    onSuccess: ({ facts: { fileName, entries }, content }) => {
      saveBlob(fileName, content)
      toast({ title: `${t('counts.entries', { count: entries })} exported`, text: fileName })
    },
    onError: (error) => toastProblem(problemOf(error), null),
  })
  const copies = useCopyOf(
    async (form) => (await fileOf(await rpc.activity.export({ ...asked, form }))).content,
  )
  return {
    account,
    view,
    whose,
    span,
    look,
    /** The search field's text, and the query it becomes. */
    typed,
    setTyped,
    query,
    /** The removed accounts with entries, and the one whose entries are shown. */
    removed,
    removedId,
    setRemovedId,
    rows,
    isFiltered: query !== '' || view !== 'all' || span !== 'any',
    isExporting: exports.isPending,
    exportEntries: (): void => {
      if (!exports.isPending) exports.mutate(asked)
    },
    copies,
  }
}
export type Activity = ReturnType<typeof useActivity>
