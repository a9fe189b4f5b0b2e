import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { seeded } from '../../e2e/support/seeded.ts'
import type { CrashPoint } from '../../server/domain/crash-points.ts'
import type { Ready } from '../../server/sandbox-types.ts'
import { audit } from './backend/audit.ts'
import { createFindings, type Findings } from './backend/findings.ts'
import { killFirstStart } from './backend/first-start.ts'
import { checkWorld, type Figures, killOnce } from './backend/killing.ts'
import { type Kill, planKills } from './backend/plan.ts'
import { startReceiver } from './backend/receiver.ts'
import { type ServerProcess, startServer } from './backend/server-process.ts'
import { createWorld, populate } from './backend/world.ts'
import type { PowerCuts } from './support/power-cuts.ts'

/** Kills at any instant; each crash point gets a fortieth of them. */
export const defaultRounds = 1000

/** Number of kills after which a world is audited completely. */
const LIVES = 12
const LANES = 2

type Options = {
  rounds: number
  seed: number
  log: (text: string) => void
  each?: number
  moments?: readonly CrashPoint[]
  lanes?: number
  cuts?: PowerCuts | undefined
}

type Result = Figures & { worlds: number }
export type BackendSoak = Result & { lost: number; twice: number; wrong: number }
type Lane = {
  readonly name: string
  readonly root: string
  readonly findings: Findings
  at(where: string): void
  readonly cuts: PowerCuts | null
  readonly result: Result
}

const describeKill = ({ scene, strike, afterSteps, afterMs }: Kill): string =>
  `${scene} ` +
  (strike === null
    ? `after ${afterSteps} steps and ${afterMs} ms`
    : `at ${strike.crashPoint} × ${strike.nth}${strike.late ? ', late' : ''}`)

async function started(
  folder: string,
  cuts: PowerCuts | null,
): Promise<{ server: ServerProcess; ready: Ready }> {
  const server = startServer(folder, { cuts })
  const ready = await server.ready
  if (ready === null) throw new Error(`the service doesn't start: ${(await server.ended).stderr}`)
  return { server, ready }
}

/** One world: created, killed a number of times, and audited. */
async function worldsOf(
  kills: readonly Kill[],
  { name, root, findings, at, cuts, result }: Lane,
): Promise<void> {
  const home = mkdtempSync(path.join(root, name))
  let folders = 0
  const next = (): string => path.join(home, String((folders += 1)))
  const folder = next()
  const receiver = await startReceiver(seeded(kills[0]?.seed ?? 0))
  let { server, ready } = await started(folder, cuts)
  try {
    const world = createWorld(folder, receiver, findings, cuts)
    await populate(world, ready)
    result.worlds += 1
    for (const [index, kill] of kills.entries()) {
      at(`${name}, world ${result.worlds}, kill ${index + 1}: ${describeKill(kill)}`)
      if (kill.scene === 'first start') await killFirstStart(kill, next, findings, result, cuts)
      else server = await killOnce(world, server, kill, result)
    }
    at(`${name}, world ${result.worlds}, final audit`)
    server.signal('SIGKILL')
    await server.ended
    ;({ server, ready } = await started(folder, cuts))
    await checkWorld(world, ready, [], result)
    await audit(world, ready)
  } catch (error) {
    // Nothing more can be checked in this world; continue with a new one.
    findings.wrong(
      `the world can't be checked: ${error instanceof Error ? error.stack : String(error)}`,
    )
  } finally {
    server.signal('SIGKILL')
    await server.ended
    await receiver.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Kills one world after the other, until its share of the plan is done. */
async function lane(kills: readonly Kill[], course: Lane): Promise<void> {
  for (let from = 0; from < kills.length; from += LIVES)
    await worldsOf(kills.slice(from, from + LIVES), course)
}

/**
 * Kills the real backend with SIGKILL at crash points and at any instant, thousands of times, under
 * the mixed load of many clients. Every acknowledged response is recorded before the next step.
 * After each kill the service starts again on the same folder and is compared with that record.
 * `lost`: acknowledged but missing. `twice`: sold, booked, notified or listed more than once.
 * `wrong`: any other broken promise of the service. The same seed makes the same plan of kills and
 * the same steps of each client; their timing depends on the machine.
 */
export default async function soakBackend({
  rounds,
  seed,
  log,
  each = Math.max(1, Math.round(rounds / 40)),
  moments,
  lanes = LANES,
  cuts,
}: Options): Promise<BackendSoak> {
  const kills = planKills(seed, { random: rounds, each, ...(moments && { crashPoints: moments }) })
  const root = mkdtempSync(path.join(tmpdir(), 'keydesk-soak-'))
  const result: Result = {
    kills: 0,
    atMoments: {},
    unreached: 0,
    acknowledged: 0,
    open: 0,
    worstReadyMs: 0,
    worstFinalMs: 0,
    worlds: 0,
  }
  const all: Findings[] = []
  const total = (): { lost: number; twice: number; wrong: number } => {
    const sum = (kind: 'lost' | 'twice' | 'wrong'): number =>
      all.reduce((count, { counts }) => count + counts[kind], 0)
    return { lost: sum('lost'), twice: sum('twice'), wrong: sum('wrong') }
  }
  const progress = setInterval(
    () =>
      log(
        `${result.kills} of ${kills.length} kills, ${result.acknowledged} steps ` +
          `acknowledged, ${JSON.stringify(total())}`,
      ),
    30_000,
  )
  try {
    await Promise.all(
      Array.from({ length: lanes }, (_, index) => {
        let where = ''
        const findings = createFindings(log, () => where)
        all.push(findings)
        return lane(
          kills.filter((_, at) => at % lanes === index),
          {
            name: String.fromCodePoint(97 + index),
            root,
            findings,
            at: (now) => (where = now),
            cuts: cuts ?? null,
            result,
          },
        )
      }),
    )
  } finally {
    clearInterval(progress)
    rmSync(root, { recursive: true, force: true })
  }
  return { ...total(), ...result }
}
