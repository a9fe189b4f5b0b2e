/** One random operation, in the form that fast-check runs. */
import type fc from 'fast-check'
import { invariants } from '../invariants.ts'
import type { Model } from '../state.ts'
import type { World } from '../world.ts'

export type Operation = fc.AsyncCommand<Model, World>

type Body<Params> = {
  /** Whether the operation has a meaning now. */
  when?: (model: Model, params: Params) => boolean
  run: (model: Model, world: World, params: Params) => Promise<void>
  /** Whether externally visible state may change and change back within it. */
  severalSteps?: (model: Model) => boolean
}

/**
 * An operation's random parameters, listed by name in a failure. The invariants are checked after
 * each operation.
 */
export function operation<Params>(
  name: string,
  params: fc.Arbitrary<Params>,
  { when = () => true, run, severalSteps = () => false }: Body<Params>,
): fc.Arbitrary<Operation> {
  return params.map((given) => ({
    check: (model) => when(model, given),
    async run(model, world) {
      world.operations += 1
      const several = severalSteps(model)
      await run(model, world, given)
      await invariants(model, world, several)
    },
    toString: () => `${name} ${JSON.stringify(given)}`,
  }))
}
