/**
 * Pairs of refusals that apply to the same request: each refusal is a step that makes it apply, and
 * the steps can be combined.
 */
import { describe, expect, it } from 'vitest'
import type { HarnessResponse, Harness } from './harness.ts'

/**
 * Run in this order, so that requests before the tested one are sent by an account that is still
 * allowed to send them.
 */
const phases = ['prepare', 'before', 'rates', 'world', 'account'] as const

export interface Check<Scene> {
  /** Steps that make this refusal apply, whatever else applies. */
  steps: Partial<Record<(typeof phases)[number], (scene: Scene) => unknown>>
  /** Whether a response is this refusal, and not another one with the same code. */
  is(answer: HarnessResponse): boolean
}

export type Checks<Scene> = Readonly<Record<string, Check<Scene>>>

export interface Table<Scene> {
  checks: Checks<Scene>
  /** How many pairs can apply at the same time. */
  pairs: number
  /**
   * `A + B` with the reason why the two can't apply together, or why the test can't see which one
   * wins.
   */
  excluded: Readonly<Record<string, string>>
  /** A request that would be executed. */
  begin(): Promise<Scene>
  send(scene: Scene): Promise<HarnessResponse>
}

export const hasCode =
  (code: string) =>
  (answer: HarnessResponse): boolean =>
    answer.code === code
export const limitedBy =
  (rate: string) =>
  ({ code, headers }: HarnessResponse): boolean =>
    code === 'RATE_LIMITED' && String(headers.ratelimit).startsWith(`"${rate}"`)
/** An unknown route, as opposed to a missing resource behind a known route. */
export const noRoute = ({ code, text }: HarnessResponse): boolean =>
  code === 'NOT_FOUND' && text.includes('Path not found.')
export const nothingThere = (answer: HarnessResponse): boolean =>
  answer.code === 'NOT_FOUND' && !noRoute(answer)

const PER_SECOND = 20

/** Exhausts a key's rate within one millisecond of the service's clock. */
export async function exhaust(world: Harness, key: string, path: string): Promise<void> {
  await world.burst(key, 'GET', path, PER_SECOND)
  if (!limitedBy('key-second')(await world.as(key, path))) throw new Error(`${path} wasn't limited`)
}

/** Exhausts an account's rate with keys created for it, in the same way. */
export async function useUp(
  world: Harness,
  rate: string,
  issue: () => Promise<string>,
  path: string,
  method = 'GET',
): Promise<void> {
  for (let keys = 0; keys < 17; keys += 1) {
    const key = await issue()
    const refused = (await world.burst(key, method, path, PER_SECOND)).includes(429)
    if (refused && limitedBy(rate)(await world.as(key, path, { method }))) return
  }
  throw new Error(`${path} was never limited`)
}

/** Runs the steps of all the checks, phase by phase; within a phase in the given order. */
async function arrange<Scene>(scene: Scene, checks: readonly Check<Scene>[]): Promise<void> {
  for (const phase of phases) for (const { steps } of checks) await steps[phase]?.(scene)
}

/** Every pair of names, the earlier first, except the excluded ones. */
function pairsOf(names: readonly string[], excluded: Table<never>['excluded']): [string, string][] {
  const pairs = names.flatMap((first, index) =>
    names.slice(index + 1).map((second): [string, string] => [first, second]),
  )
  const unknown = Object.keys(excluded).filter(
    (name) => !pairs.some(([first, second]) => name === `${first} + ${second}`),
  )
  if (unknown.length > 0) throw new Error(`no such pairs: ${unknown.join('; ')}`)
  return pairs.filter(([first, second]) => excluded[`${first} + ${second}`] === undefined)
}

/** The name of the check that refused the request. */
async function winners<Scene>(
  { checks, begin, send }: Table<Scene>,
  names: readonly string[],
): Promise<string[]> {
  const scene = await begin()
  await arrange(
    scene,
    names.flatMap((name) => checks[name] ?? []),
  )
  const answer = await send(scene)
  return Object.entries(checks).flatMap(([name, { is }]) => (is(answer) ? [name] : []))
}

/**
 * Runs the tests of one operation's table, whose checks are listed in the order in which the
 * service runs them.
 */
export function testPrecedence<Scene>(what: string, table: Table<Scene>): void {
  const names = Object.keys(table.checks)
  const pairs = pairsOf(names, table.excluded)
  describe(`${what}`, () => {
    it.each(names)('is refused for %s alone', async (name) => {
      expect(await winners(table, [name])).toEqual([name])
    })

    it('has as many pairs of refusals as can apply together', () => {
      expect(pairs).toHaveLength(table.pairs)
    })

    it.each(pairs)('returns %s before %s', async (first, second) => {
      expect(await winners(table, [first, second])).toEqual([first])
    })
  })
}
