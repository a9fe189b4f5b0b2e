import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DisputeFilter } from '../../../../contract/disputes/dispute-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'

/** Saves the filter of the list under a name. */
export function SaveViewDialog({
  accountId,
  filter,
  opened,
  onClose,
}: {
  accountId: string
  filter: DisputeFilter
  opened: boolean
  onClose: () => void
}) {
  const [name, setName] = useState('')
  useEffect(() => {
    if (opened) setName('')
  }, [opened])
  const saving = useMutation(
    api.disputes.saveView.mutationOptions({
      onSuccess: onClose,
      onError: (error) => void toastProblem(problemOf(error), name),
    }),
  )
  const isNamed = name.trim() !== ''
  const save = (): void => {
    if (isNamed && !saving.isPending) saving.mutate({ accountId, name, filter })
  }
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Save view"
      lead="Saves the view, search words, reasons and languages under a name."
      width={400}
      actions={
        <>
          <Button size="md" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            busy={saving.isPending}
            disabled={!isNamed}
            onClick={save}
          >
            Save view
          </Button>
        </>
      }
    >
      <TextInput
        label="Name"
        size="md"
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      />
    </Dialog>
  )
}
