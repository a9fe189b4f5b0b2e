import { Select, Switch } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconListDetails, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { t } from '../../../../contract/localization/localized.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Delayed } from '../../../ui/feedback/delayed.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { SkeletonRows } from '../../../ui/table/skeleton-rows.tsx'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { SearchField, type SearchedList } from '../../../ui/controls/fields/search-field.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import { ControlCard } from '../control/control-card.tsx'
import styles from '../sandbox.module.css'
import { isRejected, RequestLine } from './request-line.tsx'

const pageSize = 20
const readEveryMs = 3000
/** Paths with a named filter. Typing a path filters by it alone. */
const bothApis = '/v1/*'
const kinds = [
  { value: bothApis, label: 'Both APIs' },
  { value: '/dashboard/*', label: 'Dashboard' },
  { value: '', label: 'All' },
]
const statuses = [
  'any',
  '200',
  '201',
  '202',
  '204',
  '400',
  '401',
  '402',
  '403',
  '404',
  '409',
  '422',
  '429',
  '500',
  '503',
  '0',
]

const methods = ['any', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const methodOf = (value: string | null): (typeof methods)[number] =>
  methods.find((each) => each === value?.toUpperCase()) ?? 'any'

/** The request of the log that has the focus. */
const focusedRequest = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-request]')?.dataset['request']

/**
 * Every request to the sandbox, newest first. A row expands to the request and response; the
 * sandbox masks secrets. `W` explains the focused one, or the first that was rejected.
 */
export function RequestLog({
  explained = null,
  onWhy,
}: {
  /** Id of the request that is explained beside the log. */
  explained?: string | null
  onWhy: (requestId: string) => void
}) {
  const [search] = useSearchParams()
  const [kind, setKind] = useState<string>(bothApis)
  const asked = search.get('method')
  const [method, setMethod] = useState(() => methodOf(asked))
  useEffect(() => {
    if (asked !== null) setMethod(methodOf(asked))
  }, [asked])
  const [own, setOwn] = useState(false)
  const [typed, setTyped] = useState('')
  const [status, setStatus] = useState('any')
  const [live, setLive] = useState(true)
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<string | null>(null)
  const path = typed.trim() === '' ? kind : typed.trim()
  const input = {
    page,
    limit: pageSize,
    ...(path === '' ? {} : { path }),
    ...(status === 'any' ? {} : { status: Number(status) }),
    ...(method === 'any' ? {} : { method }),
    own,
  }
  const read = useQuery({
    ...api.sandbox.control.requests.queryOptions({ input }),
    // Other programs send requests, so an earlier list may lack the latest ones.
    staleTime: 0,
    refetchInterval: live ? readEveryMs : false,
    placeholderData: keepPreviousData,
  })
  const log = read.data
  const partners =
    useQuery(api.sandbox.accounts.partners.queryOptions({ input: { limit: 100 } })).data?.results ??
    []
  const sellers =
    useQuery(api.sandbox.accounts.sellers.queryOptions({ input: { limit: 100 } })).data?.results ??
    []
  const nameOf = (id: string | null): string =>
    id === null ? '' : ([...partners, ...sellers].find((account) => account.id === id)?.name ?? id)
  const first =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value)
      setPage(1)
    }
  const table = useRef<HTMLTableElement>(null)
  const list = useRef<SearchedList>(null)
  useImperativeHandle(list, () => ({
    focus: () => table.current?.querySelector<HTMLElement>('tbody button')?.focus(),
    openFirst: () => setOpen(log?.results[0]?.requestId ?? null),
  }))
  const rejected = log?.results.filter(isRejected) ?? []
  useShortcut(
    'W',
    () => {
      const focused = focusedRequest()
      const next = rejected.find(({ requestId }) => requestId === focused) ?? rejected[0]
      if (next !== undefined) onWhy(next.requestId)
    },
    { enabled: rejected.length > 0 },
  )
  return (
    <ControlCard
      flush
      icon={IconListDetails}
      title="Request log"
      actions={
        <>
          <SearchField
            label="Path"
            width={136}
            value={typed}
            onChange={first(setTyped)}
            list={list}
          />
          <Select
            aria-label="Method"
            w={112}
            data={methods.map((value) => ({
              value,
              label: value === 'any' ? 'Any method' : value,
            }))}
            value={method}
            allowDeselect={false}
            onChange={(value) => first(setMethod)(methodOf(value))}
          />
          <Select
            aria-label="API"
            w={104}
            data={kinds}
            value={kind}
            allowDeselect={false}
            onChange={(value) => first(setKind)(value ?? '')}
          />
          <Select
            aria-label="Status"
            w={104}
            data={statuses.map((value) => ({
              value,
              label: value === 'any' ? 'Any status' : value === '0' ? 'No response' : value,
            }))}
            value={status}
            allowDeselect={false}
            onChange={(value) => first(setStatus)(value ?? 'any')}
          />
          <IconButton
            label={live ? 'Pause the log' : 'Resume the log'}
            onClick={() => setLive(!live)}
          >
            {live ? (
              <IconPlayerPause size={16} stroke={1.6} />
            ) : (
              <IconPlayerPlay size={16} stroke={1.6} />
            )}
          </IconButton>
        </>
      }
    >
      <div className={styles.own}>
        <Switch
          size="xs"
          label="Show Keydesk’s own requests"
          checked={own}
          onChange={(event) => first(setOwn)(event.currentTarget.checked)}
        />
        {own || log === undefined ? null : (
          <span>{t('screens.sandbox-own-hidden', { count: log.ownHidden })}</span>
        )}
        <span className={styles.state}>{live ? 'live' : 'paused'}</span>
      </div>
      {log === undefined && read.isError ? (
        <NotRead query={read} />
      ) : log === undefined ? (
        <Delayed>
          <SkeletonRows columns={['start', 'start', 'end', 'end', 'start']} height={32} />
        </Delayed>
      ) : log.total === 0 ? (
        <NoRequests
          query={typed}
          isNarrowed={path !== bothApis || status !== 'any' || method !== 'any'}
          hidden={log.ownHidden}
          onClear={() => {
            first(setTyped)('')
            setKind(bothApis)
            setStatus('any')
            setMethod('any')
          }}
        />
      ) : (
        <table ref={table} className={styles.table} aria-label="Request log">
          <thead>
            <tr>
              <th scope="col" style={{ width: 88 }}>
                Time
              </th>
              <th scope="col">Request</th>
              <th scope="col" style={{ width: 58 }}>
                Status
              </th>
              <th scope="col" style={{ width: 48 }}>
                <span className="kd-hidden">Why it was rejected</span>
              </th>
              <th scope="col" style={{ width: 52 }} data-end>
                ms
              </th>
              <th scope="col" style={{ width: 140 }}>
                Account
              </th>
              <th scope="col" style={{ width: 106 }}>
                Request id
              </th>
            </tr>
          </thead>
          <tbody>
            {log.results.map((request) => (
              <RequestLine
                key={request.requestId}
                request={request}
                account={nameOf(request.account)}
                open={open === request.requestId}
                explained={explained === request.requestId}
                onOpen={() => setOpen(open === request.requestId ? null : request.requestId)}
                onWhy={() => onWhy(request.requestId)}
              />
            ))}
          </tbody>
        </table>
      )}
      <Pager page={page} size={pageSize} total={log?.total} onPage={setPage} />
    </ControlCard>
  )
}

/** @param hidden The number of Keydesk's own requests that the list leaves out. */
function NoRequests({
  query,
  isNarrowed,
  hidden,
  onClear,
}: {
  query: string
  isNarrowed: boolean
  hidden: number
  onClear: () => void
}) {
  const hint = 'The log holds the last thousand requests, until the sandbox stops.'
  if (isNarrowed)
    return query === '' ? (
      <EmptyState
        title="No matches"
        text={`No request matches these filters. ${hint}`}
        actions={<Button onClick={onClear}>Remove the filters</Button>}
      />
    ) : (
      <NoMatches query={query} hint={hint} onClear={onClear} />
    )
  return (
    <EmptyState
      title="No requests yet"
      text={
        hidden === 0
          ? 'Requests to the sandbox appear here as they arrive.'
          : 'Keydesk’s own requests are hidden. Requests of other programs appear here.'
      }
    />
  )
}
