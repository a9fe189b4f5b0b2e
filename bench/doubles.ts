import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startOrders } from '../server/certify/orders.ts'
import { startSandbox } from '../server/sandbox.ts'
import { startService } from './backend/service.ts'
import type { Double, Installer } from './doubles/double.ts'
import { emulate } from './doubles/emulate.ts'
import { comparedBugs, revealByEvents, type Revealed } from './doubles/handlers.ts'
import { jsonServer } from './doubles/json-server.ts'
import { keydesk } from './doubles/keydesk.ts'
import { mockoon } from './doubles/mockoon.ts'
import { prism } from './doubles/prism.ts'
import { probe, type Scenario, scenarios, type Verdict } from './doubles/scenarios.ts'
import { wiremock } from './doubles/wiremock.ts'
import { certifyZoo } from './soak/certify.ts'

const SCHEDULES = 500

type Sizes = {
  /** Installs the other doubles where they are missing. */ readonly peers: boolean
  readonly scenarios: readonly Scenario[]
  readonly bugs: readonly string[]
}
const usual: Sizes = {
  peers: true,
  scenarios: Object.keys(scenarios) as Scenario[],
  bugs: comparedBugs,
}
const installers: Record<string, Installer> = {
  Prism: prism,
  'json-server': jsonServer,
  Mockoon: mockoon,
  WireMock: wiremock,
  emulate,
}

type Result = { how: string; scenarios: Record<string, Verdict>; events: Revealed }
type Log = (text: string) => void

const mark = (yes: boolean): string => (yes ? 'yes' : '–')
const sum = (marks: readonly boolean[]): string =>
  `${marks.filter(Boolean).length} of ${marks.length}`

async function documentOf(folder: string): Promise<string> {
  const service = await startService(path.join(folder, 'document'), '--seed', 'empty')
  const answer = await fetch(`${service.ready.baseUrl}/openapi.json`)
  const document = await answer.text()
  await service.running.stop()
  return document
}

async function measure(
  double: Double,
  folder: string,
  document: string,
  { scenarios: names, bugs }: Sizes,
  log: Log,
): Promise<Result> {
  mkdirSync(folder)
  const running = await double.start(folder, document, null)
  const verdicts = await probe(running, names).finally(() => running.stop())
  for (const [name, { passed, seen }] of Object.entries(verdicts))
    log(`${double.name}: ${name}: ${mark(passed)} (${seen})`)
  const events = await revealByEvents(double, path.join(folder, 'events'), document, bugs)
  log(
    `${double.name}: ${events.events} events, ${events.handedOn} orders handed on, reveals ` +
      `${
        Object.keys(events.bugs)
          .filter((bug) => events.bugs[bug])
          .join(', ') || 'no bug'
      }`,
  )
  return { how: double.how, scenarios: verdicts, events }
}

/** The bugs that the receiver certificate finds. */
async function certificate(bugs: readonly string[], log: Log): Promise<Record<string, boolean>> {
  const orders = await startOrders(startSandbox)
  try {
    const found: Record<string, boolean> = {}
    for (const bug of bugs) {
      const given = { schedules: SCHEDULES, seed: 1, kills: true, orders }
      const { failures } = await certifyZoo('planted.mjs', bug, given)
      found[bug] = failures.length > 0
      log(`Keydesk’s certificate: ${bug}: ${mark(found[bug])}`)
    }
    return found
  } finally {
    await orders.stop()
  }
}

/** A table in Markdown: one row per scenario and bug, one column per double. */
function tableOf(
  results: Readonly<Record<string, Result>>,
  certified: Readonly<Record<string, boolean>>,
): string {
  const names = Object.keys(results)
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const block = (
    title: string,
    columns: readonly (readonly [string, Readonly<Record<string, boolean>>])[],
  ): string[] => [
    row([title, ...columns.map(([name]) => name)]),
    row(['---', ...columns.map(() => '---')]),
    ...Object.keys(columns[0]?.[1] ?? {}).map((key) =>
      row([key, ...columns.map(([, marks]) => mark(marks[key] ?? false))]),
    ),
    row(['sum', ...columns.map(([, marks]) => sum(Object.values(marks)))]),
  ]
  const verdictsOf = (name: string): Record<string, boolean> =>
    Object.fromEntries(
      Object.entries(results[name]?.scenarios ?? {}).map(([key, { passed }]) => [key, passed]),
    )
  return [
    ...block(
      'order scenario',
      names.map((name) => [name, verdictsOf(name)] as const),
    ),
    '',
    ...block('bug of a webhook handler', [
      ['Keydesk’s certificate', certified],
      ...names.map((name) => [`${name}, its events`, results[name]?.events.bugs ?? {}] as const),
    ]),
  ].join('\n')
}

/**
 * The service beside other test doubles: ten scenarios of ordering, probed over HTTP in the same
 * way, and twelve planted bugs of webhook handlers.
 */
export default async function benchDoubles({ log, sizes = usual }: { log: Log; sizes?: Sizes }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-doubles-'))
  try {
    const document = await documentOf(folder)
    const results: Record<string, Result> = {}
    const leftOut: Record<string, string> = {}
    const run = async (double: Double): Promise<void> => {
      const own = path.join(folder, `run-${double.name}`)
      results[double.name] = await measure(double, own, document, sizes, log)
    }
    await run(keydesk)
    for (const [name, install] of sizes.peers ? Object.entries(installers) : []) {
      const double = install((reason) => {
        leftOut[name] = reason
        log(reason)
      })
      if (double !== null)
        await run(double).catch((error: unknown) => {
          leftOut[name] = error instanceof Error ? error.message : String(error)
          log(`${name} is left out: ${leftOut[name]}`)
        })
    }
    const certified = await certificate(sizes.bugs, log)
    log(tableOf(results, certified))
    return { results, certified, leftOut }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
