import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import type { ImportFile } from '../../../../contract/keys/import-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { ImportFileProps } from './file-props.ts'
import shared from '../key-import.module.css'
import styles from './check.module.css'

/** Suggests saved profiles that match a file with this layout. */
export function OfferedProfiles({ importId, file }: { importId: string; file: ImportFile }) {
  const apply = useMutation(
    api.imports.applyProfile.mutationOptions({
      onError: (error) => toastProblem(problemOf(error), file.name),
    }),
  )
  if (file.offered.length === 0 || file.profile !== null) return null
  return (
    <div className={shared.padded}>
      <Notice
        tone="info"
        icon={<IconBookmark size={16} stroke={1.6} />}
        title="This file matches a saved profile."
        action={file.offered.slice(0, 3).map(({ profileId, name }) => (
          <Button
            key={profileId}
            size="xs"
            busy={apply.isPending}
            onClick={() => apply.mutate({ importId, fileId: file.fileId, profileId })}
          >
            Use “{name}”
          </Button>
        ))}
      >
        Apply its settings and offer choices to this file.
      </Notice>
    </div>
  )
}

/** Saves and removes profiles. A problem names the file. */
function useProfileChanges(fileName: string, onSaved: () => void) {
  const save = useMutation(
    api.imports.saveProfile.mutationOptions({
      onSuccess: (_, { name }) => {
        onSaved()
        toast({
          title: `Saved as “${name.trim()}”`,
          text: 'Keydesk suggests it for files with the same layout.',
        })
      },
      onError: (error) => toastProblem(problemOf(error), fileName),
    }),
  )
  const remove = useMutation(
    api.imports.removeProfile.mutationOptions({
      onSuccess: () => {
        onSaved()
        toast({ title: 'Profile removed', text: 'This file keeps the profile’s settings.' })
      },
      onError: (error) => toastProblem(problemOf(error), fileName),
    }),
  )
  return { save, remove }
}

/** Saves a file's settings and offer choices under a name. */
export function SaveProfile({ importId, accountId, file }: ImportFileProps) {
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const { save, remove } = useProfileChanges(file.name, () => setOpened(false))
  const submit = (): void => {
    if (name.trim() !== '') save.mutate({ importId, fileId: file.fileId, name })
  }
  return (
    <>
      <Button
        kind="quiet"
        size="xs"
        icon={<IconBookmark size={14} stroke={1.6} />}
        onClick={() => {
          setName(file.profile?.name ?? file.name.replace(/\.\w+$/, ''))
          setOpened(true)
        }}
      >
        {file.profile === null ? 'Save as profile…' : `“${file.profile.name}”…`}
      </Button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="Save import profile"
        lead={
          <>
            The profile stores how this file is read and which offer each value goes to. Keydesk
            suggests it for files with the same layout.
          </>
        }
        actions={
          <>
            <Button size="md" onClick={() => setOpened(false)}>
              Cancel
            </Button>
            <Button
              size="md"
              kind="primary"
              busy={save.isPending}
              disabled={name.trim() === ''}
              onClick={submit}
            >
              Save profile
            </Button>
          </>
        }
        note={
          file.profile === null ? null : (
            <Button
              kind="quiet"
              onClick={() => {
                if (file.profile !== null)
                  remove.mutate({ accountId, profileId: file.profile.profileId })
              }}
            >
              Remove profile
            </Button>
          )
        }
      >
        <TextInput
          className={styles.dialogField ?? ''}
          label="Name"
          size="md"
          value={name}
          data-autofocus
          maxLength={80}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') submit()
          }}
        />
      </Dialog>
    </>
  )
}
