import type { Job, JobAction } from '../../contract/app.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog, JobControls, JobRegistry } from '../context.ts'
import { failure } from '../failure.ts'

/** At most ten updates a second reach the screen; the latest wins. */
const tellEveryMs = 100

/** What makes sense in each state, where the job offers it. */
const fitting: Record<Job['state'], readonly JobAction[]> = {
  running: ['pause', 'cancel'],
  waiting: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  failed: ['resume', 'cancel'],
}

/** Where a value is remembered over the process's end. */
export type JobMemory = {
  recall(name: string): string | null
  remember(name: string, value: string): void
}

export interface Jobs extends JobRegistry {
  /**
   * Pauses, resumes or cancels. Throws Failure `NOT_FOUND`, or `CONFLICT` for what the job doesn't
   * take in its present state.
   */
  act(jobId: string, action: JobAction): Promise<void>
}

const actionWords: Record<JobAction, string> = {
  pause: 'paused',
  resume: 'taken up again',
  cancel: 'cancelled',
}

/**
 * Long work in hand. Kept in memory but for what is paused: what else must survive the process is
 * in each feature's own journal. Its beginning, its end, where it fails, and what people do with it
 * are written into the activity.
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
    what: string,
    outcome: 'ok' | 'failed' = 'ok',
  ): void =>
    activity.add({
      accountId,
      what: `${title}: ${what}`,
      detail: total === null ? '' : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
      outcome,
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })
  const pausedName = (jobId: string): string => `job paused ${jobId}`
  return {
    set(job, controls = {}) {
      const before = jobs.get(job.id)?.job.state
      if (before === undefined) note(job, 'begun')
      if (job.state === 'failed' && before !== 'failed') note(job, 'stopped', 'failed')
      jobs.set(job.id, {
        job: { ...job, can: fitting[job.state].filter((action) => controls[action] !== undefined) },
        controls,
      })
      tell()
    },
    end(jobId) {
      const ended = jobs.get(jobId)?.job
      if (ended === undefined) return
      note(ended, 'ended')
      jobs.delete(jobId)
      tell()
    },
    list: () => [...jobs.values()].map(({ job }) => job),
    isPaused: (jobId) => memory.recall(pausedName(jobId)) === 'yes',
    setPaused: (jobId, paused) => memory.remember(pausedName(jobId), paused ? 'yes' : 'no'),
    async act(jobId, action) {
      const found = jobs.get(jobId)
      if (found === undefined)
        throw failure('NOT_FOUND', 'This work has ended.', 'Look at the list again.', {
          effect: 'Nothing was changed.',
        })
      if (!found.job.can.includes(action))
        throw failure(
          'CONFLICT',
          `${found.job.title} can’t do this now.`,
          'Look at the list again.',
          { effect: 'Nothing was changed.' },
        )
      await found.controls[action]?.()
      note(found.job, actionWords[action])
    },
  }
}
