import { expect, it } from 'vitest'
import { failure } from '../../failure.ts'
import { problemOfFailure } from '../../testing/failures.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { recordedSecurity } from '../testing/recorded-security.ts'
import { createAttempts } from './attempts.ts'

/** The limit on guesses, without a console, after this many wrong passphrases. */
function attemptsAfter(wrong: number) {
  const stored = { wrong }
  const clock = manualClock()
  const { log, entries, notices } = recordedSecurity()
  const attempts = createAttempts({
    store: { read: () => stored.wrong, write: (next) => void (stored.wrong = next) },
    clock,
    log,
  })
  return { attempts, stored, clock, entries, notices }
}
const wrongPassphrase = async (): Promise<never> => {
  throw failure('WRONG_PASSPHRASE', 'Wrong.', 'Enter it again.')
}

it.each([
  [3, 0, '5 seconds', 5000],
  [3, 3000.5, '2 seconds', 2000],
  [3, 4000, '1 second', 1000],
  [3, 4999, '1 second', 1],
  [8, 61_000, '99 seconds', 99_000],
  [8, 60_000, '2 minutes', 100_000],
  [8, 0, '3 minutes', 160_000],
  [50, 0, '15 minutes', 900_000],
])(
  'after %i wrong passphrases and %f ms, says that the next one is accepted in %s',
  async (wrong, passedMs, text, retryAfterMs) => {
    const { attempts, clock } = attemptsAfter(wrong)
    clock.advance(passedMs)
    const rejected = attempts.run(async () => expect.unreachable('the passphrase was checked'))
    expect(await problemOfFailure(rejected)).toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      what: 'Too many wrong passphrases were entered.',
      effect: 'The passphrase wasn’t checked.',
      next: `Keydesk accepts the next one in ${text}.`,
      retryAfterMs,
    })
  },
)

it('counts a guess before it is checked, and takes it back if the check failed for another reason', async () => {
  const { attempts, stored, entries, notices } = attemptsAfter(2)
  const failed = attempts.run(async () => {
    expect(stored.wrong).toBe(3)
    throw new Error('the disk is full')
  })
  await expect(failed).rejects.toThrow('the disk is full')
  expect(stored.wrong).toBe(2)
  expect([...entries, ...notices]).toEqual([])
  await expect(attempts.run(async () => 'right')).resolves.toBe('right')
})

it('records every wrong passphrase, and notifies people from the third in a row', async () => {
  const { attempts, entries, notices } = attemptsAfter(0)
  await problemOfFailure(attempts.run(wrongPassphrase))
  await problemOfFailure(attempts.run(wrongPassphrase))
  expect(entries).toEqual([
    'Wrong passphrase | 1 wrong passphrase in a row | failed | WRONG_PASSPHRASE',
    'Wrong passphrase | 2 wrong passphrases in a row | failed | WRONG_PASSPHRASE',
  ])
  expect(notices).toEqual([])
  await problemOfFailure(attempts.run(wrongPassphrase))
  expect(notices).toEqual([
    expect.stringMatching(
      /^3 wrong passphrases in a row \| If that wasn’t you, .* \| \/settings\/security$/s,
    ),
  ])
})
