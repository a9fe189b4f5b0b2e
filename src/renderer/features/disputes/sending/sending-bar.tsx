import { IconClockHour4 } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import type { DisputeReply } from '../../../../contract/disputes/dispute-replies.ts'
import { REPLY_HOLD_MS } from '../../../../contract/disputes/disputes.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { heldNote } from '../words.ts'
import { sendReplies, undoReplies } from './held-replies.ts'
import styles from './sending.module.css'

const SECOND_MS = 1000
/** Groups on screen; older ones can be undone in their disputes. */
const MOST_GROUPS = 3

/** Held replies in groups: those of a bulk together, the newest first. */
function groupsOf(replies: readonly DisputeReply[]): DisputeReply[][] {
  const held = replies.filter(({ state }) => state === 'held')
  return [...Map.groupBy(held, ({ bulkId, replyId }) => bulkId ?? replyId).values()].toReversed()
}

/** The held replies of several accounts in groups, those that were sent last first. */
function useHeldGroups(accountIds: readonly string[]) {
  const queries = useQueries({
    queries: accountIds.map((accountId) =>
      api.disputes.replies.queryOptions({ input: { accountId } }),
    ),
  })
  return queries
    .flatMap(({ data = [], dataUpdatedAt: readAt }) =>
      groupsOf(data).map((replies) => ({ replies, readAt, left: replies[0]?.leftMs ?? 0 })),
    )
    .toSorted((a, b) => b.readAt + b.left - (a.readAt + a.left))
}

/**
 * The replies of the listed accounts that can still be undone, with the time left. Part of the
 * page's layout, so that it covers nothing that is being edited.
 */
export function SendingBar({
  accountIds,
  accountName,
}: {
  accountIds: readonly string[]
  /** Names an account if several are listed. */
  accountName: (accountId: string) => string | null
}) {
  const groups = useHeldGroups(accountIds).slice(0, MOST_GROUPS)
  if (groups.length === 0) return null
  return (
    <div className={styles.bars} role="region" aria-label="Replies that can be undone">
      {groups.map(({ replies, readAt }, at) => (
        <Group
          key={replies[0]?.replyId}
          replies={replies}
          account={accountName(replies[0]?.accountId ?? '')}
          readAt={readAt}
          isNewest={at === 0}
        />
      ))}
    </div>
  )
}

function Group({
  replies,
  account,
  readAt,
  isNewest,
}: {
  replies: readonly DisputeReply[]
  /** The account that they are sent for; null if only one is listed. */
  account: string | null
  /** When the time left was read. */
  readAt: number
  isNewest: boolean
}) {
  const now = useNow(SECOND_MS / 4)
  const [first] = replies
  const left = Math.max(0, (first?.leftMs ?? 0) - Math.max(0, now - readAt))
  const seconds = Math.ceil(left / SECOND_MS)
  return (
    <div className={styles.bar}>
      <IconClockHour4 size={20} stroke={1.6} aria-hidden />
      <div className={styles.words}>
        <p>
          {account === null ? null : `${account} · `}
          <b>
            {seconds > 0
              ? t('screens.disputes-sending', { count: replies.length, seconds })
              : t('screens.disputes-waiting', { count: replies.length })}
          </b>{' '}
          {heldNote(replies)}
        </p>
        <span className={styles.time} aria-hidden>
          <i style={{ width: `${(left / REPLY_HOLD_MS) * 100}%` }} />
        </span>
      </div>
      <Button
        {...(isNewest ? { keys: ['Ctrl', 'Z'] } : {})}
        onClick={() => void undoReplies(replies)}
      >
        Undo
      </Button>
      <Button kind="quiet" onClick={() => sendReplies(replies)}>
        Send now
      </Button>
    </div>
  )
}
