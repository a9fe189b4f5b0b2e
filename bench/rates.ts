import { systemClock } from '../src/core/clock.ts'
import type { ActivityEntry } from '../src/contract/app/app.ts'
import { formatMessage } from '../src/contract/localization/localized.ts'
import { systemRandomness } from '../src/core/randomness.ts'
import { createServiceClient, serviceRates } from '../src/core/service-client/service-client.ts'
import { startTestBackend } from '../src/core/testing/backend.ts'

type Figures = {
  seconds: number
  sent: number
  allowed: number
  percent: number
  refused: number
  persons: number
  longestWaitMs: number
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
/**
 * A sync reads page after page; two sellers' pages also keep the connection busy on a slow network.
 */
const readers = 3
const personEveryMs = 2500

/**
 * A full sync at the service's real rates for five minutes, after one minute to fill the windows,
 * while a person sends a request every few seconds: how much of the allowed rate was used, how
 * often the service rejected a request, and how long the person waited for a slot in the schedule.
 */
export default async function benchRates({
  log,
  seconds = 300,
  fillMs = serviceRates.minute.perMs,
}: {
  log: (text: string) => void
  seconds?: number
  /** How long the windows of the rates are filled before the measurement. */
  fillMs?: number
}): Promise<Figures> {
  const backend = await startTestBackend({ products: 1000 })
  const entries: Omit<ActivityEntry, 'id' | 'at'>[] = []
  try {
    const { baseUrl, demo } = backend.ready
    const key = demo?.partnerLiveKey ?? ''
    const line = createServiceClient({
      clock: systemClock,
      random: systemRandomness,
      rates: serviceRates,
      activity: { add: (entry) => void entries.push(entry) },
    }).connect({
      accountId: 'a',
      baseUrl: () => baseUrl,
      credentials: () => ({ key, baseUrl }),
      takesIdempotencyKeys: () => true,
      refusal: () => null,
      refused: () => {},
      accepted: () => {},
      dated: () => {},
      changed: () => {},
      probe: async () => {},
    })
    let going = true
    const reading = Array.from({ length: readers }, async () => {
      while (going)
        await line
          .call('listProducts', { query: { limit: 1 } }, { priority: 'background' })
          .catch(() => pause(100))
    })
    log(`${fillMs / 1000} s to fill the windows`)
    await pause(fillMs)
    const before = entries.length
    const waits: number[] = []
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(personEveryMs)) {
      const asked = performance.now()
      await line.call('getBalance', {}, { priority: 'person' })
      const answered = entries.findLast(({ what }) => formatMessage(what) === 'GET /balance')
      waits.push(Math.max(0, Math.round(performance.now() - asked - (answered?.durationMs ?? 0))))
    }
    const measured = entries.slice(before)
    going = false
    line.close()
    await Promise.all(reading)
    const allowed = (seconds / 60) * serviceRates.minute.max
    const refused = entries.filter(({ status }) => status === 429).length
    const figures = {
      seconds,
      sent: measured.length,
      allowed,
      percent: Math.round((measured.length / allowed) * 1000) / 10,
      refused,
      persons: waits.length,
      longestWaitMs: Math.max(...waits),
    }
    log(
      `${figures.sent} of ${allowed} requests (${figures.percent} %), ${refused} rejected ` +
        `by rate; a person waited at most ${figures.longestWaitMs} ms, in ${waits.length} ` +
        'requests',
    )
    return figures
  } finally {
    await backend.stop()
  }
}
