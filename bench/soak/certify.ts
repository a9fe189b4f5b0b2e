import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificate, certify, type CertifyOptions } from '../../server/certify/certify.ts'
import { byProbe } from '../../server/certify/observed.ts'
import { type Orders, startOrders } from '../../server/certify/orders.ts'
import { scheduleText } from '../../server/certify/schedule.ts'
import { startSandbox } from '../../server/sandbox.ts'
import { root } from '../../scripts/lib/paths.mjs'

/** A round is one schedule for each correct handler. */
export const defaultRounds = 10_000

/** The bugs of zoo/planted.mjs. */
export const plantedBugs = [
  'trusts-delivery-id',
  'checks-too-early',
  'marks-then-ships',
  'ships-then-marks',
  'forgets-at-restart',
  'trusts-everyone',
  'trusts-unsigned',
  'signs-parsed-json',
  'ignores-the-time',
  'accepts-the-future',
  'remembers-before-verifying',
  'treats-test-as-live',
  'fails-on-other-events',
  'ends-on-a-cut-body',
  'answers-late',
  'drops-older-events',
  'ignores-partial-orders',
  'records-the-wrong-state',
  'hands-on-one-unit',
] as const
const correct = ['node-sqlite.mjs', 'node-files.mjs', 'python.py'] as const
/** Schedules that a planted bug gets; every one was found in fewer. */
const PLANTED_SCHEDULES = 500
const MOST_STEPS = 3
/** `answers-late` needs 400 ms; a real limit of 8 s would only make the soak longer. */
const LATE_LIMIT_MS = 300

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  bugs?: readonly string[]
  handlers?: readonly string[]
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Certifies a handler of the zoo in a folder of its own. */
export async function certifyZoo(
  program: string,
  bug: string,
  options: Pick<CertifyOptions, 'schedules' | 'seed' | 'kills' | 'orders'>,
): Promise<Certificate> {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-zoo-'))
  const origin = `http://127.0.0.1:${await freePort()}`
  const interpreter = program.endsWith('.py') ? 'python3' : `"${process.execPath}"`
  const path = join(root, 'server/certify/zoo', program)
  try {
    return await certify({
      ...options,
      url: new URL(`${origin}/hook`),
      observe: byProbe(new URL(`${origin}/state`)),
      start: `exec ${interpreter} "${path}" "${folder}" ${bug}`,
      ...(bug === 'answers-late' ? { limitMs: LATE_LIMIT_MS } : {}),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

type Sum = { problems: string[]; found: number; schedules: number; kills: number }

async function findPlanted(
  { bugs = plantedBugs, seed, log }: Options,
  orders: Orders,
  sum: Sum,
): Promise<void> {
  for (const bug of bugs) {
    const given = { schedules: PLANTED_SCHEDULES, seed, kills: true, orders }
    const { failures } = await certifyZoo('planted.mjs', bug, given)
    const shown = failures.map(({ schedule, violations }) => ({
      steps: schedule.steps.length,
      text: `${violations[0]?.invariant ?? ''} by ${scheduleText(schedule)}`,
    }))
    log(`${bug}: ${shown.map(({ text }) => text).join(' | ') || 'NOT FOUND'}`)
    if (shown.length > 0 && shown.every(({ steps }) => steps <= MOST_STEPS)) sum.found += 1
    else sum.problems.push(`${bug} was not found, or not shrunk to ${MOST_STEPS} steps`)
  }
}

async function passCorrect(
  { handlers = correct, rounds, seed, log }: Options,
  orders: Orders,
  sum: Sum,
): Promise<Record<string, number>> {
  const seconds: Record<string, number> = {}
  for (const program of handlers) {
    const result = await certifyZoo(program, '', { schedules: rounds, seed, kills: true, orders })
    sum.schedules += result.schedules
    sum.kills += result.kills
    seconds[program] = result.seconds
    log(
      `${program}: ${result.schedules} schedules, ${result.deliveries} deliveries, ` +
        `${result.kills} kills, ${result.failed} failed, ${result.seconds} s`,
    )
    if (result.failed > 0) sum.problems.push(`${program} failed ${result.failed} schedules`)
    for (const { violations, schedule } of result.failures)
      sum.problems.push(`${violations[0]?.detail ?? ''} ${scheduleText(schedule)}`)
  }
  return seconds
}

/**
 * The receiver certificate on a zoo of handlers: it must find every planted bug and shrink it to at
 * most three steps, and pass handlers that are correct. `wrong`: a bug that was missed or a correct
 * handler that failed.
 */
export default async function soakCertify(options: Options) {
  const sum: Sum = { problems: [], found: 0, schedules: 0, kills: 0 }
  const orders = await startOrders(startSandbox)
  try {
    await findPlanted(options, orders, sum)
    const seconds = await passCorrect(options, orders, sum)
    for (const problem of sum.problems) options.log(`wrong: ${problem}`)
    const { found, schedules, kills } = sum
    const planted = (options.bugs ?? plantedBugs).length
    return {
      lost: 0,
      twice: 0,
      wrong: sum.problems.length,
      planted,
      found,
      schedules,
      kills,
      seconds,
    }
  } finally {
    await orders.stop()
  }
}
