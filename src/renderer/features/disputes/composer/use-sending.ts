import { useState } from 'react'
import type { Problem } from '../../../../contract/base.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { recordHeldReplies } from '../sending/held-replies.ts'
import { unfilledFields } from '../words.ts'
import type { AnswerText } from './use-answer-text.ts'
import { breaksPromise } from './use-outcome.ts'
import type { ChosenOutcome } from './use-outcome.ts'

/** What a person is asked before an answer is sent, in this order. */
export type Question = 'unfilled' | 'promise' | 'typed'
const questions: readonly Question[] = ['unfilled', 'promise', 'typed']

/** Sends the answer with its action, after the questions that it raises. */
export function useSending(
  detail: DisputeDetail,
  answer: AnswerText,
  chosen: ChosenOutcome,
  { canSend, onSent }: { canSend: boolean; onSent: () => void },
) {
  const { accountId, disputeId, name, status, messages } = detail
  const { text, outcome, promise } = answer
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asking, setAsking] = useState<Question | null>(null)
  const isRaised: Readonly<Record<Question, boolean>> = {
    unfilled: unfilledFields(text).length > 0,
    promise: breaksPromise(promise, outcome),
    typed: chosen.effects?.typed != null,
  }

  async function queue(): Promise<void> {
    const { sent } = await rpc.disputes.answer({ accountId, disputeId, text, seen: answer.seen() })
    toast(
      sent
        ? {
            title: 'Answer sent',
            text: name,
            group: {
              key: 'answers-sent',
              many: (count) => t('screens.disputes-answers-sent', { count }),
            },
          }
        : {
            kind: 'waits',
            title: 'Your answer is queued',
            text:
              'The service can’t be reached. When it’s back, Keydesk checks the dispute and ' +
              'sends your answer after you approve it.',
            group: {
              key: 'answers-queued',
              many: (count) => t('screens.disputes-answers-queued', { count }),
            },
          },
    )
  }
  async function hold(): Promise<void> {
    const { typed } = chosen.effects ?? {}
    recordHeldReplies([
      await rpc.disputes.reply({
        accountId,
        disputeId,
        text,
        outcome,
        promise,
        seen: { status, messages: answer.seen() ?? messages },
        ...(chosen.kind === 'replace-key' ? { key: chosen.key } : {}),
        ...(typed == null ? {} : { typed }),
      }),
    ])
    chosen.setKey('')
  }
  /** `answered`: the question that was just confirmed, and with it those before. */
  async function send(answered: Question | null = null): Promise<void> {
    if (text.trim() === '' || busy || !chosen.isReady) return
    const next = questions
      .slice(answered === null ? 0 : questions.indexOf(answered) + 1)
      .find((question) => isRaised[question])
    if (next !== undefined) return setAsking(next)
    if (!(await openVault())) return
    setBusy(true)
    setProblem(null)
    try {
      await answer.flush()
      await (canSend ? hold() : queue())
      answer.clear(text)
      onSent()
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, asking, setAsking, send }
}
export type Sending = ReturnType<typeof useSending>
