import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { MINUTE_MS } from '../../../../server/api/time.ts'
import { later, msUntil } from '../../clock.ts'
import type { Clock } from '../../clock.ts'
import { failure, isFailure } from '../../failure.ts'
import type { createAttemptStore } from '../store.ts'
import type { SecurityLog } from './security-log.ts'

/** Wrong passphrases that cost no waiting: a person mistypes. */
const FREE = 3
const FIRST_WAIT_MS = 5000
const LONGEST_WAIT_MS = 15 * MINUTE_MS

/** How long the next passphrase has to wait after this many wrong ones in a row. */
const waitAfter = (wrong: number): number =>
  wrong < FREE ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(20, wrong - FREE))

type Parts = {
  store: ReturnType<typeof createAttemptStore>
  clock: Pick<Clock, 'monotonic'>
  log: SecurityLog
}

/**
 * Limits how fast passphrases can be guessed, for everything that asks for one. The count is stored
 * before each check, so that killing Keydesk gives no free guess. Waits use the monotonic clock and
 * start again with the process: neither the computer's clock nor a restart shortens one.
 */
export function createAttempts({ store, clock, log }: Parts) {
  let until = later(clock.monotonic(), waitAfter(store.read()))
  /** Checks run one at a time; otherwise parallel ones would all pass before the first fails. */
  let last: Promise<unknown> = Promise.resolve()

  async function check<Result>(verify: () => Promise<Result>): Promise<Result> {
    requireTurn()
    const before = store.read()
    store.write(before + 1)
    try {
      const result = await verify()
      store.write(0)
      if (before > 0) log.note(localized('vault.right-passphrase'), wrongOnes(before))
      return result
    } catch (error) {
      if (!isFailure(error, 'WRONG_PASSPHRASE')) store.write(before)
      else {
        until = later(clock.monotonic(), waitAfter(before + 1))
        recordWrong(log, before + 1)
      }
      throw error
    }
  }
  /** Throws Failure `TOO_MANY_ATTEMPTS` with the remaining time. */
  function requireTurn(): void {
    const left = msUntil(clock, until)
    if (left <= 0) return
    throw failure(
      'TOO_MANY_ATTEMPTS',
      'Too many wrong passphrases were entered.',
      `Keydesk accepts the next one in ${waitText(left)}.`,
      { effect: 'The passphrase wasn’t checked.', retryAfterMs: Math.ceil(left) },
    )
  }
  return {
    /**
     * Checks a passphrase. Passes on the failure of `verify`, or throws `TOO_MANY_ATTEMPTS`
     * without calling it.
     */
    run<Result>(verify: () => Promise<Result>): Promise<Result> {
      const turn = last.then(() => check(verify))
      last = turn.catch(() => {})
      return turn
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>

const wrongOnes = (wrong: number): Localized => localized('vault.wrong-in-a-row', { wrong })

/** Every wrong passphrase is an entry of the activity; a series of them is also a notice. */
function recordWrong(log: SecurityLog, wrong: number): void {
  log.note(localized('vault.wrong-passphrase'), wrongOnes(wrong), 'failed', 'WRONG_PASSPHRASE')
  if (waitAfter(wrong) > 0)
    log.alert(
      localized('vault.wrong-passphrases', { wrong }),
      localized('vault.wrong-passphrases-wait'),
    )
}

function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
