import { passing } from './moments.ts'
import type { Clock, MachineClock } from './ports/environment.ts'
import type { SettingsRepository } from './ports/store.ts'

/** The machine's time plus an offset that survives restarts; only a reset moves it back. */
export interface ServiceClock extends Clock {
  offset(): number
  /** Moves the clock forward so that it shows `at` now; does nothing when it is later already. */
  moveTo(at: number): void
  /** Reads the offset again, after the database was emptied or replaced. */
  reload(): void
}

const setting = 'clock_offset_ms'

export function createServiceClock(machine: MachineClock, settings: SettingsRepository): ServiceClock {
  const stored = () => Number(settings.get(setting) ?? '0')
  let offset = stored()
  return {
    now: () => machine.now() + offset,
    offset: () => offset,
    moveTo(at) {
      const needed = at - machine.now()
      if (needed <= offset) return
      settings.set(setting, String(needed))
      offset = needed
      passing('clock.moved')
    },
    reload() {
      offset = stored()
    },
  }
}
