import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  DisputeDetail,
  DisputeTemplate,
  FilledTemplate,
} from '../../../../contract/disputes/dispute-records.ts'
import type { ReplyOutcome } from '../../../../contract/disputes/dispute-replies.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { byRelevance } from '../composer/composer.tsx'
import shared from '../disputes.module.css'
import styles from './templates.module.css'
import { Languages } from './languages.tsx'
import { type TemplateDraft, TemplateEditor } from './template-editor.tsx'
import {
  languageName,
  missingWords,
  needsLanguageChoice,
  safeText,
  templateLanguages,
} from '../words.ts'

const missingLanguage = (template: DisputeTemplate, language: string | null): string | null =>
  needsLanguageChoice(template, language) ? language : null

/** The templates by relevance, and the chosen one filled in. */
function useTemplateChoice(detail: DisputeDetail) {
  const { accountId, disputeId } = detail
  const all = byRelevance(
    useQuery(api.disputes.templates.queryOptions({ input: { accountId } })).data ?? [],
    detail,
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const [language, setLanguage] = useState<string | null>(null)
  const template = all.find(({ templateId }) => templateId === chosen) ?? all[0]
  const preview = useQuery({
    ...api.disputes.fillTemplate.queryOptions({
      input: {
        accountId,
        disputeId,
        templateId: template?.templateId ?? '',
        ...(language === null ? {} : { language }),
      },
    }),
    enabled: template !== undefined,
  }).data
  return { all, template, preview, setChosen, setLanguage }
}

/** Chooses a template and previews it filled in; templates can be edited, added and removed. */
export function TemplateDialog({
  detail,
  onUse,
  onClose,
}: {
  detail: DisputeDetail
  /** `outcome`: the template's promise to the customer. */
  onUse: (text: string, outcome: ReplyOutcome) => void
  onClose: () => void
}) {
  const { accountId } = detail
  const { all, template, preview, setChosen, setLanguage } = useTemplateChoice(detail)
  const [editing, setEditing] = useState<TemplateDraft | null>(null)
  const use = (): void => {
    if (preview !== undefined && template !== undefined) onUse(preview.text, template.outcome)
  }
  const move = (by: 1 | -1): void => {
    const next = all[all.findIndex(({ templateId }) => templateId === template?.templateId) + by]
    if (next !== undefined) setChosen(next.templateId)
  }
  const keys = { where: 'dialog', enabled: editing === null } as const
  const moves = { ...keys, repeats: true }
  useShortcut('j', () => move(1), moves)
  useShortcut('k', () => move(-1), moves)
  useShortcut('ArrowDown', () => move(1), moves)
  useShortcut('ArrowUp', () => move(-1), moves)
  useShortcut('Ctrl+Enter', use, keys)
  if (editing !== null)
    return <TemplateEditor accountId={accountId} draft={editing} onClose={() => setEditing(null)} />
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Templates"
      width={720}
      actions={
        <>
          <Button
            size="md"
            onClick={() =>
              setEditing({
                templateId: null,
                name: '',
                reasons: [],
                outcome: 'reply',
                bodies: { en: '' },
              })
            }
          >
            New template…
          </Button>
          {template === undefined ? null : (
            <Button size="md" onClick={() => setEditing(template)}>
              Edit…
            </Button>
          )}
          <Button
            size="md"
            kind="primary"
            keys={['Ctrl', 'Enter']}
            disabled={preview === undefined}
            onClick={use}
          >
            Use template
          </Button>
        </>
      }
    >
      <div className={styles.templates}>
        <ul aria-label="Templates">
          {all.map(({ templateId, name }, at) => (
            <li key={templateId}>
              <button
                type="button"
                aria-pressed={templateId === template?.templateId}
                {...(at === 0 ? { 'data-autofocus': true } : {})}
                onClick={() => setChosen(templateId)}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
        <Preview
          languages={template === undefined ? [] : templateLanguages(template)}
          customer={template === undefined ? null : missingLanguage(template, detail.language)}
          filled={preview}
          onLanguage={setLanguage}
        />
      </div>
    </Dialog>
  )
}

/** The chosen template with its fields filled in. */
function Preview({
  languages,
  customer,
  filled,
  onLanguage,
}: {
  languages: readonly string[]
  /** The customer's language if the template doesn't have it, otherwise null. */
  customer: string | null
  filled: FilledTemplate | undefined
  onLanguage: (code: string) => void
}) {
  const missing = filled?.missing ?? []
  return (
    <div>
      <Languages codes={languages} chosen={filled?.language} onChoose={onLanguage} />
      {customer === null ? null : (
        <p className={shared.note}>
          The customer writes in {languageName(customer)}, and this template has no text in that
          language.
        </p>
      )}
      <p className={styles.preview} dir="auto" role="group" aria-label="Preview">
        {filled?.parts.map(({ text, field, known }, at) =>
          field === null ? (
            safeText(text)
          ) : (
            <mark key={at} data-missing={known ? undefined : true}>
              {safeText(text)}
            </mark>
          ),
        )}
      </p>
      {missing.length === 0 ? null : (
        <p className={shared.note}>
          {missing
            .map(
              (name) =>
                `{${name}} isn’t filled in: ${missingWords[name] ?? 'the value isn’t known.'}`,
            )
            .join(' ')}{' '}
          Keydesk asks you before sending it like this.
        </p>
      )}
    </div>
  )
}
