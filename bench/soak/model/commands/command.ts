/** One operation that chance may choose, as fast-check runs it. */
import type fc from 'fast-check'
import { invariants } from '../invariants.ts'
import type { Model } from '../state.ts'
import type { World } from '../world.ts'

export type Operation = fc.AsyncCommand<Model, World>

type Body<Params> = {
  /** Whether the operation means anything now. */
  when?: (model: Model, params: Params) => boolean
  run: (model: Model, world: World, params: Params) => Promise<void>
  /** Whether what is seen from outside may come and go within it. */
  severalSteps?: (model: Model) => boolean
}

/**
 * Chance of an operation's parameters, told by name in a failure; what must hold after each
 * operation is asked after it.
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
