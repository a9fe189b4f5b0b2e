import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { OfferedProfiles, SaveProfile } from './file-profile.tsx'
import type { ImportFileProps } from './file-props.ts'
import { FileSettingsRow } from './file-settings.tsx'
import { FirstLines } from './first-lines.tsx'
import shared from '../key-import.module.css'
import styles from './check.module.css'
import { Targets } from './targets.tsx'

/**
 * Details of one file: detected settings, the offers its lines go to, and its first lines with
 * their outcome. `isSent`: whether this page is sending the file.
 */
export const FileDetail = memo(function FileDetail({
  isSent,
  ...of
}: ImportFileProps & { isSent: boolean }) {
  const { importId, file } = of
  const tell = { onError: (error: unknown) => toastProblem(problemOf(error), file.name) }
  const readAgain = useMutation(api.imports.readAgain.mutationOptions(tell))
  const remove = useMutation(api.imports.removeFile.mutationOptions(tell))
  const mayReadAgain =
    file.state === 'failed' &&
    file.received === file.size &&
    (file.problem?.code === 'DISK_FULL' || file.problem?.code === 'INTERNAL')
  return (
    <div className={styles.middle}>
      <div className={styles.detailHead}>
        <b>{file.name}</b>
        <span>
          {file.state === 'failed'
            ? ''
            : file.kind === 'pictures'
              ? 'Each picture is one key.'
              : 'Detected settings. Correct anything that’s wrong.'}
        </span>
        {file.state === 'checked' ? <SaveProfile {...of} /> : null}
        <Button
          kind="quiet"
          size="xs"
          busy={remove.isPending}
          onClick={() => remove.mutate({ importId, fileId: file.fileId })}
        >
          Remove
        </Button>
      </div>
      {file.problem === null ? null : (
        <div className={shared.padded}>
          <Notice
            tone="bad"
            title={file.problem.what}
            action={
              mayReadAgain ? (
                <Button
                  size="xs"
                  busy={readAgain.isPending}
                  onClick={() => readAgain.mutate({ importId, fileId: file.fileId })}
                >
                  Retry
                </Button>
              ) : undefined
            }
          >
            {file.problem.effect} {file.problem.next}
            <ProblemCodes problem={file.problem} />
          </Notice>
        </div>
      )}
      {file.state === 'receiving' && !isSent ? (
        <div className={shared.padded}>
          <Notice tone="warn" title="This file is incomplete.">
            This page isn’t sending it: the page was reloaded, or another page sends the file. If
            there’s no progress, remove the file and drop it again.
          </Notice>
        </div>
      ) : null}
      <OfferedProfiles importId={importId} file={file} />
      <FileSettingsRow importId={importId} file={file} />
      <Targets {...of} />
      <FirstLines importId={importId} file={file} />
    </div>
  )
})
