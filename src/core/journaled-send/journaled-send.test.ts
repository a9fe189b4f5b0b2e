import { describe, expect, it } from 'vitest'
import type { Certainty, Retry } from '../certainty/certainty.ts'
import { Failure, failure } from '../failure.ts'
import { resultOf, sendJournaled } from './journaled-send.ts'
import type { SendOutcome, Settled } from './journaled-send.ts'

const { problem } = failure('CONFLICT', 'It failed.', 'Try again.')
const failed = (certainty: Certainty, retry: Retry = 'never'): Failure =>
  new Failure(problem, { certainty, retry })

/** Runs one send and records the order of its steps. */
async function run(options: {
  send: () => Promise<string>
  lookUp?: () => Promise<SendOutcome<string> | null>
  verify?: () => Promise<SendOutcome<string> | null>
  again?: boolean
}): Promise<{ events: string[]; outcome: Settled<string> | Error }> {
  const events: string[] = []
  const outcome = await sendJournaled<string>({
    write: () => void events.push('write'),
    send: () => {
      events.push('send')
      return options.send()
    },
    ...(options.lookUp && {
      lookUp: () => {
        events.push('look up')
        return options.lookUp?.() ?? Promise.reject(new Error('not expected'))
      },
    }),
    ...(options.verify && {
      verify: () => {
        events.push('verify')
        return options.verify?.() ?? Promise.reject(new Error('not expected'))
      },
    }),
    settle: ({ state }) => void events.push(state),
    again: options.again ?? false,
  }).catch((error: Error) => error)
  return { events, outcome }
}

describe('a journaled send', () => {
  it('records the call before it is sent, and its result afterwards', async () => {
    const { events, outcome } = await run({ send: async () => 'order 7' })
    expect(events).toEqual(['write', 'send', 'done'])
    expect(outcome).toEqual({ state: 'done', result: 'order 7', by: 'response' })
  })

  it.each([
    ['not-done', false, 'not-done'],
    ['rejected', false, 'rejected'],
    ['unknown', false, 'unknown'],
    ['not-done', true, 'unknown'],
    ['rejected', true, 'rejected'],
    ['unknown', true, 'unknown'],
  ] as const)(
    'settles a failure that is %s (repeated: %s) as %s',
    async (certainty, again, state) => {
      const failure = failed(certainty)
      const { events, outcome } = await run({ again, send: () => Promise.reject(failure) })
      expect(events).toEqual(['write', 'send', state])
      expect(outcome).toMatchObject({
        state,
        failure: { problem, certainty: state },
        by: 'response',
      })
    },
  )

  it('asks before a repeated call is sent again, because the first try is unknown', async () => {
    const { outcome } = await run({
      again: true,
      send: () => Promise.reject(failed('not-done', 'wait')),
    })
    expect(outcome).toMatchObject({ failure: { certainty: 'unknown', retry: 'ask' } })
  })

  it('treats a call as a first try that its caller records, if nothing else is given', async () => {
    const failure = failed('not-done', 'wait')
    expect(await sendJournaled({ send: async () => 'order 7' })).toEqual({
      state: 'done',
      result: 'order 7',
      by: 'response',
    })
    expect(await sendJournaled({ send: () => Promise.reject(failure) })).toEqual({
      state: 'not-done',
      failure,
      by: 'response',
    })
  })

  it('looks up an unknown outcome once, after recording it as unknown', async () => {
    const { events, outcome } = await run({
      send: () => Promise.reject(failed('unknown')),
      lookUp: async () => ({ state: 'done', result: 'order 7' }),
    })
    expect(events).toEqual(['write', 'send', 'unknown', 'look up', 'done'])
    expect(outcome).toEqual({ state: 'done', result: 'order 7', by: 'lookup' })
  })

  it('keeps the outcome unknown when the lookup fails too', async () => {
    const [lost, lookUpFailure] = [failed('unknown'), failed('not-done', 'wait')]
    const { events, outcome } = await run({
      send: () => Promise.reject(lost),
      lookUp: () => Promise.reject(lookUpFailure),
    })
    expect(events).toEqual(['write', 'send', 'unknown', 'look up'])
    expect(outcome).toEqual({ state: 'unknown', failure: lost, by: 'response', lookUpFailure })
  })

  it('keeps the outcome unknown when the lookup can’t tell', async () => {
    const lost = failed('unknown')
    const { events, outcome } = await run({
      send: () => Promise.reject(lost),
      lookUp: async () => null,
    })
    expect(events).toEqual(['write', 'send', 'unknown', 'look up'])
    expect(outcome).toEqual({ state: 'unknown', failure: lost, by: 'response' })
  })

  it.each(['not-done', 'rejected'] as const)(
    'looks up nothing for a failure that is %s',
    async (certainty) => {
      const { events } = await run({
        send: () => Promise.reject(failed(certainty)),
        lookUp: () => Promise.reject(new Error('not expected')),
      })
      expect(events).toEqual(['write', 'send', certainty])
    },
  )

  it('settles a rejection after the service confirmed it, and as unknown until then', async () => {
    const failure = failed('rejected')
    const { events, outcome } = await run({
      send: () => Promise.reject(failure),
      verify: async () => null,
    })
    expect(events).toEqual(['write', 'send', 'unknown', 'verify', 'rejected'])
    expect(outcome).toEqual({ state: 'rejected', failure, by: 'response' })
  })

  it('believes what the service has, not a rejection of a call that was carried out', async () => {
    const { events, outcome } = await run({
      send: () => Promise.reject(failed('rejected')),
      verify: async () => ({ state: 'done', result: 'order 7' }),
    })
    expect(events).toEqual(['write', 'send', 'unknown', 'verify', 'done'])
    expect(outcome).toEqual({ state: 'done', result: 'order 7', by: 'lookup' })
  })

  it('keeps the outcome unknown when a rejection can’t be verified', async () => {
    const lookUpFailure = failed('not-done', 'wait')
    const { events, outcome } = await run({
      send: () => Promise.reject(failed('rejected')),
      verify: () => Promise.reject(lookUpFailure),
    })
    expect(events).toEqual(['write', 'send', 'unknown', 'verify'])
    expect(outcome).toMatchObject({
      state: 'unknown',
      failure: { problem, certainty: 'unknown', retry: 'ask' },
      lookUpFailure,
    })
  })

  it.each(['not-done', 'unknown'] as const)('verifies no failure that is %s', async (certainty) => {
    const { events } = await run({
      send: () => Promise.reject(failed(certainty)),
      verify: () => Promise.reject(new Error('not expected')),
    })
    expect(events).toEqual(['write', 'send', certainty])
  })

  it('leaves the journal open for a defect, which rejects', async () => {
    const { events, outcome } = await run({ send: () => Promise.reject(new TypeError('defect')) })
    expect(events).toEqual(['write', 'send'])
    expect(outcome).toEqual(new TypeError('defect'))
  })

  it('sends nothing when the call can’t be recorded', async () => {
    const refusal = new Error('refused before sending')
    let isSent = false
    const sending = sendJournaled({
      write: () => {
        throw refusal
      },
      send: async () => void (isSent = true),
    })
    await expect(sending).rejects.toBe(refusal)
    expect(isSent).toBe(false)
  })

  it('never takes a failure to record the outcome for a failure of the call', async () => {
    const states: string[] = []
    const sending = sendJournaled({
      send: async () => 'keys',
      settle: ({ state }) => {
        states.push(state)
        throw failed('not-done')
      },
    })
    await expect(sending).rejects.toThrow(Failure)
    expect(states).toEqual(['done'])
  })

  it('returns the result of a done call, and throws the failure of any other', () => {
    const failure = failed('unknown')
    expect(resultOf({ state: 'done', result: 'order 7' })).toBe('order 7')
    expect(() => resultOf({ state: 'unknown', failure })).toThrow(failure)
  })
})
