import { useQuery } from '@tanstack/react-query'
import { IconBraces, IconMessage, IconTemplate } from '@tabler/icons-react'
import {
  type ForwardedRef,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { Account } from '../../../contract/accounts.ts'
import type { DisputeDetail, DisputeTemplate } from '../../../contract/dispute-records.ts'
import type { Problem } from '../../../contract/base.ts'
import { problemOf } from '../../lib/problem.ts'
import { api, rpc } from '../../lib/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import styles from './disputes.module.css'
import { languageName, unfilledIn } from './words.ts'

const saveAfterMs = 400
const longest = 10_000

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
  /**
   * Number of messages there were when writing the answer started; null if none is being written.
   */
  onBegun: (messages: number | null) => void
  newMessages: number
  onSent: () => void
}

/** Templates for this reason first, then the others: the first three have a shortcut each. */
export const fitting = (
  templates: readonly DisputeTemplate[],
  { reasonKind }: Pick<DisputeDetail, 'reasonKind'>,
): DisputeTemplate[] => {
  const fits = ({ reasons }: DisputeTemplate): boolean =>
    reasonKind !== null && reasons.includes(reasonKind)
  return [...templates.filter(fits), ...templates.filter((template) => !fits(template))]
}

/** The answer field: drafts are saved while typing, also offline, and an answer is sent once. */
export const Composer = forwardRef(function Composer(
  { detail, account, canSend, onTemplates, onBegun, newMessages, onSent }: ComposerProps,
  ref: ForwardedRef<ComposerHandle>,
) {
  const { accountId, disputeId } = detail
  const [text, setText] = useState(detail.draft?.text ?? '')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asking, setAsking] = useState(false)
  const unfilled = unfilledIn(text)
  const field = useRef<HTMLTextAreaElement>(null)
  const seen = useRef<number | null>(detail.draft === null ? null : detail.messages)
  const unsaved = useRef<{ text: string; timer: ReturnType<typeof setTimeout> } | null>(null)
  const templates = useQuery(api.disputes.templates.queryOptions({ input: { accountId } }))
  const first = fitting(templates.data ?? [], detail).slice(0, 3)

  const save = (value: string): void => {
    unsaved.current = null
    void rpc.disputes
      .draft({ accountId, disputeId, text: value })
      .catch((error: unknown) => toastProblem(problemOf(error)))
  }
  const flush = (): void => {
    if (unsaved.current === null) return
    clearTimeout(unsaved.current.timer)
    save(unsaved.current.text)
  }
  const latest = useRef(flush)
  latest.current = flush
  useEffect(() => () => latest.current(), [])

  function write(value: string): void {
    if (seen.current === null && value !== '') seen.current = detail.messages
    if (value === '') seen.current = null
    onBegun(seen.current)
    setText(value)
    setProblem(null)
    if (unsaved.current !== null) clearTimeout(unsaved.current.timer)
    unsaved.current = { text: value, timer: setTimeout(() => latest.current(), saveAfterMs) }
  }
  const insert = (more: string): void => {
    write(text.trim() === '' ? more : `${text.trimEnd()}\n\n${more}`)
    field.current?.focus()
  }
  async function fill(template: DisputeTemplate | undefined): Promise<void> {
    if (template === undefined) return
    const filled = await rpc.disputes.fillTemplate({
      accountId,
      disputeId,
      templateId: template.templateId,
    })
    insert(filled.text)
  }
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fillTemplate: (place) => {
      // Wait for templates that are still loading.
      const known =
        templates.data === undefined
          ? templates.refetch().then(({ data = [] }) => fitting(data, detail))
          : Promise.resolve(first)
      void known
        .then((some) => fill(some[place - 1]))
        .catch((error: unknown) => toastProblem(problemOf(error)))
    },
    insert,
  }))

  /** `anyway`: also sends text with unfilled fields. */
  async function send(anyway = false): Promise<void> {
    if (text.trim() === '' || busy) return
    if (unfilled.length > 0 && !anyway) return setAsking(true)
    if (!(await openVault())) return
    flush()
    setBusy(true)
    setProblem(null)
    try {
      const { sent } = await rpc.disputes.answer({ accountId, disputeId, text, seen: seen.current })
      setText((now) => (now === text ? '' : now))
      seen.current = null
      onBegun(null)
      field.current?.blur()
      onSent()
      if (sent) toast({ title: 'Answer sent', text: detail.name })
      else
        toast({
          kind: 'waits',
          title: 'Your answer is queued',
          text: 'The service can’t be reached. When it’s back, Keydesk checks the dispute and sends your answer after you approve it.',
        })
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }
  const read = (): void => {
    seen.current = detail.messages
    onBegun(seen.current)
    setProblem(null)
    field.current?.focus()
  }
  if (detail.status === 'resolved') return null
  return (
    <section className={styles.compose} aria-label="Your answer">
      {newMessages > 0 ? (
        <Notice
          tone="warn"
          title={
            newMessages === 1
              ? 'A new message arrived while you were writing.'
              : `${newMessages} new messages arrived while you were writing.`
          }
          action={<Button onClick={read}>Mark as read</Button>}
        >
          Mark them as read before you send your answer.
        </Notice>
      ) : null}
      {problem === null ? null : (
        <Notice tone="bad" title={problem.what}>
          {problem.effect} {problem.next}
        </Notice>
      )}
      <div className={styles.fits}>
        <span>Suggested</span>
        {first.map((template, at) => (
          <button
            key={template.templateId}
            type="button"
            className={styles.template}
            onClick={() =>
              void fill(template).catch((error: unknown) => toastProblem(problemOf(error)))
            }
          >
            <KeyCap name={String(at + 1)} />
            {template.name}
          </button>
        ))}
      </div>
      <div className={styles.paper}>
        <textarea
          ref={field}
          aria-label="Answer to the customer"
          placeholder="Write to the customer"
          value={text}
          maxLength={longest}
          disabled={detail.locked}
          dir="auto"
          onChange={(event) => write(event.currentTarget.value)}
          onBlur={flush}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              void send()
            }
            if (event.key === 'Escape') {
              event.stopPropagation()
              event.currentTarget.blur()
            }
          }}
        />
        <footer>
          <Button
            kind="quiet"
            icon={<IconTemplate size={16} stroke={1.6} />}
            keys={['T']}
            onClick={onTemplates}
          >
            Template
          </Button>
          <small data-missing={unfilled.length > 0 || undefined}>
            {unfilled.length > 0
              ? `Not filled in: ${unfilled.join(', ')}`
              : detail.language === null || detail.language === 'en'
                ? null
                : `The customer writes in ${languageName(detail.language)}`}
          </small>
          <Button
            busy={busy}
            disabled={text.trim() === '' && !busy}
            keys={['Ctrl', 'Enter']}
            onClick={() => void send()}
          >
            {canSend ? 'Send answer' : 'Queue answer'}
          </Button>
        </footer>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => {
          setAsking(false)
          setTimeout(() => field.current?.focus())
        }}
        account={account}
        title={`Send with ${unfilled.join(', ')} not filled in?`}
        confirmLabel="Send anyway"
        cancelLabel="Fill in"
        effects={[
          {
            icon: <IconBraces size={16} stroke={1.6} />,
            what: 'The customer sees the name of the field.',
            more: 'Keydesk doesn’t have a value for it.',
          },
          {
            icon: <IconMessage size={16} stroke={1.6} />,
            what: 'Sent answers can’t be changed.',
            more: 'No key or money moves.',
          },
        ]}
        onConfirm={async () => {
          void send(true)
        }}
      />
    </section>
  )
})
