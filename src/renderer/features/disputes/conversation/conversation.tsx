import { useEffect, useRef } from 'react'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeReply } from '../../../../contract/disputes/dispute-replies.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatMoment, formatUtc } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Attachment } from './attachment.tsx'
import { ActionNotice, AnswerNotice, QueuedAnswerNotice, ReplyNotice } from './unsettled.tsx'
import shared from '../disputes.module.css'
import styles from './conversation.module.css'
import { UntrustedText } from './untrusted-text.tsx'
import { authorWord, outcomeWord } from '../words.ts'
import { useAccountNows } from '../../../lib/account/account-time.tsx'

export interface ConversationProps {
  detail: DisputeDetail
  /** Messages from this position on arrived after writing the answer started. */
  newFrom: number | null
  onDismissAnswer: (answerId: string, text: string | null) => void
  onDismissReply: (reply: DisputeReply) => void
  onDismissAction: (actionId: string) => void
  onOpenVault: () => void
}

/** The messages, oldest first, then the answers and actions from here that aren't among them yet. */
export function Conversation({
  detail,
  newFrom,
  onDismissAnswer,
  onDismissReply,
  onDismissAction,
  onOpenVault,
}: ConversationProps) {
  const end = useRef<HTMLDivElement>(null)
  const { accountId, disputeId, conversation, status } = detail
  const now = useAccountNows()(accountId)
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
      {conversation.map((message) => (
        <Message
          key={message.position}
          detail={detail}
          message={message}
          isNew={newFrom !== null && message.position >= newFrom && message.author !== 'seller'}
          now={now}
        />
      ))}
      {conversation.length === 0 && detail.readAt === null ? (
        <p className={shared.quiet}>The messages haven’t been loaded yet.</p>
      ) : null}
      {detail.replies.map((reply) => (
        <ReplyNotice key={reply.replyId} reply={reply} onDismiss={() => onDismissReply(reply)} />
      ))}
      {detail.pending.map((answer) => (
        <AnswerNotice
          key={answer.answerId}
          answer={answer}
          onDismiss={() => onDismissAnswer(answer.answerId, answer.text)}
        />
      ))}
      {detail.waiting.map((entry) => (
        <QueuedAnswerNotice key={entry.entryId} accountId={detail.accountId} entry={entry} />
      ))}
      {detail.actions
        .filter(({ state }) => state !== 'done')
        .map((action) => (
          <ActionNotice
            key={action.actionId}
            action={action}
            onDismiss={() => onDismissAction(action.actionId)}
          />
        ))}
      {status === 'resolved' ? <Resolution resolution={detail.resolution} now={now} /> : null}
      {detail.mine && status !== 'resolved' ? (
        <div className={styles.rule}>
          <span>Marked as yours. Visible on this computer only.</span>
        </div>
      ) : null}
      <div ref={end} />
    </div>
  )
}

function Message({
  detail: { accountId, disputeId, locked },
  message: { position, author, own, at, body, attachments },
  isNew,
  now,
}: {
  detail: DisputeDetail
  message: DisputeDetail['conversation'][number]
  isNew: boolean
  now: number
}) {
  return (
    <article
      className={styles.message}
      data-author={author ?? 'unknown'}
      data-new={isNew || undefined}
    >
      <span className={styles.face} aria-hidden>
        {authorWord(author, own).slice(0, 2).toUpperCase()}
      </span>
      <div>
        <header>
          <b>{authorWord(author, own)}</b>
          {at === null ? null : <time title={formatUtc(at)}>{formatMoment(at, now)}</time>}
          {isNew ? <mark>new</mark> : null}
        </header>
        {body === null ? (
          <p className={shared.quiet}>{locked ? 'Encrypted' : 'Loading again'}</p>
        ) : (
          <UntrustedText text={body} fileName={`${disputeId} message ${position + 1}.txt`} />
        )}
        {(locked ? [] : attachments).map(({ index, contentType, bytes }) => (
          <Attachment
            key={index}
            {...{ accountId, disputeId, position, index, contentType, bytes }}
          />
        ))}
      </div>
    </article>
  )
}

function Resolution({ resolution, now }: { resolution: DisputeDetail['resolution']; now: number }) {
  const type = resolution === null ? 'Resolved' : outcomeWord(resolution.type)
  const at = resolution?.at == null ? '' : `, ${formatMoment(resolution.at, now)}`
  return (
    <div className={styles.rule}>
      <span>
        {type}
        {at}. It no longer accepts messages.
      </span>
    </div>
  )
}
