/**
 * The real service in this process: its HTTP application over its own database, with a clock that
 * moves only on request.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { payloadOf } from '../../../server/api/encode.ts'
import type { Endpoints } from '../../../server/api/endpoints/endpoints.ts'
import type { Call, CallerOf, HandlerInput } from '../../../server/api/handlers.ts'
import { type Mode, scopes } from '../../../server/api/schemas/enums.ts'
import { createIds } from '../../../server/domain/environment/ids.ts'
import type { Store } from '../../../server/domain/ports/store.ts'
import { emptySeed } from '../../../server/domain/testing/seed-in-one-part.ts'
import { createService, type Service } from '../../../server/domain/service.ts'
import { createApp } from '../../../server/http/app.ts'
import { openStore } from '../../../server/store/store.ts'

/** The start time of every run. */
export const BEGINNING = Date.parse('2026-03-01T12:00:00.000Z')

export const DASHBOARD = 'dashboard-token'

export type Answer = { status: number; text: string; body: unknown }

export type Asking = {
  key: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  repeat?: string | undefined
}

export type System = {
  call(asking: Asking): Promise<Answer>
  /**
   * The responses to the dashboard's and the first partner's reads, without HTTP: for checks after
   * every operation.
   */
  look<Op extends 'getPartner' | 'listProducts'>(
    operation: Op,
    caller: CallerOf<Endpoints[Op]['api']>,
    input: Partial<HandlerInput<Op>>,
  ): Promise<unknown>
  /** Cents of all accounts by mode; zero if the books are correct. */
  sums(): Record<Mode, number>
  /** Stops the service and starts it again on the same folder. */
  restart(): Promise<void>
  /** Failures that the service reported. */
  told(): string[]
  close(): Promise<void>
}

/**
 * Every commit waits for its disk as in production. The disk is in memory where available, because
 * logic is tested here.
 */
const room = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export async function startSystem(): Promise<System> {
  const folder = mkdtempSync(path.join(room, 'keydesk-model-'))
  const errors: string[] = []
  const log = {
    info: () => {},
    error: (message: string, fields?: object) =>
      void errors.push(`${message} ${JSON.stringify(fields ?? {})}`),
  }
  const clock = { now: () => BEGINNING }
  let drawn = 0
  const random = {
    bytes(count: number) {
      drawn += 1
      return createHash('shake256', { outputLength: count }).update(`model ${drawn}`).digest()
    },
  }
  const ids = createIds(clock, random)
  const webhookNetwork = {
    send: () => Promise.resolve({ status: null, error: 'no receiver', durationMs: 0 }),
    loopback: true,
  }

  function start(): { store: Store; service: Service; app: FastifyInstance } {
    const store = openStore(folder)
    const service = createService({
      store,
      clock,
      ids,
      random,
      log,
      seedWorld: emptySeed,
      webhookNetwork,
    })
    const app = createApp({
      handlers: service.handlers,
      faults: service.faults,
      access: service.access,
      rates: null,
      dashboardToken: DASHBOARD,
      requestLog: null,
      pictures: () => null,
      log,
      newRequestId: () => ids.next('req'),
      now: () => service.clock.now(),
      origin: () => 'http://127.0.0.1:4600',
      prove: () => ({ hmac: '', publicKey: '', signature: '' }),
    })
    service.start({ seed: 'empty', products: 0 })
    return { store, service, app }
  }

  async function stop({ app, service, store }: ReturnType<typeof start>): Promise<void> {
    await app.close()
    await service.stop()
    store.close()
  }

  let running = start()
  return {
    async call({ key, method, path: url, body, repeat }) {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(repeat !== undefined && { 'idempotency-key': repeat }),
      }
      const answer = await running.app.inject({
        method,
        url,
        headers,
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      return {
        status: answer.statusCode,
        text: answer.payload,
        body: answer.payload === '' ? null : (JSON.parse(answer.payload) as unknown),
      }
    },
    async look(operation, caller, input) {
      const handler = running.service.handlers[operation]
      if (!handler) throw new Error(`no ${operation}`)
      const call: Call = {
        requestId: 'req_look',
        caller,
        address: '127.0.0.1',
        origin: 'http://127.0.0.1:4600',
        idempotency: null,
        withoutBody: false,
        signal: new AbortController().signal,
      }
      const answer = await handler(
        call as never,
        { params: {}, query: {}, body: undefined, ...input } as never,
      )
      const payload = payloadOf(operation, answer as never)
      return JSON.parse(
        payload instanceof Uint8Array ? Buffer.from(payload).toString() : (payload ?? 'null'),
      ) as unknown
    },
    sums() {
      const sums = { live: 0, test: 0 }
      for (const { mode, balance } of running.store.ledger.balances()) sums[mode] += balance
      return sums
    },
    async restart() {
      await stop(running)
      running = start()
    },
    told: () => errors.splice(0),
    async close() {
      await stop(running)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const asDashboard = { kind: 'dashboard' } as const
export const asPartner = (partnerId: string) =>
  ({ kind: 'partner', partnerId, keyId: 'apk_look', mode: 'live', scopes }) as const
