/**
 * One kill: a scene runs until the process dies; then the service starts again on the same folder,
 * and everything is checked.
 */
import { seeded } from '../../../e2e/support/seeded.ts'
import type { Ready } from '../../../server/sandbox-types.ts'
import { advance, checkClock } from './dashboard.ts'
import { checkFolder } from './folder.ts'
import { type Load, runLoad } from './load.ts'
import { answered, type MakeOperation, type Operation } from './operation.ts'
import type { Kill } from './plan.ts'
import { days, reset, restore, save } from './scenes.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { askAgain } from './buyer.ts'
import { checkTruth, untilFinal } from './truth.ts'
import { attach, populate, type World } from './world.ts'

export type Figures = {
  kills: number
  /**
   * Kills at crash points, by name; if a crash point wasn't reached, the process was killed at any
   * instant instead.
   */
  readonly atMoments: Record<string, number>
  unreached: number
  acknowledged: number
  /** Requests that a kill left without a response. */
  open: number
  worstReadyMs: number
  /** From the ready line until no order is processing, the polling included. */
  worstFinalMs: number
}

/** A crash point that isn't reached within this time counts as never reached. */
const TIME_LIMIT_MS = 30_000
/** The mixed load between two steps of a scene. */
const BETWEEN_MS = 60

/**
 * Counts how a process ended. One that exited on its own in any scene except its stop has crashed.
 */
async function countEnd(
  server: ServerProcess,
  kill: Kill,
  forced: () => boolean,
  { findings }: World,
  figures: Figures,
): Promise<void> {
  const { code, signal, stderr } = await server.ended
  if (stderr !== '') findings.wrong(`the service printed: ${stderr.slice(0, 400)}`)
  if (signal !== 'SIGKILL') {
    if (kill.scene !== 'stop' || code !== 0)
      findings.wrong(`the service exited on its own with ${code ?? signal}`)
    return
  }
  figures.kills += 1
  if (kill.strike === null) return
  if (forced()) figures.unreached += 1
  else
    figures.atMoments[kill.strike.crashPoint] = (figures.atMoments[kill.strike.crashPoint] ?? 0) + 1
}

/**
 * Runs a scene until the process is dead. Returns the number of acknowledged steps and the open
 * ones; `emptied` if a reset removed the world.
 */
async function play(
  world: World,
  server: ServerProcess,
  { scene, seed }: Kill,
): Promise<Load & { emptied: boolean }> {
  const below = seeded(seed)
  let emptied = false
  const vanish = (): void => {
    emptied = true
    server.signal('SIGKILL')
  }
  const acts: Partial<Record<Kill['scene'], MakeOperation>> = {
    days,
    save,
    restore,
    reset: reset(vanish),
  }
  const act = acts[scene]
  if (scene === 'stop') setTimeout(() => server.signal('SIGTERM'), 20 + below(80))
  if (act === undefined) return { ...(await runLoad(world, seed, () => !server.alive())), emptied }
  let acknowledged = 0
  for (let turn = 0; ; turn += 1) {
    const until = performance.now() + BETWEEN_MS
    const load = await runLoad(
      world,
      seed + turn,
      () => !server.alive() || performance.now() > until,
    )
    acknowledged += load.acknowledged
    if (load.open.length > 0 || !server.alive()) return { acknowledged, open: load.open, emptied }
    const operation = act(world, below)
    if (operation === null) continue
    if (!(await answered(world, operation))) return { acknowledged, open: [operation], emptied }
    acknowledged += 1
    if (emptied) return { acknowledged, open: [], emptied }
  }
}

/**
 * Starts the service on a folder after a kill. Throws if it doesn't start, because nothing more can
 * be checked then.
 */
async function restart(
  world: World,
  figures: Figures,
): Promise<{ server: ServerProcess; ready: Ready }> {
  const server = startServer(world.folder, { cuts: world.cuts })
  const ready = await server.ready
  if (ready === null)
    throw new Error(
      `the service no longer starts on ${world.folder}: ${(await server.ended).stderr}`,
    )
  figures.worstReadyMs = Math.max(figures.worstReadyMs, Math.round(server.readyMs()))
  return { server, ready }
}

/** A start that is also killed: at one of its crash points, or at any instant. */
async function killStart(world: World, { strike, afterMs }: Kill, figures: Figures): Promise<void> {
  const server = startServer(world.folder, { cuts: world.cuts, ...(strike && { strike }) })
  const timer = setTimeout(
    () => server.signal('SIGKILL'),
    strike === null ? afterMs : TIME_LIMIT_MS,
  )
  const { signal } = await server.ended
  clearTimeout(timer)
  if (signal !== 'SIGKILL') world.findings.wrong('a start exited on its own')
  figures.kills += 1
  if (strike !== null)
    figures.atMoments[strike.crashPoint] = (figures.atMoments[strike.crashPoint] ?? 0) + 1
}

/**
 * Settles open operations: each is either completely done or not at all, and repeating the request
 * shows which.
 */
async function settleAll(world: World, open: readonly Operation[]): Promise<void> {
  for (const operation of open) {
    const asked = { ...operation, send: operation.settle }
    if (!(await answered(world, asked)))
      world.findings.wrong(`${operation.about} got no response from a service that nobody kills`)
  }
}

/** Checks everything after a start. */
export async function checkWorld(
  world: World,
  ready: Ready,
  open: readonly Operation[],
  figures: Figures,
): Promise<void> {
  await attach(world, ready)
  const replaces = ({ replacesState }: Operation): boolean => replacesState === true
  await settleAll(world, open.filter(replaces))
  const began = performance.now()
  await untilFinal(world)
  figures.worstFinalMs = Math.max(figures.worstFinalMs, Math.round(performance.now() - began))
  await settleAll(
    world,
    open.filter((operation) => !replaces(operation)),
  )
  // Retries a receiver that failed once, and performs everything that fell due while the service
  // was down.
  const below = seeded(world.serial())
  for (const make of [advance(20_000), askAgain, askAgain, askAgain]) {
    const operation = make(world, below)
    if (operation !== null) await answered(world, operation)
  }
  await untilFinal(world)
  await checkClock(world)
  await checkTruth(world)
  checkFolder(world.folder, world.findings)
}

/**
 * Kills a running service as planned: by its own strike, or from here after a number of steps.
 * Returns whether the time limit was reached first, and a function that stops the waiting.
 */
function sentence(
  world: World,
  server: ServerProcess,
  { scene, strike, afterSteps, afterMs }: Kill,
): { impatient(): boolean; over(): void } {
  let late = false
  const patience = setTimeout(() => {
    late = true
    server.signal('SIGKILL')
  }, TIME_LIMIT_MS)
  const strikes = strike !== null && scene !== 'start'
  if (strikes) server.arm(strike)
  let left = afterSteps
  world.stepped = () => {
    left -= 1
    if (left === 0 && !strikes)
      setTimeout(() => server.signal('SIGKILL'), scene === 'start' ? 0 : afterMs)
  }
  if (left === 0 && !strikes) setTimeout(() => server.signal('SIGKILL'), afterMs)
  return {
    impatient: () => late,
    over() {
      clearTimeout(patience)
      world.stepped = () => undefined
    },
  }
}

/** One kill of a running service and all its checks; returns the service that runs now. */
export async function killOnce(
  world: World,
  server: ServerProcess,
  kill: Kill,
  figures: Figures,
): Promise<ServerProcess> {
  const { impatient, over } = sentence(world, server, kill)
  const { acknowledged, open, emptied } = await play(world, server, kill)
  await countEnd(
    server,
    kill.scene === 'start' ? { ...kill, strike: null } : kill,
    () => impatient() || emptied,
    world,
    figures,
  )
  over()
  figures.acknowledged += acknowledged
  figures.open += open.length
  if (kill.scene === 'start') await killStart(world, kill, figures)
  const again = await restart(world, figures)
  const gone = emptied || (kill.scene === 'reset' && (await wasEmptied(world, again.ready, open)))
  if (gone) await populate(world, again.ready)
  await checkWorld(
    world,
    again.ready,
    kill.scene === 'reset' ? open.filter(({ about }) => about !== 'the reset') : open,
    figures,
  )
  return again.server
}

/** Whether an interrupted reset took place. */
async function wasEmptied(
  world: World,
  ready: Ready,
  open: readonly Operation[],
): Promise<boolean> {
  if (!open.some(({ about }) => about === 'the reset')) return false
  await attach(world, ready)
  let gone = false
  await reset(() => (gone = true))(world, seeded(0))?.settle()
  return gone
}
