import { useEffect, useRef } from 'react'
import type { DisputeDetail } from '../../../contract/dispute-records.ts'
import { AccountLink } from '../../lib/account-link.tsx'
import { Button } from '../../ui/button.tsx'
import { ProblemCodes } from '../../ui/error-state.tsx'
import { formatMoment, formatUtc } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { Attachment } from './attachment.tsx'
import styles from './disputes.module.css'
import { ForeignText } from './foreign-text.tsx'
import { actionWords, authorWord, outcomeWord } from './words.ts'

export interface ConversationProps {
  detail: DisputeDetail
  /** Messages from this position on arrived after writing the answer started. */
  newFrom: number | null
  onDismissAnswer: (answerId: string, text: string | null) => void
  onDismissAction: (actionId: string) => void
  onOpenVault: () => void
}

/**
 * The messages, oldest first, then the answers and actions from here that aren't among them yet.
 */
export function Conversation({
  detail,
  newFrom,
  onDismissAnswer,
  onDismissAction,
  onOpenVault,
}: ConversationProps) {
  const end = useRef<HTMLDivElement>(null)
  const now = Date.now()
  const { accountId, disputeId, conversation } = detail
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [disputeId, conversation.length])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <div className={styles.conversation} tabIndex={0} role="log" aria-label="Messages">
      {detail.locked ? (
        <Notice
          tone="warn"
          title="The vault is locked."
          action={<Button onClick={onOpenVault}>Unlock the vault…</Button>}
        >
          Messages are stored encrypted. They’re shown while the vault is unlocked.
        </Notice>
      ) : null}
      {conversation.map(({ position, author, at, body, attachments }) => (
        <article
          key={position}
          className={styles.message}
          data-author={author ?? 'unknown'}
          data-new={(newFrom !== null && position >= newFrom && author !== 'seller') || undefined}
        >
          <span className={styles.face} aria-hidden>
            {authorWord(author).slice(0, 2).toUpperCase()}
          </span>
          <div>
            <header>
              <b>{authorWord(author)}</b>
              {at === null ? null : <time title={formatUtc(at)}>{formatMoment(at, now)}</time>}
              {newFrom !== null && position >= newFrom && author !== 'seller' ? (
                <mark>new</mark>
              ) : null}
            </header>
            {body === null ? (
              <p className={styles.quiet}>{detail.locked ? 'Encrypted' : 'Loading again'}</p>
            ) : (
              <ForeignText text={body} fileName={`${disputeId} message ${position + 1}.txt`} />
            )}
            {attachments.map(({ index, contentType, bytes }) => (
              <Attachment
                key={index}
                {...{ accountId, disputeId, position, index, contentType, bytes }}
              />
            ))}
          </div>
        </article>
      ))}
      {conversation.length === 0 && detail.readAt === null ? (
        <p className={styles.quiet}>The messages haven’t been loaded yet.</p>
      ) : null}
      {detail.pending.map((answer) => (
        <Notice
          key={answer.answerId}
          tone={answer.state === 'refused' ? 'bad' : 'info'}
          title={
            answer.state === 'refused'
              ? 'Not sent.'
              : answer.state === 'unknown'
                ? 'It isn’t known whether your answer arrived.'
                : 'Sending your answer.'
          }
          action={
            answer.state === 'refused' ? (
              <Button onClick={() => onDismissAnswer(answer.answerId, answer.text)}>
                Edit again
              </Button>
            ) : undefined
          }
        >
          {answer.state === 'unknown'
            ? 'Keydesk checks the messages for it, and never sends it twice.'
            : answer.problem === null
              ? null
              : `${answer.problem.what} ${answer.problem.next}`}
          {answer.text === null ? null : (
            <ForeignText className={styles.pendingText} text={answer.text} fileName="answer.txt" />
          )}
          {answer.state === 'refused' && answer.problem !== null ? (
            <ProblemCodes problem={answer.problem} />
          ) : null}
        </Notice>
      ))}
      {detail.waiting.map(({ entryId, text, held, reason }) => (
        <Notice
          key={entryId}
          tone="warn"
          title={
            held ? 'On hold: the dispute changed while you were offline.' : 'Your answer is queued.'
          }
          action={
            <AccountLink
              accountId={detail.accountId}
              className={styles.link}
              path={`/outbox/${entryId}`}
            >
              Open in Queued changes
            </AccountLink>
          }
        >
          {held
            ? (reason ?? 'Read the new messages, then send or discard your answer.')
            : 'When the connection is back, Keydesk checks the dispute and sends your answer after you approve it.'}
          {text === null ? null : (
            <ForeignText className={styles.pendingText} text={text} fileName="answer.txt" />
          )}
        </Notice>
      ))}
      {detail.actions
        .filter(({ state }) => state !== 'done')
        .map(({ actionId, kind, state, problem }) => (
          <Notice
            key={actionId}
            tone={state === 'refused' ? 'bad' : 'warn'}
            title={
              state === 'refused'
                ? `${actionWords[kind].refused}.`
                : state === 'unknown'
                  ? 'It isn’t known whether the action was completed.'
                  : `${actionWords[kind].under}.`
            }
            action={
              state === 'refused' ? (
                <Button onClick={() => onDismissAction(actionId)}>Dismiss</Button>
              ) : undefined
            }
          >
            {state === 'unknown' ? (
              'The service’s response was lost. Keydesk checks the dispute as soon as the service responds, and never runs the action twice.'
            ) : problem === null ? null : (
              <>
                {problem.what} {problem.effect} {problem.next}
                <ProblemCodes problem={problem} />
              </>
            )}
          </Notice>
        ))}
      {detail.status !== 'resolved' ? null : (
        <div className={styles.rule}>
          <span>
            {detail.resolution === null
              ? 'Resolved'
              : `${outcomeWord(detail.resolution.type)}${detail.resolution.at === null ? '' : `, ${formatMoment(detail.resolution.at, now)}`}`}
            . It no longer accepts messages.
          </span>
        </div>
      )}
      {detail.mine && detail.status !== 'resolved' ? (
        <div className={styles.rule}>
          <span>Marked as yours. Visible on this computer only.</span>
        </div>
      ) : null}
      <div ref={end} />
    </div>
  )
}
