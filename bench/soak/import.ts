import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seeded } from '../../e2e/support/seeded.ts'
import { startTestBackend } from '../../src/core/testing/backend.ts'
import type { TestBackend } from '../../src/core/testing/backend.ts'
import { startConsole } from './support/console-process.ts'
import type { PowerCuts } from './support/power-cuts.ts'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { ConsoleOptions, Said } from './import/console.ts'

export const defaultRounds = 20
/** Other people's keys on the offer for which an import is undone. */
const OTHERS = 1500

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  keys?: number
  killsARound?: number
  cuts?: PowerCuts
}
type Report = Extract<Said, { report: unknown }>['report']
export type ImportSoak = {
  lost: number
  twice: number
  wrong: number
  kills: number
  midway: number
  undoing: number
  lostAnswers: number
  slowedDown: number
  keys: number
  clear: number
}

const consoleFile = path.join(import.meta.dirname, 'import', 'console.ts')
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Random numbers in [0, 1), repeatable by their seed. */
function randomFrom(seed: number): () => number {
  const below = seeded(seed)
  return () => below(2 ** 30) / 2 ** 30
}

type Plan = {
  text: string
  expected: Map<string, Set<string>>
  duplicates: number
  refused: number
}

/**
 * A CSV for several offers with duplicates and broken lines in it, and the expected keys on each
 * offer at the end.
 */
function planFile(random: () => number, offers: readonly string[], count: number): Plan {
  const group = (): string =>
    Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
  const expected = new Map(offers.map((offer) => [offer, new Set<string>()]))
  const lines = ['offer;key']
  let duplicates = 0
  let refused = 0
  let last: string | null = null
  for (let index = 0; index < count; index += 1) {
    const roll = random()
    const offer = offers[Math.floor(random() * offers.length)] ?? ''
    if (roll < 0.01 && last !== null) {
      lines.push(last)
      duplicates += 1
    } else if (roll < 0.015) {
      lines.push(`${offer};1.23E+15`)
      refused += 1
    } else {
      const key = `${group()}-${group()}-${group()}`
      expected.get(offer)?.add(key)
      last = `${offer};${random() < 0.1 ? ` ${key}\u00a0` : key}`
      lines.push(last)
    }
  }
  return { text: lines.join('\r\n'), expected, duplicates, refused }
}

async function sellerCall(
  backend: TestBackend,
  method: string,
  where: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${backend.ready.sellerUrl}${where}`, {
    method,
    headers: {
      authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** Withdraws all keys of an offer and returns them as the service has them. */
async function takeAll(backend: TestBackend, offer: string): Promise<string[]> {
  const { keys } = await sellerCall(backend, 'POST', `/offers/${offer}/withdraw`, {})
  return keys as string[]
}

type Ending = { report: Report | null; killed: boolean; midway: boolean; undoing: boolean }
/**
 * SIGKILL after a number of calls that move keys, of the upload or of undoing it; 0: a delay after
 * it connected.
 */
type KillAt = { during: 'upload' | 'undo'; calls: number; delayMs: number }
type Faults = {
  next: () => 'none' | 'lost' | 'rate'
  /** Reports that the service supports no Idempotency-Keys. */ unkeyed: string | null
}

const slowDown = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  body: JSON.stringify({
    error: {
      code: 'RATE_LIMITED',
      message: 'Too many requests.',
      requestId: 'req_soak',
      details: { retryAfterMs: 25 },
    },
  }),
}

/** Runs one console until it is killed; `killAt` null: it can finish. */
async function runConsole(
  options: ConsoleOptions,
  proxy: FaultyProxy,
  faults: Faults,
  killAt: KillAt | null,
  cuts: PowerCuts | null = null,
): Promise<Ending & { lostAnswers: number; slowedDown: number }> {
  const running = startConsole<Said>(consoleFile, options, killAt === null ? null : cuts)
  let calls = 0
  let lostAnswers = 0
  let slowedDown = 0
  let stage = ''
  const strike = (): void => running.kill(killAt?.delayMs)
  proxy.decide = (method, where) => {
    if (faults.unkeyed !== null && where.endsWith('/seller/me'))
      return {
        kind: 'answer',
        answer: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: faults.unkeyed,
        },
      }
    if (method !== 'POST' || !/\/(?:keys|withdraw)$/.test(where)) return 'pass'
    if (killAt?.during === 'upload' || stage === 'undoing') calls += 1
    if (killAt !== null && calls === killAt.calls) strike()
    const fault = faults.next()
    if (fault === 'none') return 'pass'
    if (fault === 'rate') {
      slowedDown += 1
      return { kind: 'answer', answer: slowDown }
    }
    lostAnswers += 1
    return lostAnswers % 3 === 0 ? 'cut' : 'lose-answer'
  }
  let report: Report | null = null
  for await (const said of running.said) {
    if ('report' in said) report = said.report
    else {
      stage = said.at
      if (stage === 'connected' && killAt?.calls === 0) strike()
    }
  }
  const killed = await running.killed()
  return {
    report,
    killed,
    midway: killed && stage === 'uploading',
    undoing: killed && stage === 'undoing',
    lostAnswers,
    slowedDown,
  }
}

/** Files of the data folder that contain one of these keys in plain text. */
function filesInClear(folder: string, keys: readonly string[]): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.filter((entry) => {
    const bytes = readFileSync(path.join(entry.parentPath, entry.name))
    return keys.some((key) => bytes.includes(key))
  }).length
}

/**
 * Imports of a file into several offers by a real core process that is killed at random, behind a
 * proxy that loses responses and returns 429. Every fourth import is without Idempotency-Keys.
 * Every other import is undone for its first offer, which also has other people's keys. At the end
 * all keys are withdrawn from the offers: each must be there exactly once, and the report must
 * agree with the service. `lost` keys are missing, `twice` are there more than once or were counted
 * as added more often, `wrong` are on another offer, unknown, or counted incorrectly.
 */
export default async function soakImport({
  rounds,
  seed,
  log,
  keys = 20_000,
  killsARound = 6,
  cuts,
}: Options): Promise<ImportSoak> {
  const random = randomFrom(seed)
  const backend = await startTestBackend({ products: 60, noLimits: true })
  const proxy = await startFaultyProxy(backend.ready.baseUrl)
  const result: ImportSoak = {
    lost: 0,
    twice: 0,
    wrong: 0,
    kills: 0,
    midway: 0,
    undoing: 0,
    lostAnswers: 0,
    slowedDown: 0,
    keys: 0,
    clear: 0,
  }
  try {
    const listed = await sellerCall(backend, 'GET', '/offers?limit=100')
    const offers = (listed['results'] as { id: string; deliveryType: string }[])
      .filter(({ deliveryType }) => deliveryType === 'key')
      .slice(0, 4)
      .map(({ id }) => id)
    for (const offer of offers) {
      const { stock } = await sellerCall(backend, 'GET', `/offers/${offer}`)
      if (Number(stock) > 0) await takeAll(backend, offer)
    }
    const me = await sellerCall(backend, 'GET', '/me')
    for (let round = 1; round <= rounds; round += 1) {
      const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-soak-'))
      try {
        const plan = planFile(random, offers, keys)
        const file = path.join(folder, 'keys.csv')
        writeFileSync(file, plan.text)
        const [undone = ''] = offers
        // Other people's keys on an offer, which a withdrawal includes.
        const others =
          round % 2 === 0
            ? []
            : Array.from(
                { length: OTHERS },
                (_, index) => `OTHER-${seed}-${round}-${String(index).padStart(5, '0')}`,
              )
        for (let at = 0; at < others.length; at += 1000)
          await sellerCall(backend, 'POST', `/offers/${undone}/keys`, {
            keys: others.slice(at, at + 1000),
          })
        const unkeyed = round % 4 === 0 ? JSON.stringify({ ...me, idempotency: false }) : null
        const options = {
          undo: others.length === 0 ? null : undone,
          dataDir: path.join(folder, 'data'),
          keychainFile: path.join(folder, 'keychain.json'),
          baseUrl: proxy.baseUrl,
          key: backend.ready.demo?.sellerKey ?? '',
          file,
          fileName: 'keys.csv',
        }
        const faults: Faults = {
          unkeyed,
          next: () => {
            const roll = random()
            return roll < 0.08 ? 'lost' : roll < 0.16 ? 'rate' : 'none'
          },
        }
        const note = (
          ending: Ending & { lostAnswers: number; slowedDown: number },
        ): Report | null => {
          result.kills += Number(ending.killed)
          result.midway += Number(ending.midway)
          result.undoing += Number(ending.undoing)
          result.lostAnswers += ending.lostAnswers
          result.slowedDown += ending.slowedDown
          return ending.report
        }
        let report: Report | null = null
        for (let kill = 0; kill < killsARound && report === null; kill += 1) {
          // If an import is undone, its last kills come while it is being undone.
          const during =
            options.undo !== null && kill >= killsARound - 3
              ? ('undo' as const)
              : ('upload' as const)
          const calls =
            kill === 0 && random() < 0.4
              ? 0
              : 1 + Math.floor(random() * (during === 'undo' ? 4 : keys / 1000 / killsARound))
          const killAt = { during, calls, delayMs: Math.floor(random() * (kill === 0 ? 120 : 40)) }
          report = note(await runConsole(options, proxy, faults, killAt, cuts))
        }
        report ??= note(await runConsole(options, proxy, faults, null))
        if (report === null) throw new Error('the import did not finish')
        let expectedKeys = 0
        for (const [offer, expected] of plan.expected) {
          const there = await takeAll(backend, offer)
          const wasUndone = options.undo === offer
          // After the undo, the import's keys are in the vault, and other people's keys are on the
          // offer as before.
          if (wasUndone) {
            const back = new Set(there)
            result.lost += others.filter((key) => !back.has(key)).length
            result.twice += there.length - back.size
            result.wrong += there.length - others.length
          }
          const present = wasUndone ? report.kept : there
          const distinct = new Set(present)
          result.lost += [...expected].filter((key) => !distinct.has(key)).length
          result.twice += present.length - distinct.size
          result.wrong += present.filter((key) => !expected.has(key)).length
          const told = report.offers.find(({ offerId }) => offerId === offer)
          result.twice += Math.abs((told?.added ?? 0) - expected.size) + (told?.duplicates ?? 0)
          result.wrong += Number(told?.stock !== present.length + (wasUndone ? others.length : 0))
          expectedKeys += expected.size
        }
        const { sums } = report
        result.wrong +=
          Number(sums.ready !== expectedKeys) +
          Number(sums.duplicate !== plan.duplicates) +
          Number(sums.refused !== plan.refused) +
          Number(sums.read !== keys)
        result.wrong +=
          Number(report.files[0]?.added !== expectedKeys) +
          Number(report.files[0]?.refused !== plan.refused)
        result.keys += expectedKeys
        const clear = filesInClear(
          options.dataDir,
          [...(plan.expected.get(offers[0] ?? '') ?? [])].slice(0, 20),
        )
        result.clear += clear
        result.wrong += clear
        log(
          `round ${round}: ${result.kills} kills so far (${result.midway} during the upload, ` +
            `${result.undoing} during the undo), ${result.lostAnswers} responses lost, ` +
            `${result.slowedDown} slowed down; lost ${result.lost}, twice ${result.twice}, wrong ` +
            `${result.wrong}`,
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await proxy.close()
    await backend.stop()
  }
  return result
}
