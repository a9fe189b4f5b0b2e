import type { Job } from '../../../contract/app/app.ts'
import type { LockReason } from '../../../contract/app/vault.ts'
import type { Power } from '../../../platform/power.ts'
import { later, msUntil } from '../../clock.ts'
import type { Clock } from '../../clock.ts'
import { MINUTE_MS } from '../../../../server/api/time.ts'

type Parts = {
  clock: Clock
  power: Power | undefined
  /** Minutes of inactivity after which the vault locks; 0 for never. */
  minutes: () => number
  jobs: () => readonly Job[]
  isOpen: () => boolean
  lock: (by: LockReason) => void
}

/**
 * Locks the vault when the console hasn't been used for a while, and immediately when the computer
 * sleeps or its screen is locked. Running work with keys (an import being checked or uploaded)
 * postpones the lock by time. Sleep and the screen's lock don't wait for such work: it resumes when
 * the vault is opened.
 */
export function createLocking({ clock, power, minutes, jobs, isOpen, lock }: Parts) {
  let usedAt = clock.monotonic()
  let cancel = (): void => {}

  function check(): void {
    cancel()
    const after = minutes() * MINUTE_MS
    if (after === 0) return void (cancel = clock.after(MINUTE_MS, check))
    if (
      jobs().some(
        ({ kind, state }) => (kind === 'key-import' || kind === 'key-check') && state === 'running',
      )
    )
      usedAt = clock.monotonic()
    const left = msUntil(clock, later(usedAt, after))
    if (left > 0) return void (cancel = clock.after(Math.min(left, MINUTE_MS), check))
    if (isOpen()) lock('time')
    cancel = clock.after(MINUTE_MS, check)
  }
  const stopListening =
    power?.onRest((why) => {
      if (isOpen()) lock(why)
    }) ?? ((): void => {})

  return {
    start: check,
    /** The console was used or the vault was opened. */
    reportUse(): void {
      usedAt = clock.monotonic()
    },
    stop(): void {
      cancel()
      stopListening()
    },
  }
}
