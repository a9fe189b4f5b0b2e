import { FileInput, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { PassphraseEstimate } from '../../../../contract/app/passphrases.ts'
import { base64Of } from '../../../lib/base64.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { PassphraseFields, isUsable } from '../../vault/passphrase-fields.tsx'
import { usePassphraseEstimate } from '../../vault/use-passphrase-estimate.ts'
import styles from '../../theme/forms.module.css'

const noText = { present: '', chosen: '', again: '' }

/**
 * The inputs of a vault dialog: the current passphrase, a new one (twice), or a file.
 */
export interface SecretInputs {
  present?: string
  chosen?: string
  file?: string
  /** The file can be large, so it is passed as a `File` and not read. */
  large?: boolean
}
export interface SecretValues {
  present: string
  chosen: string
  /** The file's bytes; empty if the caller gets the `File` itself. */ base64: string
  file: File | null
}

export interface SecretDialogProps {
  title: string
  lead: ReactNode
  ask: SecretInputs
  confirmLabel: string
  /** Performs the action. The dialog shows its error and stays open. */
  onConfirm: (given: SecretValues) => Promise<void>
  onClose: () => void
  children?: ReactNode
}

/**
 * Collects the inputs of a vault action and performs it. It stays open until the action is done,
 * because closing it cancels nothing. Passphrases are discarded when it closes.
 */
export function SecretDialog({
  title,
  lead,
  ask,
  confirmLabel,
  onConfirm,
  onClose,
  children,
}: SecretDialogProps) {
  const [given, setGiven] = useState(noText)
  const [file, setFile] = useState<File | null>(null)
  const set = (part: Partial<typeof noText>): void => setGiven((before) => ({ ...before, ...part }))
  useEffect(() => () => setGiven(noText), [])
  const run = useMutation({
    mutationFn: async () =>
      onConfirm({
        present: given.present,
        chosen: given.chosen,
        file,
        base64: file === null || ask.large === true ? '' : await base64Of(file),
      }),
    onSuccess: onClose,
  })
  const estimate = usePassphraseEstimate(given.chosen)
  const ready =
    !run.isPending &&
    (ask.present === undefined || given.present !== '') &&
    (ask.file === undefined || file !== null) &&
    (ask.chosen === undefined || isUsable(given, estimate))
  const submit = (): void => {
    if (ready) run.mutate()
  }
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  const problem = run.isError ? problemOf(run.error) : null
  return (
    <Dialog
      opened
      onClose={run.isPending ? () => {} : onClose}
      title={title}
      lead={lead}
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={onClose} disabled={run.isPending}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            disabled={!ready && !run.isPending}
            busy={run.isPending}
            onClick={submit}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <SecretFields
          ask={ask}
          given={given}
          estimate={estimate}
          onGive={set}
          file={file}
          onFile={setFile}
        />
        <button type="submit" className="kd-hidden" tabIndex={-1} aria-hidden>
          Continue
        </button>
      </form>
      {children}
      {problem === null ? null : <ProblemNotice problem={problem} />}
    </Dialog>
  )
}

function SecretFields({
  ask,
  given,
  estimate,
  onGive,
  file,
  onFile,
}: {
  ask: SecretInputs
  given: typeof noText
  estimate: PassphraseEstimate | null
  onGive: (part: Partial<typeof noText>) => void
  file: File | null
  onFile: (file: File | null) => void
}) {
  return (
    <>
      {ask.file === undefined ? null : (
        <FileInput
          size="md"
          label={ask.file}
          placeholder="Choose a file"
          value={file}
          onChange={onFile}
          data-autofocus
        />
      )}
      {ask.present === undefined ? null : (
        <PasswordInput
          size="md"
          label={ask.present}
          autoComplete="current-password"
          data-autofocus={ask.file === undefined || undefined}
          value={given.present}
          onChange={(event) => onGive({ present: event.currentTarget.value })}
        />
      )}
      {ask.chosen === undefined ? null : (
        <PassphraseFields
          label={ask.chosen}
          given={given}
          estimate={estimate}
          autoFocus={ask.file === undefined && ask.present === undefined}
          onGive={onGive}
        />
      )}
    </>
  )
}
