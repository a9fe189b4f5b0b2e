import { Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DisputeDetail, DisputeTemplate } from '../../../contract/dispute-records.ts'
import { templateFields } from '../../../contract/dispute-records.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { toastProblem } from '../../ui/toasts.tsx'
import { fitting } from './composer.tsx'
import styles from './disputes.module.css'
import { languageName, missingWords, shownText } from './words.ts'

type Draft = Omit<DisputeTemplate, 'templateId'> & { templateId: string | null }
const fail = (error: unknown): void => {
  toastProblem(problemOf(error))
}

/** Chooses a template and previews it filled in; templates can be edited, added and removed. */
export function TemplateDialog({
  detail,
  onUse,
  onClose,
}: {
  detail: DisputeDetail
  onUse: (text: string) => void
  onClose: () => void
}) {
  const { accountId, disputeId } = detail
  const all = fitting(
    useQuery(api.disputes.templates.queryOptions({ input: { accountId } })).data ?? [],
    detail,
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const [language, setLanguage] = useState<string | null>(null)
  const [editing, setEditing] = useState<Draft | null>(null)
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
  const use = (): void => {
    if (preview !== undefined) onUse(preview.text)
  }
  const move = (by: 1 | -1): void => {
    const next = all[all.findIndex(({ templateId }) => templateId === template?.templateId) + by]
    if (next !== undefined) setChosen(next.templateId)
  }
  const keys = { inDialog: true, enabled: editing === null }
  useShortcut('j', () => move(1), keys)
  useShortcut('k', () => move(-1), keys)
  useShortcut('ArrowDown', () => move(1), keys)
  useShortcut('ArrowUp', () => move(-1), keys)
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
              setEditing({ templateId: null, name: '', reasons: [], bodies: { en: '' } })
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
        <div>
          <div className={styles.languages} role="group" aria-label="Language">
            {Object.keys(template?.bodies ?? {}).map((code) => (
              <button
                key={code}
                type="button"
                aria-pressed={code === preview?.language}
                onClick={() => setLanguage(code)}
              >
                {languageName(code)}
              </button>
            ))}
          </div>
          <p className={styles.preview} dir="auto" aria-label="Preview">
            {preview?.parts.map(({ text, field, known }, at) =>
              field === null ? (
                shownText(text)
              ) : (
                <mark key={at} data-missing={known ? undefined : true}>
                  {shownText(text)}
                </mark>
              ),
            )}
          </p>
          {preview === undefined || preview.missing.length === 0 ? null : (
            <p className={styles.note}>
              {preview.missing
                .map(
                  (name) =>
                    `{${name}} isn’t filled in: ${missingWords[name] ?? 'the value isn’t known.'}`,
                )
                .join(' ')}{' '}
              Keydesk asks you before sending it like this.
            </p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function TemplateEditor({
  accountId,
  draft,
  onClose,
}: {
  accountId: string
  draft: Draft
  onClose: () => void
}) {
  const [name, setName] = useState(draft.name)
  const [bodies, setBodies] = useState<Readonly<Record<string, string>>>(draft.bodies)
  const [language, setLanguage] = useState(Object.keys(draft.bodies)[0] ?? 'en')
  const save = (): void =>
    void rpc.disputes
      .saveTemplate({ accountId, template: { ...draft, name, bodies } })
      .then(onClose, fail)
  const remove = (): void =>
    void (
      draft.templateId === null
        ? Promise.resolve()
        : rpc.disputes.removeTemplate({ accountId, templateId: draft.templateId })
    ).then(onClose, fail)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={draft.templateId === null ? 'New template' : 'Edit template'}
      width={560}
      actions={
        <>
          {draft.templateId === null ? null : (
            <Button size="md" kind="danger" onClick={remove}>
              Remove
            </Button>
          )}
          <Button size="md" onClick={onClose}>
            Cancel
          </Button>
          <Button size="md" kind="primary" disabled={name.trim() === ''} onClick={save}>
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
        <div className={styles.languages} role="group" aria-label="Language">
          {[...new Set([...Object.keys(bodies), 'en', 'de', 'fr', 'es', 'it', 'pl'])].map(
            (code) => (
              <button
                key={code}
                type="button"
                aria-pressed={code === language}
                onClick={() => setLanguage(code)}
              >
                {languageName(code)}
              </button>
            ),
          )}
        </div>
        <Textarea
          label={`Text in ${languageName(language)}`}
          rows={7}
          value={bodies[language] ?? ''}
          maxLength={5000}
          onChange={(event) => setBodies({ ...bodies, [language]: event.currentTarget.value })}
        />
        <p className={styles.note}>
          Fields: {templateFields.map((field) => `{${field}}`).join(' ')}
        </p>
      </div>
    </Dialog>
  )
}
