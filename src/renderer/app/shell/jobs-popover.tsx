import { Popover } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import type { Job, JobAction } from '../../../contract/app/app.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api, rpc } from '../../lib/core/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { Button, LinkButton } from '../../ui/controls/buttons/button.tsx'
import { formatCount, formatTimeLeft } from '../../ui/format.ts'
import { ProgressBar, ProgressRing } from '../../ui/feedback/progress-ring.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './jobs-popover.module.css'
import { setScreen, useScreen } from './screen-store.ts'
import shell from './shell.module.css'
import { useAppState } from '../use-app-state.ts'

const shareOf = ({ done, total }: Job): number | null =>
  total === null || total === 0 ? null : Math.min(1, done / total)

/** Progress and state of a job, such as `62 %, 34 s left` or `1,204, paused`. */
function progressText(job: Job): string {
  const share = shareOf(job)
  const far = share === null ? formatCount(job.done) : `${Math.floor(share * 100)} %`
  switch (job.state) {
    case 'paused':
      return `${far}, paused`
    case 'waiting':
      return job.needsVault === true ? `${far}, waiting for the vault` : `${far}, waiting`
    case 'failed':
      return `${far}, needs attention`
    case 'running':
      return job.leftMs === null ? far : `${far}, ${formatTimeLeft(job.leftMs)} left`
  }
}

/** What stays undone when someone cancels the job. */
const cancelTexts: Record<Job['kind'], string> = {
  'catalogue-sync': 'Data synced so far stays. The next regular sync pass continues from there.',
  'key-import': 'Uploaded keys stay on their offers. The remaining keys aren’t uploaded.',
  'key-check': 'The rest of the file isn’t checked.',
  'dispute-replies': 'Replies already sent stay. The remaining disputes aren’t answered.',
  orders: 'Orders already placed stay. The remaining orders aren’t placed.',
  certificate: 'Schedules in progress end first. There is no result.',
  'offer-changes': 'Changes already made stay. The remaining offers stay as they are.',
}

/** The page that shows a job; null if none does. */
function pageOf({ id, kind, accountId }: Job, inFront: Account): string | null {
  if (kind === 'certificate') return '/sandbox/certificate'
  return kind === 'key-import' && accountId === inFront.id ? `/import/${id}` : null
}

/**
 * Running jobs in one segment of the status bar: the first job's progress and the number of others.
 * It opens a list of all jobs of all accounts, each with pause, resume and cancel.
 */
export function JobsPopover({ account }: { account: Account }) {
  const jobs = useQuery(api.app.jobs.queryOptions()).data ?? []
  const opened = useScreen((screen) => screen.jobs)
  const first =
    jobs.find((job) => job.accountId === null || job.accountId === account.id) ?? jobs[0]
  const some = first !== undefined
  useEffect(() => {
    if (!some) setScreen({ jobs: false })
  }, [some])
  if (first === undefined) return null
  const tone = jobs.some((job) => job.state === 'failed')
    ? 'bad'
    : jobs.some((job) => job.state === 'waiting')
      ? 'warn'
      : undefined
  const close = (): void => setScreen({ jobs: false })
  return (
    <span className={shell.segment} data-tone={tone}>
      <Popover
        opened={opened}
        onChange={(open) => setScreen({ jobs: open })}
        position="top-start"
        offset={6}
        trapFocus
        returnFocus
        width={336}
      >
        <Popover.Target>
          <button type="button" onClick={() => setScreen({ jobs: !opened })}>
            {first.state === 'running' ? (
              <ProgressRing size={12} share={shareOf(first)} label={first.title} />
            ) : null}
            {first.title} {progressText(first)}
            {jobs.length === 1 ? null : ` and ${formatCount(jobs.length - 1)} more`}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={0}>
          <ul className={styles.list} aria-label="Jobs">
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} inFront={account} onLeave={close} />
            ))}
          </ul>
          <p className={styles.note}>
            {jobs.every(({ kind }) => kind === 'certificate')
              ? 'It continues when you leave this page, and ends with the sandbox.'
              : 'Jobs continue when you leave this page and resume after a restart.'}
          </p>
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}

function JobRow({ job, inFront, onLeave }: { job: Job; inFront: Account; onLeave: () => void }) {
  const [asking, setAsking] = useState(false)
  const [, go] = useLocation()
  const { accounts = [] } = useAppState()
  const act = useMutation({
    mutationFn: async (action: JobAction) => {
      if (action === 'resume' && job.kind === 'key-import' && !(await openVault())) return
      await rpc.app.actOnJob({ jobId: job.id, action })
    },
    onError: (error) => {
      toastProblem(problemOf(error), job.title)
    },
    onSettled: (_nothing, _error, _action, _context, { client }) => {
      setAsking(false)
      void client.invalidateQueries({ queryKey: api.app.jobs.key() })
    },
  })
  const share = shareOf(job)
  const of = accounts.find((each) => each.id === job.accountId)
  const path = pageOf(job, inFront)
  const open = (): void => {
    onLeave()
    if (path !== null) go(path)
  }
  const name = of === undefined ? job.title : `${job.title} of ${of.name}`
  return (
    <li className={styles.row} aria-label={name}>
      <div className={styles.title}>
        <b>{job.title}</b>
        <span>{of?.name}</span>
        <span
          className={styles.standing}
          data-tone={job.state === 'failed' ? 'bad' : job.state === 'waiting' ? 'warn' : undefined}
        >
          {progressText(job)}
        </span>
      </div>
      {share === null ? null : (
        <ProgressBar
          share={share}
          width={308}
          label={name}
          tone={job.state === 'running' ? 'accent' : 'neutral'}
        />
      )}
      {asking ? (
        <CancelQuestion
          job={job}
          busy={act.isPending}
          onKeep={() => setAsking(false)}
          onCancel={() => act.mutate('cancel')}
        />
      ) : (
        <JobTools
          job={job}
          name={name}
          busy={act.isPending}
          onOpen={path === null ? null : open}
          onAct={(action) => (action === 'cancel' ? setAsking(true) : act.mutate(action))}
        />
      )}
    </li>
  )
}

const unlock = (): void =>
  void openVault().catch((error: unknown) => toastProblem(problemOf(error), null))

function CancelQuestion({
  job,
  busy,
  onKeep,
  onCancel,
}: {
  job: Job
  busy: boolean
  onKeep: () => void
  onCancel: () => void
}) {
  return (
    <>
      <p className={styles.text}>{cancelTexts[job.kind]}</p>
      <div className={styles.tools}>
        <Button size="xs" autoFocus onClick={onKeep}>
          Keep job
        </Button>
        <Button size="xs" kind="danger" busy={busy} onClick={onCancel}>
          Cancel job
        </Button>
      </div>
    </>
  )
}

function JobTools({
  job,
  name,
  busy,
  onOpen,
  onAct,
}: {
  job: Job
  name: string
  busy: boolean
  onOpen: (() => void) | null
  onAct: (action: JobAction) => void
}) {
  return (
    <div className={styles.tools}>
      <span className={styles.text}>
        {job.total === null
          ? formatCount(job.done)
          : `${formatCount(job.done)} of ${formatCount(job.total)}`}
        {onOpen === null ? null : <LinkButton onClick={onOpen}>View</LinkButton>}
      </span>
      {job.needsVault === true ? (
        <Button size="xs" aria-label={`Unlock the vault for ${name}`} onClick={unlock}>
          Unlock the vault…
        </Button>
      ) : null}
      {job.can.includes('cancel') ? (
        <Button
          size="xs"
          kind="quiet"
          aria-label={`Cancel ${name}…`}
          onClick={() => onAct('cancel')}
        >
          Cancel…
        </Button>
      ) : null}
      {job.can.includes('pause') ? (
        <Button size="xs" busy={busy} aria-label={`Pause ${name}`} onClick={() => onAct('pause')}>
          Pause
        </Button>
      ) : null}
      {job.can.includes('resume') ? (
        <Button size="xs" busy={busy} aria-label={`Resume ${name}`} onClick={() => onAct('resume')}>
          Resume
        </Button>
      ) : null}
    </div>
  )
}
