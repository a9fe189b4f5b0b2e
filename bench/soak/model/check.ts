/** One seed: random operations that the service executes and whose results the model predicts. */
import fc from 'fast-check'
import { audit } from './audit.ts'
import type { Operation } from './commands/command.ts'
import { controlCommands as control } from './commands/control.ts'
import { disputeCommands as disputes } from './commands/disputes.ts'
import { offerCommands as offers } from './commands/offers.ts'
import { download, orderCommands as orders } from './commands/orders.ts'
import { Difference, type Kind } from './difference.ts'
import type { Model } from './state.ts'
import type { World } from './world.ts'
import { begin } from './world.ts'

/** How often an operation occurs, out of about 265. */
const mixture = fc.oneof<fc.WeightedArbitrary<Operation>[]>(
  { weight: 58, arbitrary: orders.order },
  { weight: 8, arbitrary: orders.burst },
  { weight: 4, arbitrary: orders.twins },
  { weight: 12, arbitrary: orders.again },
  { weight: 6, arbitrary: orders.downloads },
  { weight: 2, arbitrary: orders.refusals },
  { weight: 14, arbitrary: offers.saves },
  { weight: 14, arbitrary: offers.changes },
  { weight: 4, arbitrary: offers.deletes },
  { weight: 32, arbitrary: offers.uploads },
  { weight: 4, arbitrary: offers.withdraws },
  { weight: 1, arbitrary: offers.strangers },
  { weight: 20, arbitrary: disputes.claims },
  { weight: 9, arbitrary: disputes.messages },
  { weight: 4, arbitrary: disputes.supports },
  { weight: 8, arbitrary: disputes.replaces },
  { weight: 5, arbitrary: disputes.refunds },
  { weight: 13, arbitrary: control.topUps },
  { weight: 2, arbitrary: control.resets },
  { weight: 4, arbitrary: control.limits },
  { weight: 4, arbitrary: control.makes },
  { weight: 4, arbitrary: control.edits },
  { weight: 14, arbitrary: control.faults },
  { weight: 14, arbitrary: control.advances },
  { weight: 1, arbitrary: control.badLaunches },
  { weight: 1, arbitrary: control.saves },
  { weight: 1, arbitrary: control.restores },
  { weight: 1, arbitrary: control.restarts },
  { weight: 1, arbitrary: control.audits },
)

/** Some operations have no meaning when their turn comes and are skipped. */
const NOT_APPLICABLE = 1.2
/**
 * A seed always means the same list, regardless of the length of its run, so that the full run
 * repeats the failures of a short one.
 */
const LONGEST = 600

function* first<T>(all: Iterable<T>, count: number): Iterable<T> {
  let taken = 0
  for (const each of all) {
    if (taken >= count) return
    taken += 1
    yield each
  }
}

/** Lists of at least `least` operations, which can shrink below that. */
class LongRuns extends fc.Arbitrary<Iterable<Operation>> {
  readonly #inner: fc.Arbitrary<Iterable<Operation>>
  readonly #least: number

  constructor(least: number) {
    super()
    this.#least = least
    this.#inner = fc.commands<Model, World, false>([mixture], {
      maxCommands: Math.ceil(least * 1.2),
      size: 'max',
      disableReplayLog: true,
    })
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Iterable<Operation>> {
    for (;;) {
      const run = this.#inner.generate(random, bias)
      if ([...run.value_].length >= this.#least) return run
    }
  }

  override canShrinkWithoutContext(_value: unknown): _value is Iterable<Operation> {
    return false
  }

  override shrink(
    value: Iterable<Operation>,
    context: unknown,
  ): fc.Stream<fc.Value<Iterable<Operation>>> {
    return this.#inner.shrink(value, context)
  }
}

export type Checked = {
  seed: number
  operations: number
  outcomes: [string, number][]
  failure: { kind: Kind; message: string } | null
}

/** Reads everything again, downloads included, and checks that no key was delivered twice. */
async function conclude(model: Model, world: World): Promise<void> {
  for (const order of model.orders) await download(model, world, order)
  await audit(model, world)
  const values = model.orders.flatMap(({ mode, lines }) =>
    mode === 'live'
      ? lines.flatMap(({ product, delivered }) =>
          delivered.map(({ value }) => `${product.id} ${value}`),
        )
      : [],
  )
  if (new Set(values).size < values.length)
    throw new Difference('twice', 'a key was delivered twice')
}

/** `operations`: up to 500. */
export type Limits = { operations: number; shrinkMs: number }

/** Runs one seed, and shrinks a failure for at most `shrinkMs`. */
export async function checkSeed(seed: number, { operations, shrinkMs }: Limits): Promise<Checked> {
  const totals = { operations: 0, outcomes: new Map<string, number>(), done: false }
  const property = fc.asyncProperty(new LongRuns(LONGEST), async (run) => {
    const { model, real } = await begin()
    try {
      await fc.asyncModelRun(() => ({ model, real }), first(run, operations * NOT_APPLICABLE))
      await conclude(model, real)
    } finally {
      if (!totals.done)
        Object.assign(totals, { operations: real.operations, outcomes: real.outcomes, done: true })
      await real.system.close()
    }
  })
  const whole = await fc.check(property, { seed, numRuns: 1, endOnFailure: true })
  const found = { seed, operations: totals.operations, outcomes: [...totals.outcomes] }
  if (!whole.failed) return { ...found, failure: null }
  const shrunk = await fc.check(property, {
    seed,
    numRuns: 1,
    interruptAfterTimeLimit: shrinkMs,
    markInterruptAsFailure: false,
  })
  const {
    errorInstance: error,
    counterexample,
    counterexamplePath,
  } = shrunk.failed && shrunk.counterexample !== null ? shrunk : whole
  const message =
    `seed ${seed}, path ${counterexamplePath}: ` +
    `${error instanceof Error ? error.message : String(error)}\n  ` +
    `${String(counterexample?.[0]).replaceAll(/,(?=[a-z][a-z -]* )/g, '\n  ')}`
  return {
    ...found,
    failure: { kind: error instanceof Difference ? error.kind : 'wrong', message },
  }
}
