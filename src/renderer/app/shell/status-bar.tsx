import { t } from '../../../contract/localization/localized.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { syncedLists } from '../../../contract/app/accounts.ts'
import type { Account, Connection, SyncedList } from '../../../contract/app/accounts.ts'
import { shownCode } from '../../../contract/base.ts'
import { syncedAt, useServiceConnection } from '../../lib/account/service-connection.ts'
import { useQueuedCount } from '../../lib/account/outbox.ts'
import {
  formatClock,
  formatCount,
  formatDuration,
  formatEur,
  formatFullMoment,
  formatUtc,
  formatZone,
} from '../../ui/format.ts'
import { KeyCap } from '../../ui/controls/buttons/key-cap.tsx'
import { ModeBadge } from '../../ui/data-display/identity/mode-badge.tsx'
import { ProgressBar, ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { accountProblem } from '../accounts/account-problem.ts'
import { ClockSegment } from '../../features/sandbox/control/clock-segment.tsx'
import { WatchSegment } from '../../features/price-watch/status/status-segment.tsx'
import { JobsPopover } from './jobs-popover.tsx'
import { useShownList } from '../pages/current-page.ts'
import { setScreen } from './screen-store.ts'
import styles from './shell.module.css'
import { UpdateSegment } from './update-segment.tsx'

function Segment({
  tone,
  children,
  title,
}: {
  tone?: 'warn' | 'bad' | 'sandbox' | undefined
  children: ReactNode
  title?: string | undefined
}) {
  return (
    <span className={styles.segment} data-tone={tone} title={title}>
      {children}
    </span>
  )
}

/**
 * The connection to the service in one segment: gray with a green dot when online, amber while it
 * is doubtful, otherwise since when and the next try.
 */
function ConnectionSegment({
  account,
  connection,
  now,
}: {
  account: Account
  connection: Connection | undefined
  now: number
}) {
  const trouble = accountProblem(account)
  const since =
    connection === undefined || connection.since === null
      ? ''
      : ` since ${formatClock(connection.since)}`
  if (trouble !== null)
    return (
      <>
        <Segment tone="bad">
          <i />
          {trouble.short}
          {connection?.state === 'refused' ? since : ''}
        </Segment>
        {trouble.code === null ? null : <Segment>{trouble.code}</Segment>}
      </>
    )
  if (connection === undefined || connection.state === 'starting')
    return (
      <Segment>
        <ProgressRing size={12} label="Connecting" />
        Connecting
      </Segment>
    )
  return (
    <ConnectionState connection={connection} state={connection.state} since={since} now={now} />
  )
}

/** The state of a connection that was tried. `since`: since when, as a part of a sentence. */
function ConnectionState({
  connection,
  state,
  since,
  now,
}: {
  connection: Connection
  state: Exclude<Connection['state'], 'starting'>
  since: string
  now: number
}) {
  const next =
    connection.nextTryAt === null || connection.nextTryAt <= now ? null : (
      <Segment>Next try in {formatDuration(connection.nextTryAt - now)}</Segment>
    )
  switch (state) {
    case 'online':
      return (
        <Segment
          title={
            connection.since === null
              ? undefined
              : `Online since ${formatFullMoment(connection.since)}`
          }
        >
          <i />
          Online
        </Segment>
      )
    case 'doubtful':
      return (
        <Segment tone="warn" title={connection.problem?.what}>
          <i />
          Unreliable connection{since}
        </Segment>
      )
    case 'slowed':
      return (
        <Segment tone="warn">
          <i />
          Slowed by the service
          {connection.nextTryAt === null ? '' : `, ${formatDuration(connection.nextTryAt - now)}`}
        </Segment>
      )
    case 'refused':
      return (
        <>
          <Segment tone="bad">
            <i />
            {connection.problem?.what ?? 'Key rejected'}
          </Segment>
          {connection.problem === null ? null : <Segment>{shownCode(connection.problem)}</Segment>}
          {next}
        </>
      )
    case 'offline':
      return (
        <>
          <Segment tone="warn">
            <i />
            Offline{since}
          </Segment>
          {next}
        </>
      )
  }
}

/** Drawing the page each second would use more energy than everything else while nothing happens. */
const AGE_STEP_MS = 5000

const ageText = (ms: number): string =>
  ms < AGE_STEP_MS ? 'just now' : `${formatDuration(ms - (ms % AGE_STEP_MS))} ago`

const listNames: Record<SyncedList, string> = {
  offers: 'Offers',
  sales: 'Sales',
  disputes: 'Disputes',
  orders: 'Orders',
  balance: 'Balance',
  products: 'Catalogue',
}

/**
 * How old the data of the open page is. Each list is synced at its own pace, so the tooltip has the
 * time of each.
 */
function SyncSegment({
  account,
  synced,
  now,
}: {
  account: Account
  synced: Connection['synced']
  now: number
}) {
  const list = useShownList(account)
  const at = syncedAt(synced, list)
  const name = list === null ? null : listNames[list]
  const times = syncedLists.flatMap((each) => {
    const last = synced[each]
    if (last === undefined) return []
    return [
      `${listNames[each]}: ${last === null ? 'first sync isn’t complete' : formatFullMoment(last)}`,
    ]
  })
  return (
    <Segment title={times.join('\n')}>
      {at === null ? (
        <>
          <ProgressRing size={12} label="First sync" />
          {name === null ? 'First sync is running' : `First sync: ${name.toLowerCase()}`}
        </>
      ) : (
        `${name === null ? 'Synced' : `${name} synced`} ${ageText(now - at)}`
      )}
    </Segment>
  )
}

/**
 * Requests in the last minute, with the service's limit. A sandbox can allow an unlimited number.
 */
function BudgetSegment({ used, limit }: Connection['budget']) {
  if (limit === null)
    return (
      <Segment title="This sandbox doesn’t limit requests.">
        Requests {formatCount(used)} per min, no limit
      </Segment>
    )
  return (
    <Segment>
      Requests{' '}
      <ProgressBar
        share={used / Math.max(1, limit)}
        width={44}
        label="Requests in the last minute"
        tone={used > limit * 0.9 ? 'warn' : 'neutral'}
      />{' '}
      {formatCount(used)} / {formatCount(limit)} per min
    </Segment>
  )
}

/**
 * The 28 px status bar: mode, connection, sync, request budget and jobs on the left; balance,
 * queued changes, time and time zone on the right.
 */
export function StatusBar({ account }: { account: Account }) {
  const connection = useServiceConnection(account)
  const now = useNow(connection?.nextTryAt == null ? AGE_STEP_MS : 1000)
  const waiting = useQueuedCount(account.id)
  const budget = connection?.budget
  const online = ['online', 'doubtful', 'slowed'].includes(connection?.state ?? '')
  return (
    <footer className={styles.status}>
      <ModeBadge mode={account.mode} />
      <ConnectionSegment account={account} connection={connection} now={now} />
      {connection === undefined || !online ? null : (
        <SyncSegment account={account} synced={connection.synced} now={now} />
      )}
      {budget === undefined || !online ? null : <BudgetSegment {...budget} />}
      <JobsPopover account={account} />
      <span className={styles.end}>
        {account.mode === 'sandbox' ? (
          <ClockSegment render={(content) => <Segment tone="sandbox">{content}</Segment>} />
        ) : null}
        {connection === undefined || connection.balance === null ? null : (
          <Segment title={`Read ${formatFullMoment(connection.balance.at)}`}>
            {account.mode === 'test' ? 'Test balance' : 'Balance'}{' '}
            {formatEur(connection.balance.cents)}
          </Segment>
        )}
        {account.role === 'seller' ? (
          <WatchSegment render={(tone, children) => <Segment tone={tone}>{children}</Segment>} />
        ) : null}
        <UpdateSegment />
        {waiting === 0 ? null : (
          <Segment tone="warn">
            <Link href="/outbox">{t('screens.outbox-queued', { count: waiting })}</Link>
          </Segment>
        )}
        <Segment title={formatUtc(now)}>
          {formatClock(now)} {formatZone(now)}
        </Segment>
        <Segment>
          <button type="button" onClick={() => setScreen({ shortcuts: true })}>
            <KeyCap name="?" />
            Shortcuts
          </button>
        </Segment>
      </span>
    </footer>
  )
}
