import { msSince } from '../../clock.ts'
import type { Monotonic } from '../../clock.ts'
import type { JobControls } from '../../context.ts'
import { createThrottle } from '../../throttle.ts'
import type { CatalogueContext } from '../context.ts'
import { readSyncState } from './sync-state.ts'
import type { SyncState } from './sync-state.ts'

const UPDATES_MS = 100

/** The job of an account's first listing in the status bar, with its pause, resume and cancel. */
export interface SyncJob {
  /** Starts a pass. The returned signal aborts when the user pauses or cancels it. */
  startPass(kind: 'full' | 'changes'): AbortSignal
  /** Shows the progress of the current pass, if it is a full listing. */
  show(state: SyncState): void
  endPass(): void
  /** Whether the job was canceled while it was paused. Returns true once per cancel. */
  wasCanceled(): boolean
  /** Resolves when the job isn't paused, or when `until` aborts. */
  untilResumed(until: AbortSignal): Promise<void>
  resume(): void
}

/**
 * Creates the job of an account.
 * @param syncNow starts a pass when the user resumes the job
 * @param signal aborts when the account stops working
 */
export function createSyncJob(
  context: CatalogueContext,
  accountId: string,
  syncNow: () => void,
  signal: AbortSignal,
): SyncJob {
  const id = `catalogue-sync:${accountId}`
  let isListing = false
  let first: { at: Monotonic; done: number } | null = null
  let last: SyncState | null = null
  let pass = new AbortController()
  let isCanceled = false
  let wake: (() => void) | null = null

  const controls: JobControls = {
    pause() {
      context.jobs.setPaused(id, true)
      pass.abort()
    },
    resume() {
      resume()
      syncNow()
    },
    /** Read products stay; the next regular pass resumes from there. */
    cancel() {
      isCanceled = wake !== null
      context.jobs.setPaused(id, false)
      pass.abort()
      context.jobs.end(id)
      wake?.()
    },
  }
  function set(
    state: 'running' | 'paused',
    { done, total }: SyncState,
    leftMs: number | null,
  ): void {
    context.jobs.set(
      {
        id,
        kind: 'catalogue-sync',
        accountId,
        title: 'Catalogue',
        state,
        done,
        total,
        leftMs,
      },
      controls,
    )
  }
  const showProgress = createThrottle(context.clock, UPDATES_MS, () => {
    if (!isListing || last === null) return
    const { done, total } = last
    first ??= { at: context.clock.monotonic(), done }
    const rate = (done - first.done) / Math.max(1, msSince(context.clock, first.at))
    set(
      'running',
      last,
      total === null || rate <= 0 ? null : Math.round(Math.max(0, total - done) / rate),
    )
  })
  const showPaused = (): void =>
    set('paused', readSyncState(context.mirrors.database(accountId)), null)

  function resume(): void {
    if (context.jobs.isPaused(id)) context.jobs.setPaused(id, false)
    wake?.()
  }
  signal.addEventListener('abort', () => context.jobs.end(id), { once: true })

  return {
    startPass(kind) {
      pass = new AbortController()
      first = null
      isListing = kind === 'full'
      return pass.signal
    },
    show(state) {
      last = state
      showProgress()
    },
    endPass() {
      isListing = false
      if (context.jobs.isPaused(id) && !signal.aborted) showPaused()
      else context.jobs.end(id)
    },
    wasCanceled() {
      const was = isCanceled
      isCanceled = false
      return was
    },
    untilResumed: (until) =>
      new Promise((resolve) => {
        if (until.aborted || !context.jobs.isPaused(id)) return resolve()
        showPaused()
        const end = (): void => {
          until.removeEventListener('abort', end)
          wake = null
          resolve()
        }
        wake = end
        until.addEventListener('abort', end, { once: true })
      }),
    resume,
  }
}
