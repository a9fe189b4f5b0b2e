import type { DisputeAction, DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeReply } from '../../../../contract/disputes/dispute-replies.ts'
import { formatMessage } from '../../../../contract/localization/localized.ts'
import { AccountLink } from '../../../lib/account/account-link.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import shared from '../disputes.module.css'
import styles from './conversation.module.css'
import { UntrustedText } from './untrusted-text.tsx'
import { actionWords, outcomeWords } from '../words.ts'

type Answer = DisputeDetail['pending'][number]
type QueuedAnswer = DisputeDetail['waiting'][number]

const answerTitles: Readonly<Record<Answer['state'], string>> = {
  refused: 'Not sent.',
  unknown: 'Answer not confirmed.',
  sending: 'Sending your answer.',
}

const AnswerText = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <UntrustedText className={styles.pendingText} text={text} fileName="answer.txt" />
  )

/** An answer that is being sent, was rejected, or whose outcome isn't known. */
export function AnswerNotice({
  answer: { state, problem, text },
  onDismiss,
}: {
  answer: Answer
  onDismiss: () => void
}) {
  const isRejected = state === 'refused'
  return (
    <Notice
      tone={isRejected ? 'bad' : 'info'}
      title={answerTitles[state]}
      action={isRejected ? <Button onClick={onDismiss}>Edit again</Button> : undefined}
    >
      {state === 'unknown'
        ? 'The response was lost. Keydesk checks the messages for it, and never sends it twice.'
        : problem === null
          ? null
          : `${problem.what} ${problem.next}`}
      <AnswerText text={text} />
      {isRejected && problem !== null ? <ProblemCodes problem={problem} /> : null}
    </Notice>
  )
}

/** A reply that is held or being sent, or that failed: its answer may have been sent before. */
export function ReplyNotice({
  reply: { state, outcome, answered, problem, text },
  onDismiss,
}: {
  reply: DisputeReply
  onDismiss: () => void
}) {
  const failed = state === 'failed'
  // The title already says that the answer was sent.
  const effect = answered && outcome === 'close' ? '' : (problem?.effect ?? '')
  return (
    <Notice
      tone={failed ? 'bad' : 'info'}
      title={
        !failed
          ? state === 'held'
            ? answered
              ? 'Your answer was sent. Its action wasn’t sent yet.'
              : `Not sent yet: ${outcomeWords[outcome].send.replace(/^Send /, '')}.`
            : 'Sending your reply.'
          : answered
            ? 'Your answer was sent, but not what goes with it.'
            : 'Not sent.'
      }
      action={
        failed ? (
          <Button onClick={onDismiss}>{answered ? 'Dismiss' : 'Edit again'}</Button>
        ) : undefined
      }
    >
      {problem === null || !failed ? null : `${problem.what} ${effect} ${problem.next}`}
      <AnswerText text={text} />
      {problem === null || !failed ? null : <ProblemCodes problem={problem} />}
    </Notice>
  )
}

/** An answer in the outbox. */
export function QueuedAnswerNotice({
  accountId,
  entry: { entryId, text, held, reason },
}: {
  accountId: string
  entry: QueuedAnswer
}) {
  return (
    <Notice
      tone="warn"
      title={
        held ? 'On hold: the dispute changed while you were offline.' : 'Your answer is queued.'
      }
      action={
        <AccountLink accountId={accountId} className={shared.link} path={`/outbox/${entryId}`}>
          Open in Queued changes
        </AccountLink>
      }
    >
      {held
        ? reason === null
          ? 'Read the new messages, then send or discard your answer.'
          : formatMessage(reason)
        : 'When the connection is back, Keydesk checks the dispute and sends your answer after you approve it.'}
      <AnswerText text={text} />
    </Notice>
  )
}

/** A replacement or refund that is being sent, was rejected, or whose outcome isn't known. */
export function ActionNotice({
  action: { kind, state, problem },
  onDismiss,
}: {
  action: Pick<DisputeAction, 'kind' | 'state' | 'problem'>
  onDismiss: () => void
}) {
  const isRejected = state === 'refused'
  return (
    <Notice
      tone={isRejected ? 'bad' : 'warn'}
      title={
        isRejected
          ? `${actionWords[kind].refused}.`
          : state === 'unknown'
            ? `${actionWords[kind].unknown}.`
            : `${actionWords[kind].under}.`
      }
      action={isRejected ? <Button onClick={onDismiss}>Dismiss</Button> : undefined}
    >
      {state === 'unknown' ? (
        <>
          The service’s response was lost. Keydesk checks the dispute as soon as the service
          responds, and never runs the action twice.
        </>
      ) : problem === null ? null : (
        <>
          {problem.what} {problem.effect} {problem.next}
          <ProblemCodes problem={problem} />
        </>
      )}
    </Notice>
  )
}
