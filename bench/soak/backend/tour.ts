/** Every scene once, without a kill: the crash points that it reaches, and how often. */
import { readFileSync } from 'node:fs'
import { seeded } from '../../../e2e/support/seeded.ts'
import type { Ready } from '../../../server/sandbox-types.ts'
import { crashPointNames } from '../../../server/domain/crash-points.ts'
import { runLoad } from './load.ts'
import { answered } from './operation.ts'
import { scenesOf } from './plan.ts'
import { days, reset, restore, save } from './scenes.ts'
import type { ServerProcess } from './server-process.ts'
import type { Counts } from './strike.ts'
import type { World } from './world.ts'

/**
 * Crash points of the mixed load alone; it runs until it has reached them all, or until a generous
 * time limit.
 */
const mixed = crashPointNames.filter(
  (moment) => scenesOf(moment).includes('mixed') && !scenesOf(moment).includes('days'),
)
const TURNS = 60

/**
 * Takes a world with data through all scenes and stops its process; `countsFile` is the file with
 * which it was started.
 */
export async function tour(
  world: World,
  server: ServerProcess,
  ready: Ready,
  seed: number,
  countsFile: string,
): Promise<Counts> {
  const below = seeded(seed)
  const { dashboard } = world.service
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
  await dashboard.verifyLedger({})
  server.signal('SIGTERM')
  const { code } = await server.ended
  if (code !== 0) throw new Error(`${ready.baseUrl} exited with ${code}`)
  return JSON.parse(readFileSync(countsFile, 'utf8')) as Counts
}
