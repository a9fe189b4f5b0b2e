import { reachCrashPoint } from '../crash-points.ts'
import type { Clock, MachineClock } from '../ports/environment.ts'
import type { SettingsRepository } from '../ports/repositories.ts'

/** The computer's time plus an offset that survives restarts. Only a reset moves it back. */
export interface ServiceClock extends Clock {
  offset(): number
  /**
   * Moves the clock forward so that it shows `at` now, with an offset of at least `offset`. Never
   * moves it back.
   */
  moveTo(at: number, offset?: number): void
  /** Reads the offset again after the database was emptied or replaced. */
  reload(): void
}

const setting = 'clock_offset_ms'

export function createServiceClock(
  machine: MachineClock,
  settings: SettingsRepository,
): ServiceClock {
  const stored = () => Number(settings.get(setting) ?? '0')
  let offset = stored()

  return {
    now: () => machine.now() + offset,
    offset: () => offset,
    moveTo(at, least = 0) {
      const needed = Math.max(at - machine.now(), least)
      if (needed <= offset) return
      settings.set(setting, String(needed))
      offset = needed
      reachCrashPoint('clock.moved')
    },
    reload() {
      offset = stored()
    },
  }
}
