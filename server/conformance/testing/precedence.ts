/**
 * Pairs of refusals that one request earns at once: each refusal is a step that makes it hold, and
 * the steps compose.
 */
import { describe, expect, it } from 'vitest'
import type { Answer, World } from './world.ts'

/**
 * In this order, so that what was sent before the request meets an account that may still send it.
 */
const phases = ['prepare', 'before', 'rates', 'world', 'account'] as const

export interface Check<Scene> {
  /** Steps that make this refusal hold, whatever else holds. */
  steps: Partial<Record<(typeof phases)[number], (scene: Scene) => unknown>>
  /** Whether an answer is this refusal, and no other of the same code. */
  is(answer: Answer): boolean
}

export type Checks<Scene> = Readonly<Record<string, Check<Scene>>>

export interface Table<Scene> {
  checks: Checks<Scene>
  /** How many pairs can hold at once. */
  pairs: number
  /** `A + B` to why they can't, or why which of them wins can't be told. */
  excluded: Readonly<Record<string, string>>
  /** A request that would be carried out. */
  begin(): Promise<Scene>
  send(scene: Scene): Promise<Answer>
}

export const hasCode =
  (code: string) =>
  (answer: Answer): boolean =>
    answer.code === code
export const limitedBy =
  (rate: string) =>
  ({ code, headers }: Answer): boolean =>
    code === 'RATE_LIMITED' && String(headers.ratelimit).startsWith(`"${rate}"`)
/** No such route, as told apart from no such thing behind a route. */
export const noRoute = ({ code, text }: Answer): boolean =>
  code === 'NOT_FOUND' && text.includes('There is no such path.')
export const nothingThere = (answer: Answer): boolean =>
  answer.code === 'NOT_FOUND' && !noRoute(answer)

const PER_SECOND = 20

/** Uses a key's rate up, within one millisecond of the service's clock. */
export async function exhaust(world: World, key: string, path: string): Promise<void> {
  await world.burst(key, 'GET', path, PER_SECOND)
  if (!limitedBy('key-second')(await world.as(key, path)))
    throw new Error(`${path} was not limited`)
}

/** Uses an account's rate up with keys made for it, likewise. */
export async function useUp(
  world: World,
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

/** Takes the steps of all the checks, phase by phase; within a phase in the order given. */
async function arrange<Scene>(scene: Scene, checks: readonly Check<Scene>[]): Promise<void> {
  for (const phase of phases) for (const { steps } of checks) await steps[phase]?.(scene)
}

/** Every pair of names, the earlier first, but those that are excluded. */
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

/** Which of the checks refused the request, by name. */
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

/** The tests of one operation's table, whose checks stand in the order in which they are made. */
export function testPrecedence<Scene>(what: string, table: Table<Scene>): void {
  const names = Object.keys(table.checks)
  const pairs = pairsOf(names, table.excluded)
  describe(`${what}`, () => {
    it.each(names)('is refused for %s alone', async (name) => {
      expect(await winners(table, [name])).toEqual([name])
    })

    it('has as many pairs of refusals as can hold at once', () => {
      expect(pairs).toHaveLength(table.pairs)
    })

    it.each(pairs)('%s wins over %s', async (first, second) => {
      expect(await winners(table, [first, second])).toEqual([first])
    })
  })
}
