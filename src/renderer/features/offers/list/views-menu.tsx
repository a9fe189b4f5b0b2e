import { Popover, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconBookmark, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { SavedView } from '../../../../contract/offers/offers.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { succeeds } from '../../../ui/feedback/succeeds.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../parts.module.css'

/** How to undo the removal of a view: it is saved again, and then has another id. */
function undoRemoval(accountId: string, { viewId, name, look }: SavedView) {
  let savedId = viewId
  const reversed = (work: Promise<unknown>): Promise<boolean> =>
    succeeds(work, (error) => toastProblem(problemOf(error), name))
  return {
    undo: () =>
      reversed(
        rpc.offers.saveView({ accountId, name, look }).then((saved) => {
          savedId = saved.viewId
        }),
      ),
    redo: () => reversed(rpc.offers.removeView({ accountId, viewId: savedId })),
  }
}

/** Saved views: filters, order and columns under a name. */
export function ViewsMenu({
  look,
  onApply,
}: {
  look: SavedView['look']
  onApply: (look: SavedView['look']) => void
}) {
  const { id: accountId } = useAccount()
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const [renamed, setRenamed] = useState<SavedView | null>(null)
  const views = useQuery(api.offers.savedViews.queryOptions({ input: { accountId } })).data ?? []
  const onError = (error: Error, { name: view }: { name: string }): void =>
    void toastProblem(problemOf(error), view)
  const save = useMutation(
    api.offers.saveView.mutationOptions({
      onError,
      onSuccess: (view) => {
        setName('')
        toast({
          title: `View “${view.name}” saved`,
          text: 'Filters, order and columns are saved on this computer.',
        })
      },
    }),
  )
  const endRename = (): void => {
    setRenamed(null)
    setName('')
  }
  /** A closed menu no longer renames a view: its form saves the present one. */
  const show = (opens: boolean): void => {
    setOpened(opens)
    if (!opens && renamed !== null) endRename()
  }
  const rename = useMutation(
    api.offers.renameView.mutationOptions({ onError, onSuccess: endRename }),
  )
  const remove = useMutation(api.offers.removeView.mutationOptions())
  const removeView = (view: SavedView): void =>
    remove.mutate(
      { accountId, viewId: view.viewId },
      {
        onError: (error) => void toastProblem(problemOf(error), view.name),
        onSuccess: () => {
          if (renamed?.viewId === view.viewId) endRename()
          toast({
            title: `View “${view.name}” removed`,
            text: 'Your offers are unchanged.',
            ...undoRemoval(accountId, view),
          })
        },
      },
    )
  const submit = (): void => {
    const typed = name.trim()
    if (typed === '') return
    if (renamed === null) save.mutate({ accountId, name: typed, look })
    else rename.mutate({ accountId, viewId: renamed.viewId, name: typed })
  }
  return (
    <Popover
      opened={opened}
      onChange={show}
      position="bottom-start"
      offset={4}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          icon={<IconBookmark size={16} stroke={1.6} />}
          aria-expanded={opened}
          onClick={() => show(!opened)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Saved views">
        <div className={styles.views}>
          <ul>
            {views.map((view) => (
              <li key={view.viewId}>
                <Button
                  kind="quiet"
                  onClick={() => {
                    onApply(view.look)
                    show(false)
                  }}
                >
                  {view.name}
                </Button>
                <IconButton
                  small
                  label={`Rename ${view.name}`}
                  onClick={() => {
                    setRenamed(view)
                    setName(view.name)
                  }}
                >
                  <IconPencil size={14} stroke={1.6} />
                </IconButton>
                <IconButton small label={`Remove ${view.name}`} onClick={() => removeView(view)}>
                  <IconTrash size={14} stroke={1.6} />
                </IconButton>
              </li>
            ))}
          </ul>
          <form
            className={styles.saveView}
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <TextInput
              aria-label={renamed === null ? 'View name' : `New name for ${renamed.name}`}
              placeholder="Name"
              value={name}
              maxLength={60}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" disabled={name.trim() === ''}>
              {renamed === null ? 'Save this view' : 'Rename'}
            </Button>
          </form>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
