import { useQuery } from '@tanstack/react-query'
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { Link } from 'wouter'
import { ZERO } from '../../../../server/api/money.ts'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { api } from '../../lib/core/rpc.ts'
import { IconButton } from '../../ui/controls/buttons/button.tsx'
import { formatCents, formatCount } from '../../ui/format.ts'
import { PanelSection, SidePanel } from '../../ui/layout/page.tsx'
import { KindIcon } from './list/columns.tsx'
import styles from './outbox.module.css'
import { useOutbox } from './use-outbox.ts'
import { formatWhen, kindText } from './list/cell-texts.ts'

/**
 * The panel next to a page while the service can't be reached: queued changes, how they continue
 * later, and what works offline.
 */
export function QueuedChangesPanel({ onClose }: { onClose: () => void }) {
  const { id: accountId } = useAccount()
  const outbox = useOutbox()
  const { data } = useQuery(
    api.outbox.list.queryOptions({ input: { accountId, window: { offset: 0, limit: 50 } } }),
  )
  const entries = data?.rows ?? []
  const more = (data?.total ?? 0) - entries.length
  return (
    <SidePanel
      title="Queued changes"
      detail={`${formatCount(data?.counts.waiting ?? 0)} queued`}
      onClose={onClose}
    >
      <ul className={styles.waiting} aria-label="Queued changes">
        {entries.map((entry) => (
          <li key={entry.entryId}>
            <KindIcon entry={entry} />
            <span>
              <b title={entry.title}>{entry.title}</b>
              {changeOf(entry)}
              <small>{kindText(entry)}</small>
              <small>Changed at {formatWhen(entry.writtenAt, Date.now())}</small>
            </span>
            <IconButton
              small
              label={`Discard: ${entry.title}`}
              onClick={() => void outbox.discard([entry])}
            >
              <IconX size={15} stroke={1.6} />
            </IconButton>
          </li>
        ))}
        {more > 0 ? (
          <li>
            <Link href="/outbox" className={styles.link}>
              {formatCount(more)} more queued changes
            </Link>
          </li>
        ) : null}
      </ul>
      <PanelSection title="When the connection is back">
        Keydesk compares each change with the service’s current data. You approve or discard it. If
        a price was changed elsewhere, both prices are shown side by side.
      </PanelSection>
      <PanelSection title="Works offline">
        <ul className={styles.works}>
          <li>
            <IconCheck size={14} stroke={2} color="var(--kd-ok)" aria-hidden />
            Search, history, drafts, checking key files
          </li>
          <li>
            <IconCheck size={14} stroke={2} color="var(--kd-ok)" aria-hidden />
            Prices, pausing and new offers are queued
          </li>
          <li>
            <IconMinus size={14} stroke={2} aria-hidden />
            Uploading keys requires the service
          </li>
        </ul>
      </PanelSection>
    </SidePanel>
  )
}

function changeOf({ kind, seen, wanted }: OutboxEntry): string {
  switch (kind) {
    case 'offer-price':
      return `Price ${formatCents(seen.priceCents ?? ZERO)} to ${formatCents(wanted.priceCents ?? ZERO)}`
    case 'offer-status':
      return `${(seen.status ?? 'unknown').replace(/^./, (letter) => letter.toUpperCase())} to ${wanted.status ?? ''}`
    case 'offer-new':
      return `New offer at ${formatCents(wanted.priceCents ?? ZERO)}`
    case 'dispute-answer':
      return 'Your answer in a dispute'
  }
}
