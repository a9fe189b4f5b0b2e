/** Every scene once, nobody killed: which moments are passed by it, and how often. */
import { readFileSync } from 'node:fs'
import { seeded } from '../../../e2e/support/seeded.ts'
import type { Ready } from '../../../server/sandbox.ts'
import { crashPointNames } from '../../../server/domain/crash-points.ts'
import { runLoad } from './load.ts'
import { answered } from './operation.ts'
import { scenesOf } from './plan.ts'
import { days, reset, restore, save } from './scenes.ts'
import type { ServerProcess } from './server-process.ts'
import type { Counts } from './strike.ts'
import type { World } from './world.ts'

/**
 * Moments of the mixed load alone; it goes on until it has passed them all, or longer than anybody
 * would wait.
 */
const mixed = crashPointNames.filter(
  (moment) => scenesOf(moment).includes('mixed') && !scenesOf(moment).includes('days'),
)
const TURNS = 60

/**
 * Takes a populated world through all scenes and ends its process; `countsFile` is the one that it
 * was started with.
 */
export async function tour(
  world: World,
  server: ServerProcess,
  ready: Ready,
  seed: number,
  countsFile: string,
): Promise<Counts> {
  const below = seeded(seed)
  const { desk } = world.service
  for (let turn = 0, passed = 0; turn < TURNS && passed < mixed.length; turn += 1) {
    const until = performance.now() + 200
    await runLoad(world, seed + turn, () => performance.now() > until)
    const counts = await server.counts()
    passed = mixed.filter((moment) => counts[moment] > 0).length
  }
  for (const make of [days, days, days, save, restore, reset(() => undefined)]) {
    const operation = make(world, below)
    if (operation !== null) await answered(world, operation)
  }
  await desk.verifyLedger({})
  server.signal('SIGTERM')
  const { code } = await server.ended
  if (code !== 0) throw new Error(`${ready.baseUrl} ended with ${code}`)
  return JSON.parse(readFileSync(countsFile, 'utf8')) as Counts
}
