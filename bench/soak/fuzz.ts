import { Agent, request as requestHttp } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { seeded } from '../../e2e/support/seeded.ts'
import { contractProblem, refusalProblem } from './fuzz/contract.ts'
import type { Answer } from './fuzz/contract.ts'
import { hostileConnections } from './fuzz/hostile.ts'
import { largeBodies } from './fuzz/hostile-bodies.ts'
import type { Hostile } from './fuzz/hostile-kit.ts'
import { requests } from './fuzz/requests.ts'
import type { Request } from './fuzz/requests.ts'
import { fuzzTexts } from './fuzz/texts.ts'
import { speak } from './fuzz/wire.ts'
import { openWorld } from './fuzz/world.ts'
import type { World } from './fuzz/world.ts'

/** A round is one request or one hostile connection. */
export const defaultRounds = 100_000

/** `large`: also bodies of about 16 MiB. */
type Options = { rounds: number; seed: number; log: (text: string) => void; large?: boolean }
export type FuzzSoak = {
  lost: number
  twice: number
  wrong: number
  requests: number
  connections: number
  /** Texts read by the console's recognizers, at four lengths each. */
  texts: number
  statuses: Record<string, number>
  operations: number
  heapStartMb: number
  heapEndMb: number
  residentEndMb: number | null
}

const BATCH = 2000
const AT_ONCE = 6
/**
 * Maximum growth of the heap after a collection, from the first batch to the last: created data
 * makes the world grow.
 */
const MAY_GROW_MB = 64
const MB = 1024 * 1024

/**
 * Statuses of an order that was understood: placed, or rejected because of the world's current
 * state.
 */
const executed: ReadonlySet<number | undefined> = new Set([201, 402, 409, 422])

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

function send({ origin }: World, { method, target, headers, body }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = requestHttp(`${origin}${target}`, { method, headers, agent }, (answer) => {
      const single = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(', ') : value,
        ]),
      )
      text(answer).then((read) => {
        resolve({ status: answer.statusCode ?? 0, headers: single, body: read })
      }, reject)
    })
    sent.on('error', reject).end(body ?? undefined)
  })
}

/** Runs `work` over all, a few at a time. */
async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one)
    }),
  )
}

async function problemOf(
  world: World,
  asked: Request,
  seen: (answer: Answer) => void,
): Promise<string | null> {
  const answer = await send(world, asked)
  seen(answer)
  if (asked.auth !== 'own' && answer.status !== 401) return `${answer.status} without a valid key`
  return contractProblem(asked.operation, answer, asked.idempotencyKey !== null)
}

const isThat = (expected: number | 'executed', status: number | undefined): boolean =>
  expected === 'executed' ? executed.has(status) : status === expected

async function connectionProblem(
  world: World,
  { parts, answers: expected, operation, head = false }: Hostile,
): Promise<string | null> {
  const { answers, problem } = await speak(world.origin, parts, {
    wanted: expected?.length ?? 0,
    head,
  })
  if (problem !== null) return problem
  const statuses = answers.map(({ status }) => status)
  if (
    expected !== null &&
    !(
      statuses.length === expected.length &&
      expected.every((one, index) => isThat(one, statuses[index]))
    )
  )
    return (
      `answered ${statuses.join() || 'nothing'} instead of ${expected.join()}: ` +
      `${answers[0]?.body.slice(0, 200) ?? ''}`
    )
  if (head) return null
  // A request that matches no operation is rejected with the connection's own errors.
  const wrong = answers.map((answer) =>
    answer.status === 400 || operation === null
      ? refusalProblem(answer, ['VALIDATION_ERROR', 'UNAUTHORIZED', 'NOT_FOUND'], false)
      : contractProblem(operation, answer, false),
  )
  const first = wrong.find((one) => one !== null)
  if (first !== undefined) return first
  const health = await fetch(`${world.origin}/healthz`, { signal: AbortSignal.timeout(10_000) })
  return health.ok ? null : `afterwards the service responds with ${health.status}`
}

/**
 * Requests and hostile connections to a service in a separate process: every response must be
 * within the contract of its endpoint, the service must report no defect, its heap must stay
 * stable, it must still serve after each connection, and its ledger must add up at the end. Every
 * violation is `wrong`. The same seed sends the same requests. Before that, the console's readers of
 * foreign text read texts of doubling length: their time may grow no faster than the text.
 */
export default async function soakFuzz({
  rounds,
  seed,
  log,
  large = true,
}: Options): Promise<FuzzSoak> {
  const world = await openWorld()
  const below = seeded(seed)
  const arbitrary = requests(world)
  const statuses: Record<string, number> = {}
  const operations = new Set<string>()
  const sum = { lost: 0, twice: 0, wrong: 0, requests: 0, connections: 0 }
  const heap: number[] = []
  let resident: number | null = null

  function wrong(what: string, problem: string): void {
    sum.wrong += 1
    if (sum.wrong <= 40) log(`wrong: ${what}: ${problem}`)
  }
  const texts = fuzzTexts(wrong)
  log(`${texts} texts, wrong ${sum.wrong}`)

  async function connectTo(hostile: readonly Hostile[]): Promise<void> {
    await inParallel(hostile, async (one) => {
      const problem = await connectionProblem(world, one).catch(String)
      if (problem !== null) wrong(`the connection "${one.name}"`, problem)
    })
    sum.connections += hostile.length
  }

  async function fuzzBatch(count: number, batch: number): Promise<void> {
    await inParallel(
      fc.sample(arbitrary, { seed: seed + batch, numRuns: count }),
      async (asked) => {
        const problem = await problemOf(world, asked, ({ status }) => {
          statuses[status] = (statuses[status] ?? 0) + 1
          operations.add(asked.operation)
        }).catch(String)
        if (problem !== null)
          wrong(
            `batch ${batch}, ${JSON.stringify({ ...asked, headers: undefined }).slice(0, 600)}`,
            problem,
          )
      },
    )
    sum.requests += count
  }

  try {
    for (let batch = 0; sum.requests + sum.connections < rounds; batch += 1) {
      await connectTo(hostileConnections(world, below))
      if (large && batch % 5 === 0) await connectTo(largeBodies(world, below))
      await fuzzBatch(Math.max(1, Math.min(BATCH, rounds - sum.requests - sum.connections)), batch)
      await world.deleteBranches()
      const measured = await world.memory.measure()
      heap.push(measured.heap)
      resident = measured.resident
      const defects = world.defects()
      if (defects.length > 0)
        wrong(
          `batch ${batch}`,
          `the service reported ${defects.length} errors: ${defects[0] ?? ''}`,
        )
      log(
        `${sum.requests} requests, ${sum.connections} connections, wrong ${sum.wrong}; heap ` +
          `${Math.round(measured.heap / MB)} MB, resident ` +
          `${measured.resident === null ? '?' : Math.round(measured.resident / MB)} MB`,
      )
    }
    const { ok, sums } = await world.ledger()
    if (!ok || sums.some((total) => total !== 0)) wrong('the ledger', JSON.stringify(sums))
    const [first = 0, last = 0] = [heap[0], heap.at(-1)]
    if (last - first > MAY_GROW_MB * MB) wrong('the heap', `${first} bytes became ${last}`)
    return {
      ...sum,
      texts,
      statuses,
      operations: operations.size,
      heapStartMb: Math.round(first / MB),
      heapEndMb: Math.round(last / MB),
      residentEndMb: resident === null ? null : Math.round(resident / MB),
    }
  } finally {
    world.memory.close()
    agent.destroy()
    await world.stop()
  }
}
