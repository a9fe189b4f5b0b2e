/** The kills of a run, their order, and the scene during each. */
import { seeded } from '../../../e2e/support/seeded.ts'
import { type CrashPoint, crashPointNames } from '../../../server/domain/crash-points.ts'
import type { Strike } from './strike.ts'

/**
 * The activity of the process when it dies: the mixed load; in turns with that load, days passing
 * or a state saved, restored or reset; a stop under load; a start on a folder after a kill, or on a
 * new one.
 */
export const scenes = [
  'mixed',
  'days',
  'save',
  'restore',
  'reset',
  'stop',
  'start',
  'first start',
] as const
export type Scene = (typeof scenes)[number]

/**
 * With a strike at that crash point; otherwise a number of milliseconds after a number of
 * acknowledged steps, or after the start of the process.
 */
export type Kill = {
  readonly scene: Scene
  readonly strike: Strike | null
  readonly afterSteps: number
  readonly afterMs: number
  readonly seed: number
}

const elsewhere: Partial<Record<CrashPoint, readonly Scene[]>> = {
  'dispute.escalated': ['mixed', 'days'],
  'release.begun': ['days'],
  'clock.moved': ['days', 'mixed'],
  'clock.worked': ['days'],
  'ledger.checkpointed': ['stop', 'start'],
  'snapshot.begun': ['save'],
  'snapshot.written': ['save'],
  'snapshot.named': ['save'],
  'restore.copied': ['restore'],
  'restore.committed': ['restore'],
  'reset.seeded': ['reset'],
  'state.closed': ['restore', 'reset'],
  'state.replaced': ['restore', 'reset'],
  'seed.written': ['first start', 'reset'],
  'migration.step': ['first start', 'restore', 'reset'],
  'seal.written': ['first start'],
  'stop.closed': ['stop'],
  'store.closing': ['stop'],
}

/** The scenes in which a crash point is reached. */
export const scenesOf = (moment: CrashPoint): readonly Scene[] => elsewhere[moment] ?? ['mixed']

/**
 * Reached many times per second under the mixed load: a later occurrence finds a world with more
 * data.
 */
const frequent =
  /^(?:order|orders|webhook|upload|answer|delivery\.(?:sold|paid|told|committed)|ledger\.moved)/

/** Followed by pure database work, in the middle of which a slightly late kill strikes. */
const beforeLongWork = new Set<CrashPoint>([
  'orders.grouped',
  'answer.kept',
  'snapshot.begun',
  'seed.written',
  'state.closed',
  'store.closing',
])

const usual: readonly Scene[] = [
  ...Array.from({ length: 14 }, () => 'mixed' as const),
  'days',
  'save',
  'restore',
  'stop',
  'start',
  'first start',
  'reset',
]

type Wanted = {
  readonly random: number
  readonly each: number
  readonly crashPoints?: readonly CrashPoint[]
}

/**
 * `each` kills at every crash point and `random` ones at any instant, shuffled. The same seed makes
 * the same plan.
 */
export function planKills(
  seed: number,
  { random, each, crashPoints: moments = crashPointNames }: Wanted,
): Kill[] {
  const below = seeded(seed)
  const oneOf = <Item>(items: readonly Item[], otherwise: Item): Item =>
    items[below(items.length)] ?? otherwise
  const named = moments.flatMap((moment) =>
    Array.from({ length: each }, (): Kill => {
      const scene = oneOf(scenesOf(moment), 'mixed')
      const nth =
        scene === 'mixed' && frequent.test(moment)
          ? 1 + below(10)
          : scene === 'first start' && moment === 'migration.step'
            ? 1 + below(2)
            : 1
      return {
        scene,
        strike: {
          crashPoint: moment,
          nth,
          late:
            scene !== 'start' &&
            scene !== 'first start' &&
            below(4) < (beforeLongWork.has(moment) ? 3 : 1),
        },
        afterSteps: below(40),
        afterMs: 0,
        seed: below(2 ** 30),
      }
    }),
  )
  const any = Array.from({ length: random }, (): Kill => {
    const scene = oneOf(usual, 'mixed')
    return {
      scene,
      strike: null,
      afterSteps: below(80),
      afterMs: below(scene === 'start' || scene === 'first start' ? 400 : 12),
      seed: below(2 ** 30),
    }
  })
  const kills = [...named, ...any]
  for (let last = kills.length - 1; last > 0; last -= 1) {
    const other = below(last + 1)
    const [a, b] = [kills[last], kills[other]]
    if (a !== undefined && b !== undefined) [kills[last], kills[other]] = [b, a]
  }
  return kills
}
