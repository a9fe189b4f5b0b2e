import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { seeded } from '../../e2e/support/seeded.ts'
import { violatedInvariant } from '../../src/core/price-watch/rules/testing/checks.ts'
import { simulateRivalry, rivals } from '../../src/core/price-watch/rules/testing/rivalry.ts'
import { anyRule, anySituation } from '../../src/core/price-watch/rules/testing/situations.ts'
import { startTestBackend } from '../../src/core/testing/backend.ts'
import { startConsole } from './support/console-process.ts'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { ConsoleOptions, Said } from './reprice/console.ts'
import { openShop } from './reprice/shop.ts'

export const defaultRounds = 12

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  offers?: number
  killsARound?: number
  situations?: number
  rivalries?: number
}
export type RepriceSoak = {
  lost: number
  twice: number
  wrong: number
  situations: number
  rivalries: number
  kills: number
  midway: number
  lostAnswers: number
  applied: number
}

const consoleFile = path.join(import.meta.dirname, 'reprice', 'console.ts')

type Ending = { proposed: string[]; applied: Record<string, number> } | null
type Ran = { ending: Ending; killed: boolean; midway: boolean; lostAnswers: number }

/**
 * Runs one console. `killAt`: SIGKILL after a number of sent prices and a delay in milliseconds;
 * null: it can finish. `sent` counts the requests that reached the service, by offer.
 */
async function runConsole(
  options: ConsoleOptions,
  proxy: FaultyProxy,
  sent: Map<string, number>,
  fault: () => boolean,
  killAt: { prices: number; delayMs: number } | null,
): Promise<Ran> {
  const running = startConsole<Said>(consoleFile, options)
  let prices = 0
  let lostAnswers = 0
  let stage = ''
  const strike = (): void => running.kill(killAt?.delayMs)
  proxy.decide = (method, where) => {
    const offerId = /\/offers\/([^/?]+)$/.exec(where)?.[1]
    if (method !== 'PATCH' || offerId === undefined) return 'pass'
    prices += 1
    if (killAt !== null && prices === killAt.prices) strike()
    if (fault()) {
      lostAnswers += 1
      if (lostAnswers % 3 === 0) return 'cut'
      sent.set(offerId, (sent.get(offerId) ?? 0) + 1)
      return 'lose-answer'
    }
    sent.set(offerId, (sent.get(offerId) ?? 0) + 1)
    return 'pass'
  }
  let ending: Ending = null
  for await (const said of running.said) {
    if ('proposed' in said) ending = said
    else stage = said.at
  }
  const killed = await running.killed()
  return {
    ending,
    killed,
    midway: killed && stage === 'sending',
    lostAnswers,
  }
}

/**
 * Decides random situations and simulates random rules against rivals; returns how many violate an
 * invariant.
 */
function decideMany(
  seed: number,
  situations: number,
  rivalries: number,
  log: (text: string) => void,
): number {
  let wrong = 0
  const failed = fc.check(
    fc.property(anySituation, (situation) => violatedInvariant(situation) === null),
    { numRuns: situations, seed, endOnFailure: true },
  )
  if (failed.failed) {
    wrong += 1
    log(
      `a decision violates an invariant: ${JSON.stringify(failed.counterexample?.[0])}: ` +
        `${failed.counterexample === null ? '' : (violatedInvariant(failed.counterexample[0]) ?? '')}`,
    )
  }
  const below = seeded(seed)
  for (const rule of fc.sample(anyRule, { numRuns: rivalries, seed })) {
    const rival = rivals[below(rivals.length)] ?? 'undercutter'
    const { most24h, mostInWar, broken } = simulateRivalry(
      rule,
      rival,
      () => below(2 ** 30) / 2 ** 30,
    )
    if (broken === null && most24h <= rule.changesADay && mostInWar <= rule.war.changes) continue
    wrong += 1
    log(
      `against ${rival}: ${broken ?? `${most24h} changes in a day, ${mostInWar} in a war`}: ${JSON.stringify(rule)}`,
    )
  }
  return wrong
}

/**
 * Decisions in random situations, rules against rivals, and approved prices sent by a real core
 * process that is killed at random, behind a proxy that loses responses. At the end each price must
 * have been sent once and be on the service, or still be proposed. `lost`: neither; `twice`: sent
 * more than once; `wrong`: another price, a decision that breaks a limit, or a log that disagrees.
 */
export default async function soakReprice({
  rounds,
  seed,
  log,
  offers = 500,
  killsARound = 3,
  situations = 200_000,
  rivalries = 3000,
}: Options): Promise<RepriceSoak> {
  const below = seeded(seed)
  const result: RepriceSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    situations,
    rivalries,
    kills: 0,
    midway: 0,
    lostAnswers: 0,
    applied: 0,
  }
  result.wrong += decideMany(seed, situations, rivalries, log)
  log(`${situations} situations and ${rivalries} rivalries: ${result.wrong} wrong`)
  const backend = await startTestBackend({ seed: 'empty', noLimits: true })
  const proxy = await startFaultyProxy(backend.ready.baseUrl)
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-reprice-'))
  try {
    const shop = await openShop(backend, offers)
    const options = {
      dataDir: path.join(folder, 'data'),
      keychainFile: path.join(folder, 'keychain.json'),
      baseUrl: proxy.baseUrl,
      key: shop.sellerKey,
      offers,
    }
    let appliedBefore: Record<string, number> = {}
    for (let round = 1; round <= rounds; round += 1) {
      await shop.undercut()
      const before = await shop.prices()
      const sent = new Map<string, number>()
      const fault = (): boolean => below(100) < 4
      let ending: Ending = null
      for (let kill = 0; kill <= killsARound && ending === null; kill += 1) {
        const killAt =
          kill === killsARound
            ? null
            : { prices: 1 + below(Math.ceil(offers / killsARound)), delayMs: below(30) }
        const ran = await runConsole(
          { ...options, approve: kill === 0 },
          proxy,
          sent,
          fault,
          killAt,
        )
        result.kills += Number(ran.killed)
        result.midway += Number(ran.midway)
        result.lostAnswers += ran.lostAnswers
        ending = ran.ending
      }
      if (ending === null) throw new Error('the sending did not finish')
      const { proposed, applied } = ending
      const after = await shop.prices()
      for (const offerId of shop.offers.keys()) {
        const times = sent.get(offerId) ?? 0
        const told = (applied[offerId] ?? 0) - (appliedBefore[offerId] ?? 0)
        const changed = after.get(offerId) !== before.get(offerId)
        result.applied += Number(changed)
        if (!changed && !proposed.includes(offerId)) result.lost += 1
        if (times > 1 || told > 1) result.twice += 1
        if (
          changed !== (told === 1) ||
          (changed && (after.get(offerId) ?? 0) >= (before.get(offerId) ?? 0))
        )
          result.wrong += 1
      }
      appliedBefore = applied
      log(
        `round ${round}: ${result.kills} kills so far (${result.midway} while sending), ` +
          `${result.lostAnswers} responses lost, ${result.applied} prices applied; lost ` +
          `${result.lost}, twice ${result.twice}, wrong ${result.wrong}`,
      )
    }
  } finally {
    await proxy.close()
    await backend.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return result
}
