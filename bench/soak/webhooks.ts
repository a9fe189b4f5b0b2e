import { seeded } from '../../e2e/support/seeded.ts'
import { testResponses } from './webhooks/responses.ts'
import { changes } from './webhooks/changes.ts'
import { openDashboard } from './webhooks/dashboard.ts'
import { testIsolation } from './webhooks/isolation.ts'
import { startReceivers } from './webhooks/receivers.ts'
import { schedule } from './webhooks/schedule.ts'
import { runStormRound } from './webhooks/storm.ts'

/**
 * A round is a storm of events with one SIGKILL in it; the other scenarios run once, before them.
 */
export const defaultRounds = 25

/** `seconds`: includes the receivers that take the service's 8 seconds of real time. */
type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  events?: number
  dead?: number
  seconds?: boolean
}
export type WebhookSoak = {
  lost: number
  twice: number
  wrong: number
  events: number
  attempts: number
  kills: number
  cutAttempts: number
  answers: number
  verified: number
  dead: number
  aloneMs: number
  besideDeadMs: number
}

/**
 * Webhooks of the real service to real receivers: the schedule of attempts by the service's clock,
 * every kind of response, dead receivers next to a working one, addresses that change, and storms
 * of events with a SIGKILL in the middle of attempts. Every signature must be accepted by the
 * stripe package's verifier and by the one that our pages show. `lost`: acknowledged and never
 * sent; `twice`: sent as two events, or accepted twice without a kill in between; `wrong`:
 * everything else.
 */
export default async function soakWebhooks({
  rounds,
  seed,
  log,
  events = 120,
  dead = 24,
  seconds = true,
}: Options): Promise<WebhookSoak> {
  const receivers = await startReceivers()
  const desk = await openDashboard()
  const below = seeded(seed)
  const problems: string[] = []
  const sum = { lost: 0, twice: 0, events: 0, attempts: 0, kills: 0, cutAttempts: 0 }
  try {
    const answered = await testResponses(desk, receivers, { seconds })
    problems.push(...answered.problems)
    log(`${answered.answers} kinds of responses: ${answered.problems.length} wrong`)
    const beside = await testIsolation(desk, receivers, { dead, events: 40 })
    problems.push(...beside.problems)
    log(
      `an event arrives after ${beside.aloneMs} ms, next to ${dead} dead receivers after ` +
        `${beside.besideDeadMs} ms: ${beside.problems.length} wrong`,
    )
    const scheduled = await schedule(desk, receivers)
    problems.push(...scheduled.problems)
    log(`${scheduled.attempts} attempts on schedule: ${scheduled.problems.length} wrong`)
    const changed = await changes(desk, receivers)
    problems.push(...changed.problems)
    for (let round = 1; round <= rounds; round += 1) {
      const storm = await runStormRound(desk, receivers, { round, seed, events, below })
      problems.push(...storm.problems)
      sum.lost += storm.lost
      sum.twice += storm.twice
      sum.events += storm.events
      sum.attempts += storm.attempts
      sum.kills += storm.kills
      sum.cutAttempts += storm.cut
      log(
        `round ${round}: ${sum.events} events in ${sum.attempts} attempts, ${sum.kills} ` +
          `kills that interrupted ${sum.cutAttempts}; lost ${sum.lost}, twice ${sum.twice}, ` +
          `wrong ${problems.length + receivers.problems.length}`,
      )
    }
    problems.push(...receivers.problems)
    for (const problem of problems) log(`wrong: ${problem}`)
    return {
      ...sum,
      wrong: problems.length,
      answers: answered.answers,
      verified: receivers.verified(),
      dead,
      aloneMs: beside.aloneMs,
      besideDeadMs: beside.besideDeadMs,
    }
  } finally {
    await desk.stop()
    await receivers.close()
  }
}
