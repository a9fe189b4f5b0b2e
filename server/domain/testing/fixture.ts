import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson } from '../../api/canonical-json.ts'
import { payloadOf } from '../../api/encode.ts'
import { endpointOf } from '../../api/endpoints/endpoints.ts'
import type {
  ResultOf,
  Call,
  Caller,
  CallerOf,
  EncodedResponse,
  HandlerInput,
  OperationId,
  PartnerCaller,
  SellerCaller,
} from '../../api/handlers.ts'
import type { Endpoints } from '../../api/endpoints/endpoints.ts'
import { openStore } from '../../store/store.ts'
import { createIds } from '../environment/ids.ts'
import type { Random } from '../ports/environment.ts'
import { noMarket, type SimulateMarket } from '../ports/market.ts'
import type { Store } from '../ports/store.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'
import type { SendWebhook } from '../ports/ordering/webhooks.ts'
import type { Seed, SeedOptions } from '../ports/seeding.ts'
import { emptySeed } from './seed-in-one-part.ts'
import { createService, type Service } from '../service.ts'

/** The computer's clock, which tests can move. */
export interface TestClock {
  now(): number
  move(ms: number): void
}

export function createTestClock(start = Date.parse('2026-03-01T12:00:00.000Z')): TestClock {
  let now = start
  return { now: () => now, move: (ms) => void (now += ms) }
}

let drawnByAll = 0

/**
 * Bytes that look random but are the same in every run. Two services never draw the same bytes.
 *
 * @param name gives a service its own sequence. Without it, the bytes depend on the tests that ran
 *   before in the same process.
 */
export function createTestRandom(name?: string): Random {
  let drawn = 0
  return {
    bytes(count) {
      const place = name === undefined ? `test ${(drawnByAll += 1)}` : `${name} ${(drawn += 1)}`
      return createHash('shake256', { outputLength: count }).update(place).digest()
    },
  }
}

type CallerFor<Op extends OperationId> = CallerOf<Endpoints[Op]['api']>
type Body<Op extends OperationId> =
  ResultOf<Op> extends { body?: infer B } ? Exclude<B, undefined> : never

export interface Reply<Op extends OperationId> {
  status: number
  /** Parsed by the contract's strict schema, with money in cents. */
  body: Body<Op>
  /** The JSON text of the response. */
  json: string | null
}

export interface RunOptions {
  key?: string
  path?: string
  requestId?: string
}

export interface TestService {
  service: Service
  store: Store
  clock: TestClock
  folder: string
  /** Runs an operation as the HTTP layer does, and checks the response against the contract. */
  run<Op extends OperationId>(
    operation: Op,
    caller: CallerFor<Op>,
    input?: Partial<HandlerInput<Op>>,
    options?: RunOptions,
  ): Promise<Reply<Op>>
  /** Returns and clears the logged errors. `close` fails when any are left. */
  takeErrors(): string[]
  /** Resolves when no order is due any more. Rejects when one stays due. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface TestServiceOptions {
  folder?: string
  clock?: TestClock
  supplier?: Supplier
  /** Receives webhook events. Without it every attempt fails immediately. */
  send?: SendWebhook
  seedWorld?: Seed
  simulateMarket?: SimulateMarket
  world?: SeedOptions
  /**
   * False when a test simulates no crash of the computer, so that commits do not wait for the disk.
   */
  durable?: boolean
  /** Gives the service its own sequence of random bytes, see {@link createTestRandom}. */
  randomName?: string
  /** False to leave the service stopped, so that no due work runs. */
  started?: boolean
}

/** More turns of the event loop than the delivery of any test's orders takes. */
const MAX_TURNS = 20_000

export const dashboard = { kind: 'dashboard' } as const

/** The real service on a real database in its own folder. */
export function createTestService(options: TestServiceOptions = {}): TestService {
  const {
    clock = createTestClock(),
    folder = mkdtempSync(join(tmpdir(), 'keydesk-')),
    started = true,
  } = options
  const store = openStore(folder, { durable: options.durable ?? true })
  const random = createTestRandom(options.randomName)
  const errors: string[] = []
  const log = { info: () => {}, error: (message: string) => void errors.push(message) }
  const seedWorld = options.seedWorld ?? emptySeed
  const simulateMarket = options.simulateMarket ?? noMarket
  const supplier = options.supplier ? { supplier: options.supplier } : {}
  const send = options.send ?? (async () => ({ status: null, error: 'no receiver', durationMs: 0 }))
  const webhookNetwork = { send, loopback: true }
  const service = createService({
    store,
    clock,
    ids: createIds(clock, random),
    random,
    log,
    seedWorld,
    program: () => 'test',
    simulateMarket,
    webhookNetwork,
    ...supplier,
  })
  if (started) service.start(options.world ?? { seed: 'empty', products: 0 })

  return {
    service,
    store,
    clock,
    folder,
    async run(operation, caller, input = {}, given = {}) {
      const handler = service.handlers[operation]
      if (!handler) throw new Error(`no handler for ${operation}`)
      const call = callOf(operation, caller, input.body, given)
      const answer = await handler(
        call as never,
        {
          params: {},
          query: {},
          body: undefined,
          ...input,
        } as never,
      )
      return reply(operation, {
        status: answer.status,
        json: bodyOf(operation, answer as never),
      })
    },
    takeErrors: () => errors.splice(0),
    async settled() {
      const isDue = () =>
        (store.orders.nextDueAt() ?? Number.POSITIVE_INFINITY) <= service.clock.now()
      for (let turns = 0; isDue(); turns += 1) {
        if (turns === MAX_TURNS) throw new Error('an order stays due')
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    async close() {
      await service.stop()
      store.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true })
      if (errors.length > 0) throw new Error(`the service logged errors: ${errors.join('; ')}`)
    },
  }
}

function callOf(
  operation: OperationId,
  caller: Caller,
  body: unknown,
  { key, path, requestId = 'req_1' }: RunOptions,
): Call {
  const method = endpointOf(operation).method
  const idempotency =
    key === undefined
      ? null
      : { key, method, path: path ?? `/${operation}`, canonicalBody: canonicalJson(body ?? {}) }
  const signal = new AbortController().signal
  return {
    requestId,
    caller,
    address: '127.0.0.1',
    origin: 'http://127.0.0.1:4600',
    idempotency,
    withoutBody: false,
    signal,
  }
}

/** The body as text, whichever form a handler returned. */
function bodyOf(operation: OperationId, answer: Parameters<typeof payloadOf>[1]): string | null {
  const payload = payloadOf(operation, answer)
  return payload instanceof Uint8Array ? Buffer.from(payload).toString() : payload
}

function reply<Op extends OperationId>(
  operation: Op,
  { status, json }: EncodedResponse,
): Reply<Op> {
  const answers = endpointOf(operation).responses
  const schema = answers[status]
  if (schema === undefined) throw new Error(`${operation} can't return ${status}`)
  const body = schema === null ? undefined : schema.strict.parse(JSON.parse(json ?? ''))
  return { status, json, body: body as Body<Op> }
}

export const partnerCaller = (
  partnerId: string,
  mode: PartnerCaller['mode'] = 'live',
): PartnerCaller => ({
  kind: 'partner',
  partnerId,
  keyId: 'apk_test',
  mode,
  scopes: ['catalog:read', 'orders:write', 'orders:read', 'balance:read'],
})

export const sellerCaller = (sellerId: string): SellerCaller => ({
  kind: 'seller',
  sellerId,
  keyId: 'apk_test',
})
