import type { Job } from '../../contract/app.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { JobsBook } from '../context.ts'

/** At most ten updates a second reach the screen; the latest wins. */
const tellEveryMs = 100

/** Long work in hand. Kept in memory only: what must survive the process is in each feature's own journal. */
export function createJobs(changes: Changes, clock: Clock): JobsBook {
  const jobs = new Map<string, Job>()
  let telling = false
  const tell = (): void => {
    if (telling) return
    telling = true
    clock.after(tellEveryMs, () => { telling = false; changes.tell('jobs') })
  }
  return {
    set(job) {
      jobs.set(job.id, job)
      tell()
    },
    end(jobId) {
      if (jobs.delete(jobId)) tell()
    },
    list: () => [...jobs.values()],
  }
}
