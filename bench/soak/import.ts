import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { seeded } from '../../e2e/support/seeded.ts'
import { startTestBackend } from '../../src/core/testing/backend.ts'
import type { TestBackend } from '../../src/core/testing/backend.ts'
import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { ConsoleOptions, Said } from './import/console.ts'

export const defaultRounds = 20

type Options = { rounds: number; seed: number; log: (text: string) => void; keys?: number; killsARound?: number }
type Report = Extract<Said, { report: unknown }>['report']
export type ImportSoak = { lost: number; twice: number; wrong: number; kills: number; midway: number; lostAnswers: number; keys: number; clear: number }

const consoleFile = path.join(import.meta.dirname, 'import', 'console.ts')
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Numbers in [0, 1) that a seed repeats. */
function randomFrom(seed: number): () => number {
  const below = seeded(seed)
  return () => below(2 ** 30) / 2 ** 30
}

type Plan = { text: string; expected: Map<string, Set<string>>; duplicates: number; refused: number }

/** A csv for several offers with repeats and broken lines in it, and what must be on each offer at the end. */
function planFile(random: () => number, offers: readonly string[], count: number): Plan {
  const group = (): string => Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
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

async function sellerCall(backend: TestBackend, method: string, where: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${backend.ready.sellerUrl}${where}`, {
    method, headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}`, 'content-type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`)
  return await answer.json() as Record<string, unknown>
}

/** Takes all keys off an offer, as the service has them. */
async function takeAll(backend: TestBackend, offer: string): Promise<string[]> {
  const { keys } = await sellerCall(backend, 'POST', `/offers/${offer}/withdraw`, {})
  return keys as string[]
}

type Ending = { report: Report | null; killed: boolean; midway: boolean }

/** Runs one console. `killAt`: SIGKILL so many uploads after its start, or so many milliseconds after it connected; null: it may finish. */
async function runConsole(options: ConsoleOptions, proxy: FaultyProxy, fault: () => boolean, killAt: { uploads: number; delayMs: number } | null): Promise<Ending & { lostAnswers: number }> {
  const child = spawn(process.execPath, [consoleFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let uploads = 0
  let lostAnswers = 0
  let stage = ''
  const strike = (): void => void setTimeout(() => child.kill('SIGKILL'), killAt?.delayMs ?? 0)
  proxy.decide = (method, where) => {
    if (method !== 'POST' || !where.endsWith('/keys')) return 'pass'
    uploads += 1
    if (killAt !== null && uploads === killAt.uploads) strike()
    if (!fault()) return 'pass'
    lostAnswers += 1
    return lostAnswers % 3 === 0 ? 'cut' : 'lose-answer'
  }
  child.stdin.write(`${JSON.stringify(options)}\n`)
  let report: Report | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Said
    if ('report' in said) report = said.report
    else {
      stage = said.at
      if (stage === 'connected' && killAt?.uploads === 0) strike()
    }
  }
  const [code, signal] = await ended as [number | null, string | null]
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the console ended with ${code ?? signal}`)
  return { report, killed: signal === 'SIGKILL', midway: signal === 'SIGKILL' && stage === 'uploading', lostAnswers }
}

/** Files of the data folder in which one of these keys stands in clear. */
function filesInClear(folder: string, keys: readonly string[]): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.filter((entry) => {
    const bytes = readFileSync(path.join(entry.parentPath, entry.name))
    return keys.some((key) => bytes.includes(key))
  }).length
}

/**
 * Imports of a file into several offers by a real core process that is killed at random moments, behind a proxy that loses answers. At the end the
 * keys are taken off the offers: each must be there exactly once, and the report must say what the service says. `lost` keys are missing, `twice` are there more than once
 * or were counted as added more often, `wrong` are on another offer, unknown, or counted wrong.
 */
export default async function soakImport({ rounds, seed, log, keys = 20_000, killsARound = 4 }: Options): Promise<ImportSoak> {
  const random = randomFrom(seed)
  const backend = await startTestBackend({ products: 60, noLimits: true })
  const proxy = await startFaultyProxy(backend.ready.baseUrl)
  const result: ImportSoak = { lost: 0, twice: 0, wrong: 0, kills: 0, midway: 0, lostAnswers: 0, keys: 0, clear: 0 }
  try {
    const listed = await sellerCall(backend, 'GET', '/offers?limit=100')
    const offers = (listed['results'] as { id: string; deliveryType: string }[]).filter(({ deliveryType }) => deliveryType === 'key').slice(0, 4).map(({ id }) => id)
    for (const offer of offers) {
      const { stock } = await sellerCall(backend, 'GET', `/offers/${offer}`)
      if (Number(stock) > 0) await takeAll(backend, offer)
    }
    for (let round = 1; round <= rounds; round += 1) {
      const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-soak-'))
      try {
        const plan = planFile(random, offers, keys)
        const file = path.join(folder, 'keys.csv')
        writeFileSync(file, plan.text)
        const options = { dataDir: path.join(folder, 'data'), keychainFile: path.join(folder, 'keychain.json'), baseUrl: proxy.baseUrl, key: backend.ready.demo?.sellerKey ?? '', file, fileName: 'keys.csv' }
        const fault = (): boolean => random() < 0.08
        let report: Report | null = null
        for (let kill = 0; kill < killsARound && report === null; kill += 1) {
          const killAt = { uploads: kill === 0 && random() < 0.4 ? 0 : 1 + Math.floor(random() * (keys / 1000 / killsARound)), delayMs: Math.floor(random() * (kill === 0 ? 120 : 40)) }
          const ending = await runConsole(options, proxy, fault, killAt)
          result.kills += Number(ending.killed)
          result.midway += Number(ending.midway)
          result.lostAnswers += ending.lostAnswers
          report = ending.report
        }
        if (report === null) {
          const ending = await runConsole(options, proxy, fault, null)
          result.lostAnswers += ending.lostAnswers
          report = ending.report
        }
        if (report === null) throw new Error('the import did not end')
        let expectedKeys = 0
        for (const [offer, expected] of plan.expected) {
          const present = await takeAll(backend, offer)
          const distinct = new Set(present)
          result.lost += [...expected].filter((key) => !distinct.has(key)).length
          result.twice += present.length - distinct.size
          result.wrong += present.filter((key) => !expected.has(key)).length
          const told = report.offers.find(({ offerId }) => offerId === offer)
          result.twice += Math.abs((told?.added ?? 0) - expected.size) + (told?.duplicates ?? 0)
          result.wrong += Number(told?.stock !== present.length)
          expectedKeys += expected.size
        }
        const { sums } = report
        result.wrong += Number(sums.ready !== expectedKeys) + Number(sums.duplicate !== plan.duplicates) + Number(sums.refused !== plan.refused) + Number(sums.read !== keys)
        result.keys += expectedKeys
        const clear = filesInClear(options.dataDir, [...(plan.expected.get(offers[0] ?? '') ?? [])].slice(0, 20))
        result.clear += clear
        result.wrong += clear
        log(`round ${round}: ${result.kills} kills so far (${result.midway} while uploading), ${result.lostAnswers} answers lost; lost ${result.lost}, twice ${result.twice}, wrong ${result.wrong}`)
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
