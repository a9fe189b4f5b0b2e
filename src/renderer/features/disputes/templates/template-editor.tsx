import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DisputeTemplate } from '../../../../contract/disputes/dispute-records.ts'
import { templateFields } from '../../../../contract/disputes/dispute-records.ts'
import { replyOutcomes } from '../../../../contract/disputes/dispute-replies.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import shared from '../disputes.module.css'
import styles from './templates.module.css'
import { languageName, outcomeWords } from '../words.ts'
import { Languages } from './languages.tsx'

/** A template that isn't saved yet has no id. */
export type TemplateDraft = Omit<DisputeTemplate, 'templateId'> & { templateId: string | null }
const languages = ['en', 'de', 'fr', 'es', 'it', 'pl', 'pt'] as const

/** Edits a template's name and its text in each language. */
export function TemplateEditor({
  accountId,
  draft,
  onClose,
}: {
  accountId: string
  draft: TemplateDraft
  onClose: () => void
}) {
  const { templateId } = draft
  const [name, setName] = useState(draft.name)
  const [outcome, setOutcome] = useState(draft.outcome)
  const [bodies, setBodies] = useState<Readonly<Record<string, string>>>(draft.bodies)
  const [language, setLanguage] = useState(Object.keys(draft.bodies)[0] ?? 'en')
  const settled = {
    onSuccess: onClose,
    onError: (error: unknown) => void toastProblem(problemOf(error), draft.name || name),
  }
  const saving = useMutation(api.disputes.saveTemplate.mutationOptions(settled))
  const removing = useMutation(api.disputes.removeTemplate.mutationOptions(settled))
  const busy = saving.isPending || removing.isPending
  const save = (): void => {
    if (!busy) saving.mutate({ accountId, template: { ...draft, name, bodies, outcome } })
  }
  const remove = (templateId: string): void => {
    if (!busy) removing.mutate({ accountId, templateId })
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={templateId === null ? 'New template' : 'Edit template'}
      width={560}
      actions={
        <>
          {templateId === null ? null : (
            <Button
              size="md"
              kind="danger"
              busy={removing.isPending}
              onClick={() => remove(templateId)}
            >
              Remove
            </Button>
          )}
          <Button size="md" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="md"
            kind="primary"
            busy={saving.isPending}
            disabled={name.trim() === ''}
            onClick={save}
          >
            Save template
          </Button>
        </>
      }
    >
      <div className={styles.editor}>
        <TextInput
          label="Name"
          size="md"
          value={name}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label="Send with the answer"
          size="md"
          value={outcome}
          data={replyOutcomes.map((value) => ({ value, label: outcomeWords[value].choice }))}
          onChange={({ currentTarget: { value } }) =>
            setOutcome(replyOutcomes.find((each) => each === value) ?? 'reply')
          }
        />
        <Languages
          codes={[...new Set([...Object.keys(bodies), ...languages])]}
          chosen={language}
          onChoose={setLanguage}
        />
        <Textarea
          label={`Text in ${languageName(language)}`}
          rows={7}
          value={bodies[language] ?? ''}
          maxLength={5000}
          onChange={(event) => setBodies({ ...bodies, [language]: event.currentTarget.value })}
        />
        <p className={shared.note}>
          Fields: {templateFields.map((field) => `{${field}}`).join(' ')}
        </p>
      </div>
    </Dialog>
  )
}
