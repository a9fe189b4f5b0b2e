import { DAY_MS } from '../../api/time.ts'
import { createSupply } from '../catalogue/supply.ts'
import { createServiceClock } from '../clock/service-clock.ts'
import { yieldToRequests } from '../clock/yield-to-requests.ts'
import type { Context } from '../context.ts'
import { reachCrashPoint } from '../crash-points.ts'
import { createLedger } from '../ledger/ledger.ts'
import { createOfferTerms } from '../offers/offer-terms.ts'
import type { Repositories } from '../ports/repositories.ts'
import type { Seed, SeedOptions } from '../ports/seeding.ts'
import type { PreparedState } from '../ports/snapshots.ts'
import type { ServiceParts } from '../service-parts.ts'
import { createSeedBuilder, noProgress, readProgress, storedProgress } from './seed-builder.ts'
import type { SeedProgress } from './seed-builder.ts'

/** A smaller catalogue is seeded in the time in which a copy of a larger one is opened. */
const KEPT_FROM = 5000

export interface SeedWorldOptions {
  /** Fills an empty database. */
  seedWorld: Seed
  /**
   * Identifies the program: others may seed a different catalogue. Without it none is kept. It is
   * called when a large catalogue is seeded.
   */
  program?: () => string
}

/** A seeded catalogue, from which the second part of a seed continues. */
interface SeededCatalogue {
  readonly made: unknown
  readonly progress: SeedProgress
  /** The time that it was seeded for, in milliseconds since 1970. */
  readonly at: number
}

/** The note about a kept catalogue, in JSON. */
interface Note extends Omit<SeededCatalogue, 'progress'> {
  readonly program: string
  readonly options: SeedOptions
  readonly progress: ReturnType<typeof storedProgress>
}

/** Initial states of a service. A large catalogue is seeded once; later states begin with its copy. */
export interface InitialStates {
  /** Fills an empty database within the present transaction. */
  seed(store: Repositories, options: SeedOptions): void
  /** Whether the catalogue is kept, so that the initial state has to be prepared by `prepareNow`. */
  isKept(options: SeedOptions): boolean
  /** Prepares an initial state before the service starts. */
  prepareNow(options: SeedOptions): PreparedState
  /** Prepares an initial state while requests are processed. */
  prepare(options: SeedOptions): Promise<PreparedState>
}

/** Null when a crash of the computer damaged the note. */
function readNote(text: string): Note | null {
  try {
    return JSON.parse(text) as Note
  } catch {
    return null
  }
}

function exhaust<Result>(pieces: Generator<void, Result>): Result {
  for (;;) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
  }
}

/** Requests are processed after each piece that ends later than this after the first one began. */
const SLICE_MS = 10

const days = (at: number): number => Math.floor(at / DAY_MS)

export function createInitialStates(
  context: Context,
  states: Pick<ServiceParts, 'openEmptyState' | 'openKeptState'>,
  { seedWorld, program }: SeedWorldOptions,
): InitialStates {
  const isKept = ({ products }: SeedOptions): boolean =>
    program !== undefined && products >= KEPT_FROM

  /** Runs the next pieces until a slice of time has passed; also ends when the clock is set. */
  function nextPieces<Result>(pieces: Generator<void, Result>): IteratorResult<void, Result> {
    const began = context.machine.now()
    for (;;) {
      const piece = pieces.next()
      const passed = context.machine.now() - began
      if (piece.done === true || passed < 0 || passed >= SLICE_MS) return piece
    }
  }

  /** Runs pieces in several transactions, and processes requests in between. */
  async function inPieces<Result>(
    state: PreparedState,
    pieces: Generator<void, Result>,
  ): Promise<Result> {
    for (;;) {
      const piece = state.transaction(() => nextPieces(pieces))
      if (piece.done === true) return piece.value
      await yieldToRequests()
    }
  }

  function builderOf(store: Repositories, progress: SeedProgress) {
    const clock = createServiceClock(context.machine, store.settings)
    const own = { ...context, store, clock }
    return createSeedBuilder(
      own,
      createLedger(store),
      createSupply(own),
      createOfferTerms(own),
      progress,
    )
  }

  function* catalogueOf(
    store: Repositories,
    options: SeedOptions,
  ): Generator<void, SeededCatalogue> {
    const progress = noProgress()
    const builder = builderOf(store, progress)
    store.bulk.deferIndexes()
    const made = yield* seedWorld.catalogue(builder, options)
    yield* store.bulk.createIndexes()
    return { made, progress, at: builder.now }
  }

  function* historyOf(
    store: Repositories,
    options: SeedOptions,
    { made, progress }: SeededCatalogue,
  ): Generator<void> {
    yield* seedWorld.history(builderOf(store, progress), options, made)
    reachCrashPoint('seed.written')
    store.settings.set('seeded', options.seed)
  }

  function keep(
    state: PreparedState,
    options: SeedOptions,
    { made, progress, at }: SeededCatalogue,
  ): void {
    if (program === undefined || !isKept(options)) return
    const { seed, products } = options
    const note: Note = {
      program: program(),
      options: { seed, products },
      made,
      progress: storedProgress(progress),
      at,
    }
    state.keep(JSON.stringify(note))
  }

  /** A state with the kept catalogue, moved to the present time; null if another one is kept. */
  async function openKept(
    options: SeedOptions,
  ): Promise<{ state: PreparedState; catalogue: SeededCatalogue } | null> {
    if (program === undefined || !isKept(options)) return null
    const notes: Note[] = []
    const state = await states.openKeptState((text) => {
      const note = readNote(text)
      if (
        note?.program !== program() ||
        note.options.seed !== options.seed ||
        note.options.products !== options.products
      )
        return false
      notes.push(note)
      return true
    })
    const [note] = notes
    if (state === null || note === undefined) return null
    const { made, progress, at } = note
    return discardingOnFailure(state, async () => {
      const now = context.machine.now()
      await inPieces(state, moved(state, at, now))
      return { state, catalogue: { made, progress: readProgress(progress), at: now } }
    })
  }

  async function seedCatalogue(
    options: SeedOptions,
  ): Promise<{ state: PreparedState; catalogue: SeededCatalogue }> {
    const state = states.openEmptyState()
    return discardingOnFailure(state, async () => {
      const catalogue = await inPieces(state, catalogueOf(state, options))
      keep(state, options, catalogue)
      return { state, catalogue }
    })
  }

  return {
    isKept,
    seed(store, options) {
      exhaust(historyOf(store, options, exhaust(catalogueOf(store, options))))
    },
    prepareNow(options) {
      const state = states.openEmptyState()
      try {
        const catalogue = state.transaction(() => exhaust(catalogueOf(state, options)))
        keep(state, options, catalogue)
        state.transaction(() => exhaust(historyOf(state, options, catalogue)))
        state.completeNow()
        return state
      } catch (error) {
        state.discard()
        throw error
      }
    },
    async prepare(options) {
      const { state, catalogue } = (await openKept(options)) ?? (await seedCatalogue(options))
      return discardingOnFailure(state, async () => {
        await inPieces(state, historyOf(state, options, catalogue))
        return state
      })
    },
  }
}

function* moved(state: PreparedState, from: number, to: number): Generator<void> {
  yield* state.bulk.moveTimes(to - from, days(to) - days(from))
}

/** Deletes the state when its preparation fails. */
async function discardingOnFailure<Result>(
  state: PreparedState,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    state.discard()
    throw error
  }
}
