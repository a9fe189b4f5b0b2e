import { isDeepStrictEqual } from 'node:util'
import { until } from './dashboard.ts'
import type { Delivery, DashboardClient } from './dashboard.ts'
import { plain } from './receivers.ts'
import type { Received, Receivers } from './receivers.ts'

/** Seconds of the attempts after the first, when each fails immediately. */
const documented = [0, 10, 40, 100, 400, 1300, 3100, 6700, 13_900, 28_300, 49_900, 93_100]

/** A failure within a second counts as immediate. */
const AT_ONCE_MS = 1000

function problemOf(
  delivery: Delivery | undefined,
  received: readonly Received[],
  attempts: number,
): string | null {
  const made = delivery?.attempts ?? []
  const times = made.map(({ at }) => Date.parse(at))
  // On a busy machine an attempt may fail later than immediately: the wait counts from its failure.
  const lateMs = made.map(({ durationMs }) => (durationMs < AT_ONCE_MS ? 0 : durationMs))
  const seconds = times.map(
    (at, index) =>
      (at - (times[0] ?? 0) - lateMs.slice(0, index).reduce((sum, ms) => sum + ms, 0)) / 1000,
  )
  const expected = documented.slice(0, attempts)
  if (!isDeepStrictEqual(seconds, expected))
    return `attempts at ${seconds.join(', ')} s instead of ${expected.join(', ')}`
  if (received.length !== attempts) return `${received.length} of ${attempts} attempts arrived`
  if (new Set(received.map(({ delivery: id }) => id)).size !== 1)
    return 'the attempts have several delivery ids'
  const status = attempts === documented.length ? 'failed' : 'delivered'
  return delivery?.status === status && delivery.nextAttemptAt === null
    ? null
    : `it finished as ${delivery?.status ?? 'nothing'}`
}

/**
 * One receiver that never accepts an event, and others that accept it at their second, third, …
 * attempt, on the service's clock.
 */
export async function schedule(
  desk: DashboardClient,
  receivers: Receivers,
): Promise<{ problems: string[]; attempts: number }> {
  const counts = documented.map((_, index) => index + 1)
  const cases = await Promise.all(
    counts.map(async (attempts) => {
      const receiver = receivers.add(`schedule-${attempts}`, (response, received, socket) =>
        plain(received.arrival === attempts && attempts < documented.length ? 200 : 500)(
          response,
          received,
          socket,
        ),
      )
      const partnerId = await desk.partner(receiver)
      await desk.fire(partnerId)
      await until(
        'a first attempt',
        async () => (await desk.deliveries(partnerId))[0]?.attempts?.length === 1,
      )
      return { attempts, receiver, partnerId }
    }),
  )
  await desk.advance(200_000_000)
  const problems: string[] = []
  for (const { attempts, receiver, partnerId } of cases) {
    const [delivery] = await desk.deliveries(partnerId)
    const problem = problemOf(delivery, receiver.received, attempts)
    if (problem !== null)
      problems.push(`an event that is accepted at attempt ${attempts}: ${problem}`)
  }
  return {
    problems,
    attempts: cases.reduce((sum, { receiver }) => sum + receiver.received.length, 0),
  }
}
