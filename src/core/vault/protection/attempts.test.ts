import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { missingKeychain } from '../../testing/keychains.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'

const passphrase = 'quartz lantern meadow violin'
const MINUTE_MS = 60_000

let folder: ReturnType<typeof temporaryFolder>
let clock: ManualClock
let harness: TestCore

const start = (): Promise<TestCore> =>
  startTestCore(folder.path, missingKeychain(), {
    clock,
    passphraseCost: { N: 2 ** 10, r: 8, p: 1 },
  })
const guess = async (text = 'a guess'): Promise<string> =>
  (await problemOf(harness.ask.vault.unlock({ passphrase: text }))).code
async function guesses(count: number): Promise<string[]> {
  const codes: string[] = []
  for (let left = count; left > 0; left -= 1) codes.push(await guess())
  return codes
}
const countOf = (codes: readonly string[], code: string): number =>
  codes.filter((each) => each === code).length

beforeEach(async () => {
  folder = temporaryFolder()
  clock = manualClock()
  harness = await start()
  await harness.ask.vault.choosePassphrase({ passphrase })
  await harness.ask.vault.lock()
})
afterEach(async () => {
  await harness.close()
  folder.remove()
})

describe('an attack that guesses the passphrase', () => {
  it('checks three guesses in a row, then makes the next ones wait', async () => {
    const codes = await guesses(50)
    expect(countOf(codes, 'WRONG_PASSPHRASE')).toBe(3)
    expect(countOf(codes, 'TOO_MANY_ATTEMPTS')).toBe(47)
  })

  it('doubles the wait up to a quarter of an hour', async () => {
    await guesses(3)
    const waits: number[] = []
    for (let round = 0; round < 10; round += 1) {
      const { retryAfterMs } = await problemOf(harness.ask.vault.unlock({ passphrase: 'a guess' }))
      waits.push((retryAfterMs ?? 0) / 1000)
      clock.advance(retryAfterMs ?? 0)
      expect(await guess()).toBe('WRONG_PASSPHRASE')
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  })

  it('gains nothing by guessing in parallel', async () => {
    const codes = await Promise.all(Array.from({ length: 30 }, () => guess()))
    expect(countOf(codes, 'WRONG_PASSPHRASE')).toBe(3)
  })

  it('gains nothing by setting the computer’s clock', async () => {
    await guesses(3)
    clock.setBy(365 * 24 * 60 * MINUTE_MS)
    expect(await guess()).toBe('TOO_MANY_ATTEMPTS')
  })

  it('gains nothing by restarting Keydesk', async () => {
    await guesses(3)
    for (let round = 0; round < 3; round += 1) {
      await harness.close()
      harness = await start()
      expect(await guess()).toBe('TOO_MANY_ATTEMPTS')
    }
  })

  it('can’t use another action that asks for the passphrase', async () => {
    await harness.ask.vault.unlock({ passphrase })
    const attempts = [
      () => harness.ask.vault.rekey({ passphrase: 'a guess' }),
      () => harness.ask.vault.recoveryCopy({ passphrase: 'a guess', wrapWith: passphrase }),
      () =>
        harness.ask.vault.changeProtection({
          passphrase: 'a guess',
          as: { kept: 'passphrase', passphrase },
        }),
    ]
    const codes: string[] = []
    for (let round = 0; round < 9; round += 1)
      codes.push((await problemOf(attempts[round % 3]?.() ?? Promise.resolve())).code)
    expect(countOf(codes, 'WRONG_PASSPHRASE')).toBe(3)
  })

  it('is recorded guess by guess, and reported as a notice that can’t be turned off', async () => {
    await guesses(5)
    const { rows } = await harness.ask.activity.list({ query: 'wrong' })
    expect(
      rows.map(({ detail, outcome }) => [detail === null ? '' : formatMessage(detail), outcome]),
    ).toEqual([
      ['3 wrong passphrases in a row', 'failed'],
      ['2 wrong passphrases in a row', 'failed'],
      ['1 wrong passphrase in a row', 'failed'],
    ])
    const [notice] = await harness.ask.notices.list()
    expect(notice).toMatchObject({ kind: 'security', accountId: null, seen: false })
    expect(notice && formatMessage(notice.title)).toBe('3 wrong passphrases in a row')
    const muted = await problemOf(
      harness.ask.app.changeSettings({ quietNotices: ['security'] } as never),
    )
    expect(muted.code).toBe('INVALID_INPUT')
  })
})

it('opens with the right passphrase after the wait, forgets the wrong ones and records them', async () => {
  await guesses(3)
  expect(await guess(passphrase)).toBe('TOO_MANY_ATTEMPTS')
  clock.advance(5000)
  expect(await harness.ask.vault.unlock({ passphrase })).toMatchObject({ state: 'open' })
  expect(await guesses(3)).toEqual(Array(3).fill('WRONG_PASSPHRASE'))
  const { rows } = await harness.ask.activity.list({ query: 'right passphrase' })
  expect(rows).toMatchObject([{ detail: { values: { wrong: 3 } } }])
})

it('doesn’t count a check that failed for another reason', async () => {
  const { rows } = await harness.ask.activity.list({ query: 'wrong' })
  expect(rows).toEqual([])
  await harness.ask.vault.unlock({ passphrase })
  const problem = await problemOf(
    harness.ask.vault.changeProtection({ passphrase, as: { kept: 'keychain' } }),
  )
  expect(problem.code).toBe('KEYCHAIN_MISSING')
  expect(await guesses(4)).toEqual([...Array(3).fill('WRONG_PASSPHRASE'), 'TOO_MANY_ATTEMPTS'])
})
