import { IconClockHour4 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
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

/**
 * The replies that can still be undone, with the time left. Part of the page's layout, so that it
 * covers nothing that is being edited.
 */
export function SendingBar({ accountId }: { accountId: string }) {
  const query = useQuery(api.disputes.replies.queryOptions({ input: { accountId } }))
  const groups = groupsOf(query.data ?? []).slice(0, MOST_GROUPS)
  if (groups.length === 0) return null
  return (
    <div className={styles.bars} role="region" aria-label="Replies that can be undone">
      {groups.map((replies, at) => (
        <Group
          key={replies[0]?.replyId}
          replies={replies}
          readAt={query.dataUpdatedAt}
          isNewest={at === 0}
        />
      ))}
    </div>
  )
}

function Group({
  replies,
  readAt,
  isNewest,
}: {
  replies: readonly DisputeReply[]
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
