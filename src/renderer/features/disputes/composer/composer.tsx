import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import { type ForwardedRef, forwardRef, useImperativeHandle, useRef } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type {
  DisputeDetail,
  DisputeTemplate,
} from '../../../../contract/disputes/dispute-records.ts'
import type { ReplyOutcome } from '../../../../contract/disputes/dispute-replies.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { KeyCap } from '../../../ui/controls/buttons/key-cap.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { AnswerField } from './answer-field.tsx'
import { OutcomeBar } from './outcome-bar.tsx'
import { SendDialogs } from './send-dialogs.tsx'
import { useAnswerText } from './use-answer-text.ts'
import { outcomeFor, useOutcome } from './use-outcome.ts'
import { useSending } from './use-sending.ts'
import { useTemplate } from './use-template.tsx'
import styles from './composer.module.css'
import { sendLabel, unfilledFields } from '../words.ts'

/** Suggested templates, each with a shortcut. */
const SUGGESTED = 3

export interface ComposerHandle {
  focus: () => void
  /** Inserts the template at that place, counted from 1. */
  fillTemplate: (place: number) => void
  /** Adds text. `promise`: what its template promises to the customer. */
  insert: (text: string, promise?: ReplyOutcome) => void
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

/** The answer field: drafts are saved while typing, also offline, and an answer is sent once. */
export const Composer = forwardRef(function Composer(
  { detail, account, canSend, onTemplates, onStarted: onBegun, newMessages, onSent }: ComposerProps,
  ref: ForwardedRef<ComposerHandle>,
) {
  const { accountId } = detail
  const field = useRef<HTMLTextAreaElement>(null)
  const answer = useAnswerText(detail, onBegun)
  const chosen = useOutcome(detail, answer, canSend)
  const sending = useSending(detail, answer, chosen, {
    canSend,
    onSent: () => {
      field.current?.blur()
      onSent()
    },
  })
  const { text } = answer
  const unfilled = unfilledFields(text)
  const templates = useQuery(api.disputes.templates.queryOptions({ input: { accountId } }))
  const suggested = byRelevance(templates.data ?? [], detail).slice(0, SUGGESTED)

  const write = (value: string): void => {
    answer.write(value)
    sending.setProblem(null)
  }
  const insert = (more: string, promise: ReplyOutcome = 'reply'): void => {
    const outcome = outcomeFor(promise, detail, canSend)
    answer.add(more, promise === 'reply' ? null : { promise, outcome })
    sending.setProblem(null)
    field.current?.focus()
  }
  const template = useTemplate(detail, (filled, { outcome }) => insert(filled.text, outcome))
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
      void known.then(
        (some) => {
          const chosen = some[place - 1]
          if (chosen !== undefined) template.use(chosen)
        },
        (error: unknown) => toastProblem(problemOf(error), detail.name),
      )
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
      {sending.problem === null ? null : <ProblemNotice problem={sending.problem} />}
      <Suggested templates={suggested} onUse={template.use} />
      {template.dialog}
      <AnswerField
        field={field}
        text={text}
        unfilled={unfilled}
        language={detail.language}
        locked={detail.locked}
        busy={sending.busy}
        ready={chosen.isReady}
        sendLabel={canSend ? sendLabel(chosen.outcome, chosen.effects) : 'Queue answer'}
        onChange={write}
        onLeave={() => void answer.flush()}
        onTemplates={onTemplates}
        onSend={() => void sending.send()}
      >
        {text.trim() === '' ? null : (
          <OutcomeBar detail={detail} chosen={chosen} canSend={canSend} onChoose={answer.choose} />
        )}
      </AnswerField>
      <SendDialogs
        account={account}
        detail={detail}
        answer={answer}
        chosen={chosen}
        sending={sending}
        onClosed={() => field.current?.focus()}
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
