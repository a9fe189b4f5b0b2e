import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { type ForwardedRef, forwardRef, useImperativeHandle, useRef, useState } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { Problem } from '../../../../contract/base.ts'
import type {
  DisputeDetail,
  DisputeTemplate,
} from '../../../../contract/disputes/dispute-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { KeyCap } from '../../../ui/controls/buttons/key-cap.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { AnswerField } from './answer-field.tsx'
import { UnfilledDialog } from './unfilled-dialog.tsx'
import { useSavedDraft } from './use-saved-draft.ts'
import { useTemplate } from './use-template.tsx'
import styles from '../disputes.module.css'
import { unfilledFields } from '../words.ts'

/** Suggested templates, each with a shortcut. */
const SUGGESTED = 3

export interface ComposerHandle {
  focus: () => void
  /** Inserts the template at that place, counted from 1. */
  fillTemplate: (place: number) => void
  insert: (text: string) => void
}

export interface ComposerProps {
  detail: DisputeDetail
  account: Account
  canSend: boolean
  onTemplates: () => void
  /** Number of messages there were when writing the answer started; null if none is being written. */
  onStarted: (messages: number | null) => void
  newMessages: number
  onSent: () => void
}

/** Templates for this reason first, then the others: the first three have a shortcut each. */
export const byRelevance = (
  templates: readonly DisputeTemplate[],
  { reasonKind }: Pick<DisputeDetail, 'reasonKind'>,
): DisputeTemplate[] => {
  const fits = ({ reasons }: DisputeTemplate): boolean =>
    reasonKind !== null && reasons.includes(reasonKind)
  return [...templates.filter(fits), ...templates.filter((template) => !fits(template))]
}
const fail = (error: unknown): void => {
  toastProblem(problemOf(error))
}

/** The text of an answer, saved as a draft, and the messages it was written against. */
function useAnswerText(
  { accountId, disputeId, draft, messages }: DisputeDetail,
  onBegun: ComposerProps['onStarted'],
) {
  const [text, setText] = useState(draft?.text ?? '')
  const seen = useRef<number | null>(draft === null ? null : messages)
  const { saveLater, flush } = useSavedDraft(accountId, disputeId)
  const setSeen = (count: number | null): void => {
    seen.current = count
    onBegun(count)
  }
  return {
    text,
    flush,
    /** Number of messages when writing started. */
    seen: (): number | null => seen.current,
    write(value: string): void {
      setSeen(value === '' ? null : (seen.current ?? messages))
      setText(value)
      saveLater(value)
    },
    markSeen: (): void => setSeen(messages),
    /** Empties the field unless the text changed after it was sent. */
    clear(sent: string): void {
      setText((now) => (now === sent ? '' : now))
      setSeen(null)
    },
  }
}

/** Sends the answer, or asks first if it contains unfilled template fields. */
function useSending(
  detail: DisputeDetail,
  answer: ReturnType<typeof useAnswerText>,
  onSent: () => void,
) {
  const { accountId, disputeId, name } = detail
  const { text } = answer
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asking, setAsking] = useState(false)
  /** `anyway`: also sends text with unfilled fields. */
  async function send(anyway = false): Promise<void> {
    if (text.trim() === '' || busy) return
    if (unfilledFields(text).length > 0 && !anyway) return setAsking(true)
    if (!(await openVault())) return
    answer.flush()
    setBusy(true)
    setProblem(null)
    try {
      const { sent } = await rpc.disputes.answer({
        accountId,
        disputeId,
        text,
        seen: answer.seen(),
      })
      answer.clear(text)
      onSent()
      toast(
        sent
          ? { title: 'Answer sent', text: name }
          : {
              kind: 'waits',
              title: 'Your answer is queued',
              text:
                'The service can’t be reached. When it’s back, Keydesk checks the dispute and ' +
                'sends your answer after you approve it.',
            },
      )
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, asking, setAsking, send }
}

/** The answer field: drafts are saved while typing, also offline, and an answer is sent once. */
export const Composer = forwardRef(function Composer(
  { detail, account, canSend, onTemplates, onStarted: onBegun, newMessages, onSent }: ComposerProps,
  ref: ForwardedRef<ComposerHandle>,
) {
  const { accountId } = detail
  const field = useRef<HTMLTextAreaElement>(null)
  const answer = useAnswerText(detail, onBegun)
  const sending = useSending(detail, answer, () => {
    field.current?.blur()
    onSent()
  })
  const { text } = answer
  const unfilled = unfilledFields(text)
  const templates = useQuery(api.disputes.templates.queryOptions({ input: { accountId } }))
  const suggested = byRelevance(templates.data ?? [], detail).slice(0, SUGGESTED)

  const write = (value: string): void => {
    answer.write(value)
    sending.setProblem(null)
  }
  const insert = (more: string): void => {
    write(text.trim() === '' ? more : `${text.trimEnd()}\n\n${more}`)
    field.current?.focus()
  }
  const template = useTemplate(detail, (filled) => insert(filled.text))
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fillTemplate: (place) => {
      // Wait for templates that are still loading.
      const known =
        templates.data === undefined
          ? templates
              .refetch()
              .then(({ data = [] }) => byRelevance(data, detail).slice(0, SUGGESTED))
          : Promise.resolve(suggested)
      void known.then((some) => {
        const chosen = some[place - 1]
        if (chosen !== undefined) template.use(chosen)
      }, fail)
    },
    insert,
  }))
  if (detail.status === 'resolved') return null
  return (
    <section className={styles.compose} aria-label="Your answer">
      {newMessages > 0 ? (
        <NewMessages
          count={newMessages}
          onRead={() => {
            answer.markSeen()
            sending.setProblem(null)
            field.current?.focus()
          }}
        />
      ) : null}
      {sending.problem === null ? null : (
        <Notice tone="bad" title={sending.problem.what}>
          {sending.problem.effect} {sending.problem.next}
        </Notice>
      )}
      <Suggested templates={suggested} onUse={template.use} />
      {template.dialog}
      <AnswerField
        field={field}
        text={text}
        unfilled={unfilled}
        language={detail.language}
        locked={detail.locked}
        busy={sending.busy}
        canSend={canSend}
        onChange={write}
        onLeave={answer.flush}
        onTemplates={onTemplates}
        onSend={() => void sending.send()}
      />
      <UnfilledDialog
        account={account}
        opened={sending.asking}
        unfilled={unfilled}
        onClose={() => {
          sending.setAsking(false)
          setTimeout(() => field.current?.focus())
        }}
        onConfirm={() => void sending.send(true)}
      />
    </section>
  )
})

function NewMessages({ count, onRead }: { count: number; onRead: () => void }) {
  return (
    <Notice
      tone="warn"
      title={t('screens.disputes-new-messages', { count })}
      action={<Button onClick={onRead}>Mark as read</Button>}
    >
      {t('screens.disputes-mark-read', { count })}
    </Notice>
  )
}

function Suggested({
  templates,
  onUse,
}: {
  templates: readonly DisputeTemplate[]
  onUse: (template: DisputeTemplate) => void
}) {
  return (
    <div className={styles.fits}>
      <span>Suggested</span>
      {templates.map((template, at) => (
        <button
          key={template.templateId}
          type="button"
          className={styles.template}
          onClick={() => onUse(template)}
        >
          <KeyCap name={String(at + 1)} />
          {template.name}
        </button>
      ))}
    </div>
  )
}
