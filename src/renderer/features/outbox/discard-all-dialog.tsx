import { IconClockHour4, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../contract/localization/localized.ts'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { movesOfRecords } from '../../ui/feedback/moves.ts'
import { MovesNotice } from '../../ui/feedback/moves-notice.tsx'
import { ProblemNotice } from '../../ui/feedback/problem-notice.tsx'
import { useFrozen } from '../../ui/hooks/use-frozen.ts'
import { discardable, everyEntry } from './every-entry.ts'
import { entryKey, entryTexts } from './list/entry-texts.ts'

const none: readonly OutboxEntry[] = []

/**
 * Confirms that all queued changes are discarded: exactly those that it counts, without those that
 * are being sent or whose response was lost.
 */
export function DiscardAllDialog({
  onClose,
  onConfirm,
}: {
  onClose: () => void
  onConfirm: (entries: readonly OutboxEntry[]) => Promise<void>
}) {
  const account = useAccount()
  const [isConfirmed, setConfirmed] = useState(false)
  const query = useQuery({
    queryKey: [...api.outbox.list.key(), 'discardable', account.id],
    queryFn: () => everyEntry(account.id, 'waiting', ''),
    // Entries that this dialog discards must not appear as a change to confirm.
    enabled: !isConfirmed,
    gcTime: 0,
  })
  const queued = query.data
  const { shown, moved, accept } = useFrozen(
    queued === undefined ? null : discardable(queued),
    account.id,
    entryKey,
  )
  const entries = shown ?? none
  const count = entries.length
  const staying = (queued?.length ?? 0) - discardable(queued ?? none).length
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={async () => {
        setConfirmed(true)
        await onConfirm(entries)
      }}
      account={account}
      title={t('screens.outbox-discard-all', { count })}
      lead="You can restore them from the Discarded tab."
      confirmLabel={t('screens.outbox-discard', { count })}
      destructive
      incomplete={count === 0 || moved !== null}
      effects={[
        {
          icon: <IconTrash size={16} stroke={1.6} />,
          what: 'Nothing is sent.',
          more: 'Prices, offers and disputes don’t change on the service.',
        },
        ...(staying === 0
          ? []
          : [
              {
                icon: <IconClockHour4 size={16} stroke={1.6} />,
                what: t('screens.outbox-stay-sent', { count: staying }),
                more: 'and can’t be discarded.',
                tone: 'warn' as const,
              },
            ]),
      ]}
      failure={query.isError ? <ProblemNotice problem={problemOf(query.error)} /> : null}
    >
      {moved === null ? null : (
        <MovesNotice
          moves={movesOfRecords(entryTexts(entries), entryTexts(moved))}
          onAccept={accept}
        />
      )}
    </ConfirmDialog>
  )
}
