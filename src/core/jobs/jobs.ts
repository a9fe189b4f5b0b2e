import type { Job, JobAction } from '../../contract/app/app.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog, JobControls, JobRegistry } from '../context.ts'
import { failure } from '../failure.ts'
import { localEntry } from '../local-entry.ts'

/** The screen receives at most ten updates a second; the latest wins. */
const tellEveryMs = 100

/** Actions that make sense in each state, if the job offers them. */
const fitting: Record<Job['state'], readonly JobAction[]> = {
  running: ['pause', 'cancel'],
  waiting: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  failed: ['resume', 'cancel'],
}

/** Storage for a value that survives a restart. */
export type JobMemory = {
  recall(name: string): string | null
  remember(name: string, value: string): void
}

export interface Jobs extends JobRegistry {
  /**
   * Pauses, resumes or cancels a job. Throws Failure `NOT_FOUND`, or `CONFLICT` if the job doesn't
   * allow the action in its current state.
   */
  act(jobId: string, action: JobAction): Promise<void>
}

const actionCodes = {
  pause: 'jobs.paused',
  resume: 'jobs.resumed',
  cancel: 'jobs.canceled',
} as const satisfies Record<JobAction, string>
type NoteCode = (typeof actionCodes)[JobAction] | 'jobs.started' | 'jobs.stopped' | 'jobs.finished'

/**
 * Long work in flight. It is kept in memory except for paused states; each feature's journal stores
 * everything else that must survive a restart. Starts, ends, failures and the user's actions are
 * logged in the activity.
 */
export function createJobs(
  changes: Changes,
  clock: Clock,
  memory: JobMemory,
  activity: ActivityLog,
): Jobs {
  const jobs = new Map<string, { job: Job; controls: JobControls }>()
  let telling = false
  const tell = (): void => {
    if (telling) return
    telling = true
    clock.after(tellEveryMs, () => {
      telling = false
      changes.notify('jobs')
    })
  }
  const note = (
    { accountId, title, done, total }: Omit<Job, 'can'>,
    code: NoteCode,
    outcome: 'ok' | 'failed' = 'ok',
  ): void =>
    activity.add(
      localEntry({
        accountId,
        what: localized(code, { title }),
        detail: total === null ? null : localized('jobs.progress', { done, total }),
        outcome,
      }),
    )
  const pausedName = (jobId: string): string => `job paused ${jobId}`
  return {
    set(job, controls = {}) {
      const before = jobs.get(job.id)?.job.state
      if (before === undefined) note(job, 'jobs.started')
      if (job.state === 'failed' && before !== 'failed') note(job, 'jobs.stopped', 'failed')
      jobs.set(job.id, {
        job: { ...job, can: fitting[job.state].filter((action) => controls[action] !== undefined) },
        controls,
      })
      tell()
    },
    end(jobId) {
      const ended = jobs.get(jobId)?.job
      if (ended === undefined) return
      note(ended, 'jobs.finished')
      jobs.delete(jobId)
      tell()
    },
    list: () => [...jobs.values()].map(({ job }) => job),
    isPaused: (jobId) => memory.recall(pausedName(jobId)) === 'yes',
    setPaused: (jobId, paused) => memory.remember(pausedName(jobId), paused ? 'yes' : 'no'),
    async act(jobId, action) {
      const found = jobs.get(jobId)
      if (found === undefined)
        throw failure(
          'NOT_FOUND',
          'This job has already finished.',
          'Refresh the list, then try again.',
          {
            effect: 'Nothing was changed.',
          },
        )
      if (!found.job.can.includes(action))
        throw failure(
          'CONFLICT',
          `${found.job.title} can’t do this now.`,
          'Refresh the list, then try again.',
          { effect: 'Nothing was changed.' },
        )
      await found.controls[action]?.()
      note(found.job, actionCodes[action])
    },
  }
}
