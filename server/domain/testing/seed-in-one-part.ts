import type { Seed, SeedBuilder, SeedOptions } from '../ports/seeding.ts'

/** A seed without a separate history. */
export const seedInOnePart = (
  fill: (world: SeedBuilder, options: SeedOptions) => Iterable<void> | void,
): Seed<void> => ({
  *catalogue(world, options) {
    yield* fill(world, options) ?? []
  },
  history: () => [],
})

/** Leaves the database empty. */
export const emptySeed = seedInOnePart(() => {})
