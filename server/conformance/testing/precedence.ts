/** Pairs of refusals that one request earns at once: each refusal is a step that makes it hold, and the steps compose. */

/** In this order, so that what was sent before the request meets an account that may still send it. */
const phases = ['prepare', 'before', 'rates', 'world', 'account'] as const

export interface Check<Scene, Answer> {
  /** Steps that make this refusal hold, whatever else holds. */
  steps: Partial<Record<(typeof phases)[number], (scene: Scene) => unknown>>
  /** Whether an answer is this refusal, and no other of the same code. */
  is(answer: Answer): boolean
}

export type Checks<Scene, Answer> = Readonly<Record<string, Check<Scene, Answer>>>

/** Takes the steps of all the checks, phase by phase; within a phase in the order given. */
export async function arrange<Scene>(scene: Scene, checks: readonly Pick<Check<Scene, never>, 'steps'>[]): Promise<void> {
  for (const phase of phases) for (const { steps } of checks) await steps[phase]?.(scene)
}

/** Every pair of names, the earlier first, but those that exclude each other: `excluded` maps `A + B` to why. */
export function pairsOf(names: readonly string[], excluded: Readonly<Record<string, string>>): [string, string][] {
  const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second): [string, string] => [first, second]))
  const unknown = Object.keys(excluded).filter((name) => !pairs.some(([first, second]) => name === `${first} + ${second}`))
  if (unknown.length > 0) throw new Error(`no such pairs: ${unknown.join('; ')}`)
  return pairs.filter(([first, second]) => excluded[`${first} + ${second}`] === undefined)
}

/** Which of the checks an answer is; names, so that a failure tells what won instead. */
export const winners = <Answer>(checks: Checks<never, Answer>, answer: Answer): string[] =>
  Object.entries(checks).flatMap(([name, { is }]) => (is(answer) ? [name] : []))
