import path from 'node:path'
import { claimAll } from '../../e2e/support/disputes.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { startTestBackend } from '../../src/core/testing/backend.ts'
import { temporaryFolder } from '../../src/core/testing/context.ts'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { ConsoleOptions, Said, Seen } from './disputes/console.ts'
import { startConsole } from './support/console-process.ts'
import { serviceAccess } from './support/service-access.ts'

/** With eight kills in each round: 160. */
export const defaultRounds = 20
/** Number of rounds at the same time; most of their time they wait. */
const AT_ONCE = 4

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  killsARound?: number
  claims?: number
}
export type DisputesSoak = {
  lost: number
  twice: number
  wrong: number
  kills: number
  answers: number
  settled: number
  lostAnswers: number
}
type There = {
  id: string
  status: string
  resolution: { type: string } | null
  messages: { author: string; body: string }[]
}

const consoleFile = path.join(import.meta.dirname, 'disputes', 'console.ts')
/** An action takes some tens of milliseconds; a delay in this range can hit any point in it. */
const MOST_MS_AFTER = 150

/**
 * Runs one console. `life`: it is killed a number of milliseconds after it started a number of
 * actions, however busy the machine is; null: it finishes.
 */
async function live(
  options: ConsoleOptions,
  lifetime: { deeds: number; ms: number } | null,
  heard: (said: Said) => void,
): Promise<boolean> {
  let asked = 0
  const running = startConsole<Said>(consoleFile, options)
  for await (const said of running.said) {
    heard(said)
    if ('asks' in said && lifetime !== null && (asked += 1) === lifetime.deeds)
      running.kill(lifetime.ms)
  }
  return running.killed()
}

/**
 * A support console that replies, replaces and refunds behind a proxy that loses responses and cuts
 * requests, and that is killed at random. At the end every answer is there at most once, each
 * dispute is in the state that the console shows, and nothing was done twice. `lost`: reported as
 * done or queued, but missing; `twice`: done more than once; `wrong`: the console and the service differ,
 * something is still unknown, or an action was never requested.
 */
export default async function soakDisputes({
  rounds,
  seed,
  log,
  killsARound = 8,
  claims = 30,
}: Options): Promise<DisputesSoak> {
  const result: DisputesSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    kills: 0,
    answers: 0,
    settled: 0,
    lostAnswers: 0,
  }
  const oneRound = async (round: number): Promise<void> => {
    const below = seeded(seed + round)
    const folder = temporaryFolder()
    const backend = await startTestBackend({ products: 40, noLimits: true })
    const proxy = await startFaultyProxy(backend.ready.baseUrl)
    const service = serviceAccess(backend)
    const key = backend.ready.demo?.sellerKey ?? ''
    const carried = new Map<string, number>()
    const asked: Extract<Said, { asks: string }>[] = []
    const did: Extract<Said, { did: string }>[] = []
    const queued: Extract<Said, { queued: string }>[] = []
    let rest: Seen[] = []
    const hear = (said: Said): void => {
      if ('asks' in said) asked.push(said)
      else if ('did' in said) did.push(said)
      else if ('queued' in said) queued.push(said)
      else if ('rest' in said) rest = said.rest
    }
    proxy.served = ({ method, path: to, status }) => {
      if (method === 'POST' && status < 400 && /\/(?:replace|refund)$/.test(to))
        carried.set(to, (carried.get(to) ?? 0) + 1)
    }
    proxy.decide = (method, to) => {
      if (method !== 'POST' || !to.includes('/disputes/')) return 'pass'
      const chance = below(100)
      if (chance < 25) result.lostAnswers += 1
      return chance < 25
        ? 'lose-answer'
        : chance < 35
          ? 'cut'
          : chance < 50
            ? { kind: 'delay', ms: below(300) }
            : 'pass'
    }
    try {
      const ours = await claimAll(service, key, claims)
      const options = {
        dataDir: path.join(folder.path, 'data'),
        keychainFile: path.join(folder.path, 'keychain.json'),
        baseUrl: proxy.baseUrl,
        key,
      }
      for (let kill = 0; kill < killsARound; kill += 1) {
        const wasKilled = await live(
          { ...options, seed: below(2 ** 31), name: `K${kill}` },
          { deeds: 2 + below(6), ms: below(MOST_MS_AFTER) },
          hear,
        )
        result.kills += Number(wasKilled)
        // New customer disputes arrive in the meantime.
        const some = [...ours][below(ours.size)] ?? ''
        await service
          .dashboard('POST', `/disputes/${some}/messages`, {
            author: 'customer',
            body: `Still waiting, ${kill}`,
          })
          .catch(() => null)
      }
      proxy.decide = () => 'pass'
      await live({ ...options, seed: null, name: 'rest' }, null, hear)
      for (const id of ours) await judge(id)
      result.twice += [...carried.values()].reduce((sum, times) => sum + times - 1, 0)
    } finally {
      await proxy.close()
      await backend.stop()
      folder.remove()
    }
    log(
      `round ${round + 1}: ${result.kills} kills, ${result.answers} answers, ` +
        `${result.settled} settled, ${result.lostAnswers} responses lost on the way; lost ` +
        `${result.lost}, twice ${result.twice}, wrong ${result.wrong}`,
    )

    async function judge(id: string): Promise<void> {
      const there = (await service.seller(key, 'GET', `/disputes/${id}`)) as There
      const here = rest.find(({ disputeId }) => disputeId === id)
      const type = there.resolution?.type ?? null
      const note = (what: string): void => log(`seed ${seed + round}, ${id}: ${what}`)
      const mine = there.messages
        .filter(({ author }) => author === 'seller')
        .map(({ body }) => body)
      result.answers += mine.length
      result.settled += Number(type !== null)
      const doubled = mine.length - new Set(mine).size
      if (doubled > 0) note('an answer is there twice')
      result.twice += doubled
      const lost = did.filter(
        ({ disputeId, did: what, text }) =>
          disputeId === id &&
          (what === 'answer'
            ? !mine.includes(text ?? '')
            : type !== (what === 'refund' ? 'refunded' : 'replaced')),
      ).length
      if (lost > 0) note('something reported as done is missing')
      const vanished = queued.filter(
        ({ disputeId, queued: text }) =>
          disputeId === id && !mine.includes(text) && here?.queued.includes(text) !== true,
      ).length
      if (vanished > 0) note('a queued answer is neither sent nor in the outbox')
      result.lost += lost + vanished
      const unasked =
        mine.filter(
          (body) => !asked.some(({ disputeId, text }) => disputeId === id && text === body),
        ).length +
        Number(
          type !== null &&
            !asked.some(
              ({ disputeId, asks }) =>
                disputeId === id &&
                (type === 'refunded' ? asks === 'refund' : asks.startsWith('replace')),
            ),
        )
      if (unasked > 0) note('something was done that was never requested')
      const same =
        here !== undefined &&
        here.open === 0 &&
        here.status === there.status &&
        here.resolution === type &&
        here.messages.length === there.messages.length &&
        here.messages.every(({ body }, at) => body === there.messages[at]?.body) &&
        here.done.every((kind) => type === (kind === 'refund' ? 'refunded' : 'replaced'))
      if (!same) note('the console shows a different state')
      result.wrong += unasked + Number(!same)
    }
  }
  for (let from = 0; from < rounds; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, rounds - from) }, (_, index) =>
        oneRound(from + index),
      ),
    )
  return result
}
