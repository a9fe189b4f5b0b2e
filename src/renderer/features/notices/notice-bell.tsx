import { Popover } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Notice } from '../../../contract/app/notices.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { api } from '../../lib/core/rpc.ts'
import { useRequestedPage } from '../../lib/requested-page.ts'
import { Button, IconButton } from '../../ui/controls/buttons/button.tsx'
import { formatMoment } from '../../ui/format.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { toast } from '../../ui/feedback/toasts.tsx'
import styles from './notices.module.css'
import { newNotices, showDesktopNotification } from './new-notices.ts'

const marks: Record<Notice['kind'], 'ok' | 'behind' | 'bad' | 'warn'> = {
  'lost-lead': 'behind',
  'low-stock': 'warn',
  empty: 'bad',
  'offers-changed': 'ok',
  'offers-not-changed': 'bad',
  'price-watch': 'warn',
  'dispute-new': 'warn',
  'dispute-answered': 'warn',
  'dispute-due': 'bad',
  'dispute-not-sent': 'bad',
  'order-failed': 'bad',
  'balance-low': 'warn',
  'claim-settled': 'ok',
  'import-done': 'ok',
  'import-stopped': 'bad',
  security: 'bad',
  'file-repaired': 'bad',
}
const toastKinds: Record<Notice['kind'], 'ok' | 'behind' | 'bad'> = {
  'lost-lead': 'behind',
  'low-stock': 'behind',
  empty: 'behind',
  'offers-changed': 'ok',
  'offers-not-changed': 'bad',
  'price-watch': 'behind',
  'dispute-new': 'behind',
  'dispute-answered': 'behind',
  'dispute-due': 'bad',
  'dispute-not-sent': 'bad',
  'order-failed': 'bad',
  'balance-low': 'behind',
  'claim-settled': 'ok',
  'import-done': 'ok',
  'import-stopped': 'bad',
  security: 'bad',
  'file-repaired': 'bad',
}

/** Opens the page of a notice in its account, which may have another role than the current one. */
const visit = ({ accountId, path }: Notice): void =>
  useRequestedPage.setState({ place: { accountId, path } })

/**
 * The bell with recent notifications. New ones also appear as toasts, and as desktop notifications
 * if the browser allows them and the page isn't in front.
 */
export function NoticeBell() {
  const [opened, setOpened] = useState(false)
  const [here] = useLocation()
  const notices = useQuery(api.notices.list.queryOptions()).data
  const host = useQuery(api.app.info.queryOptions()).data?.host
  const markSeen = useMutation(api.notices.markSeen.mutationOptions())
  const known = useRef<ReadonlySet<string> | null>(null)
  // A person on that page already sees the event there.
  const shown = useRef(here)
  shown.current = here
  useEffect(() => {
    if (notices === undefined) return
    for (const notice of newNotices(known.current, notices)) {
      if (notice.path !== shown.current)
        toast({
          id: `notice-${notice.noticeId}`,
          kind: toastKinds[notice.kind],
          title: formatMessage(notice.title),
          text: formatMessage(notice.text),
          action: { label: 'Open', run: () => visit(notice) },
        })
      if (host === 'browser')
        showDesktopNotification(notice)?.addEventListener('click', () => {
          window.focus()
          visit(notice)
        })
    }
    known.current = new Set(notices.map(({ noticeId }) => noticeId))
  }, [notices, host])
  const list = notices ?? []
  const unseen = list.filter((notice) => !notice.seen).length
  const toggle = (): void => {
    setOpened(!opened)
    if (!opened && unseen > 0) markSeen.mutate(undefined)
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      offset={4}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <IconButton
          className={styles.bell}
          data-unseen={unseen > 0 || undefined}
          label={unseen === 0 ? 'Notifications' : `Notifications, ${unseen} new`}
          onClick={toggle}
        >
          <IconBell size={16} stroke={1.6} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <ul className={styles.list}>
          {list.length === 0 ? (
            <li className={styles.none}>
              No notifications yet. You’ll be notified about lost leads, low stock and finished bulk
              changes.
            </li>
          ) : (
            list.slice(0, 12).map((notice) => (
              <li key={notice.noticeId}>
                <Mark kind={marks[notice.kind]} size={14} />
                <span>
                  <b>{formatMessage(notice.title)}</b>
                  {formatMessage(notice.text)} <time>{formatMoment(notice.at, Date.now())}</time>
                </span>
                <Button
                  size="xs"
                  onClick={() => {
                    setOpened(false)
                    visit(notice)
                  }}
                >
                  Open
                </Button>
              </li>
            ))
          )}
          {host === 'browser' &&
          typeof Notification !== 'undefined' &&
          Notification.permission === 'default' ? (
            <li className={styles.none}>
              <Button size="xs" onClick={() => void Notification.requestPermission()}>
                Show desktop notifications
              </Button>
            </li>
          ) : null}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
