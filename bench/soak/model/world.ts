/** The data of a run: the service, the initial model, and the requests sent so far. */
import type { Mode } from '../../../server/api/schemas/enums.ts'
import { agree, text } from './difference.ts'
import type { Model, Partner, Seller } from './state.ts'
import { emptyModel } from './state.ts'
import type { Answer, Asking, System } from './system.ts'
import { BEGINNING, DASHBOARD, startSystem } from './system.ts'

/**
 * A request and the check of its response. It may be sent again later, after the model was
 * restored: `first` finds its data in the model by id.
 */
export type Request = {
  /** The scope of these Idempotency-Keys: account and mode. */
  account: string
  asking: Asking
  /**
   * The body breaks a rule: VALIDATION_ERROR, before any Idempotency-Key is checked (Decision 7).
   */
  flawed?: boolean
  first: (model: Model, world: World, answer: Answer) => void | Promise<void>
}

export type World = {
  readonly system: System
  /** How often each operation finished with each result. */
  readonly outcomes: Map<string, number>
  /** The requests with an Idempotency-Key. */
  readonly sent: Request[]
  /** All values ever uploaded or sent. */
  readonly values: string[]
  /** A number that is unique in this run. */
  next(): number
  operations: number
}

export const dashboard = (method: Asking['method'], path: string, body?: unknown): Asking => ({
  key: DASHBOARD,
  method,
  path: `/dashboard${path}`,
  ...(body !== undefined && { body }),
})

/** Sends a request and requires a status; for cases in which the model is certain. */
export async function demand({ system }: World, asking: Asking, status: number): Promise<unknown> {
  const answer = await system.call(asking)
  agree(answer.status, status, `${asking.method} ${asking.path} ${answer.text}`)
  return answer.body
}

export function count(world: World, operation: string, { status, body }: Answer): void {
  const code = status < 400 ? String(status) : text((body as { error?: unknown }).error, 'code')
  const name = `${operation} ${code}`
  world.outcomes.set(name, (world.outcomes.get(name) ?? 0) + 1)
}

async function makePartner(
  world: World,
  facts: { priceFactor: number; perOrderLimit?: number | null; dailyLimit?: number | null },
): Promise<Partner> {
  const made = await demand(
    world,
    dashboard('POST', '/partners', { name: 'Partner', ...facts }),
    201,
  )
  const id = text(made, 'id')
  const keyOf = async (mode: Mode): Promise<string> =>
    text(await demand(world, dashboard('POST', `/partners/${id}/keys`, { mode }), 201), 'key')
  const limit = (given: number | null | undefined, preset: number): number | null =>
    given === undefined ? preset : given === null ? null : Math.round(given * 100)
  return {
    id,
    keys: { live: await keyOf('live'), test: await keyOf('test') },
    factor: Math.round(facts.priceFactor * 1000),
    perOrderLimit: limit(facts.perOrderLimit, 250_000),
    dailyLimit: limit(facts.dailyLimit, 1_000_000),
    balance: { live: 0, test: 0 },
    movements: { live: [], test: [] },
    references: [],
  }
}

async function makeSeller(world: World, commission: Record<string, number>): Promise<Seller> {
  const id = text(
    await demand(world, dashboard('POST', '/sellers', { name: 'Seller', commission }), 201),
    'id',
  )
  const key = text(await demand(world, dashboard('POST', `/sellers/${id}/keys`, {}), 201), 'key')
  const hundredths = (percent: number | undefined, preset: number): number =>
    percent === undefined ? preset : Math.round(percent * 100)
  return {
    id,
    key,
    percent: {
      keys: hundredths(commission['keys'], 1000),
      accounts_and_gifts: hundredths(commission['accounts_and_gifts'], 1500),
      special_subscriptions: hundredths(commission['special_subscriptions'], 2000),
    },
  }
}

/**
 * A new service with three partners and three sellers with different terms, and a model of them.
 */
export async function begin(): Promise<{ model: Model; real: World }> {
  const system = await startSystem()
  let drawn = 0
  const real: World = {
    system,
    outcomes: new Map(),
    sent: [],
    values: [],
    operations: 0,
    next: () => (drawn += 1),
  }
  const model = emptyModel(BEGINNING)
  model.partners.push(
    await makePartner(real, { priceFactor: 1 }),
    await makePartner(real, { priceFactor: 1.055, perOrderLimit: 60, dailyLimit: 150 }),
    await makePartner(real, { priceFactor: 0.333, perOrderLimit: null, dailyLimit: null }),
  )
  model.sellers.push(
    await makeSeller(real, {}),
    await makeSeller(real, { keys: 12.5, accounts_and_gifts: 7.77 }),
    await makeSeller(real, { keys: 0, special_subscriptions: 33.33 }),
  )
  return { model, real }
}
