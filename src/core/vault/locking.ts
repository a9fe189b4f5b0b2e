import type { Job } from '../../contract/app.ts'
import type { LockReason } from '../../contract/vault.ts'
import type { Power } from '../../platform/power.ts'
import type { Clock } from '../clock.ts'

const MINUTE_MS = 60_000

type Parts = {
  clock: Clock
  power: Power | undefined
  /** After how many minutes without use the vault locks; 0 for never. */
  minutes: () => number
  jobs: () => readonly Job[]
  isOpen: () => boolean
  lock: (by: LockReason) => void
}

/**
 * Locks the vault when nobody has used the console for a while, and at once when the machine sleeps
 * or its screen is locked. Work with keys that runs (an import being checked or uploaded) puts the
 * time off; sleep and the screen's lock don't wait for it: it goes on when the vault is opened.
 */
export function createLocking({ clock, power, minutes, jobs, isOpen, lock }: Parts) {
  let usedAt = clock.now()
  let cancel = (): void => {}

  function look(): void {
    cancel()
    const after = minutes() * MINUTE_MS
    if (after === 0) return void (cancel = clock.after(MINUTE_MS, look))
    if (
      jobs().some(
        ({ kind, state }) => (kind === 'key-import' || kind === 'key-check') && state === 'running',
      )
    )
      usedAt = clock.now()
    const left = usedAt + after - clock.now()
    if (left > 0) return void (cancel = clock.after(Math.min(left, MINUTE_MS), look))
    if (isOpen()) lock('time')
    cancel = clock.after(MINUTE_MS, look)
  }
  const stopListening =
    power?.onRest((why) => {
      if (isOpen()) lock(why)
    }) ?? ((): void => {})

  return {
    begin: look,
    /** Somebody used the console, or opened the vault. */
    used(): void {
      usedAt = clock.now()
    },
    end(): void {
      cancel()
      stopListening()
    },
  }
}
