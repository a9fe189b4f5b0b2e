/** The client of the probes: a careful shop that talks to a double over HTTP. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { wire } from '../backend/service.ts'
import type { Product, RunningDouble } from './double.ts'

const FINAL_WITHIN_MS = 6000
const ANSWER_WITHIN_MS = 10_000

export type Order = {
  readonly id?: unknown
  readonly externalId?: unknown
  readonly status?: unknown
  readonly total?: unknown
  readonly refunded?: unknown
}
/** `body`: the parsed answer; an empty object if it is no JSON object or array. */
export type Answer = { readonly status: number; readonly body: object; readonly headers: Headers }
export type Line = { readonly product: Product; readonly qty: number; readonly most?: number }
export type Placed = { readonly externalId: string; readonly idempotencyKey?: string }

export type Shop = ReturnType<typeof createShop>

/** A field of an answer, or undefined. */
export const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null
        ? (part as Record<string, unknown>)[name]
        : undefined,
    value,
  )

export const codeOf = ({ body }: Answer): unknown => field(body, 'error', 'code')

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Entries of a list, which some doubles answer without its envelope. */
export function entriesOf({ body }: Answer): unknown[] {
  const entries = Array.isArray(body) ? body : field(body, 'results')
  return Array.isArray(entries) ? entries : []
}

const bodyOf = (externalId: string, lines: readonly Line[]) => ({
  externalId,
  items: lines.map(({ product: { id, price }, qty, most = price }) => ({
    productId: id,
    qty,
    maxUnitPrice: most,
  })),
})

let made = 0
/** A reference that no order has. */
export const newReference = (): string => `double-${process.pid}-${(made += 1)}`

export function createShop({ baseUrl, key }: Pick<RunningDouble, 'baseUrl' | 'key'>) {
  /** One request; with `patient`, repeated as a 429 asks for. */
  async function call(
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = {},
    patient = true,
  ): Promise<Answer> {
    const answer = await fetch(`${baseUrl}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    const result = {
      status: answer.status,
      body: parsed(await answer.text()),
      headers: answer.headers,
    }
    if (!patient || answer.status !== 429) return result
    await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000)
    return await call(method, target, body, headers, patient)
  }

  const idempotent = (name?: string): Record<string, string> =>
    name === undefined ? {} : { 'idempotency-key': name }

  const place = (
    lines: readonly Line[],
    { externalId, idempotencyKey }: Placed = { externalId: newReference() },
  ): Promise<Answer> =>
    call('POST', '/orders?wait=5', bodyOf(externalId, lines), idempotent(idempotencyKey))

  /** Places an order and closes the connection when the first byte of the answer arrives. */
  async function placeAndLose(
    lines: readonly Line[],
    { externalId, idempotencyKey }: Placed,
  ): Promise<void> {
    const { port, pathname } = new URL(baseUrl)
    const target = `${pathname.replace(/\/$/, '')}/orders?wait=5`
    const body = bodyOf(externalId, lines)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(wire('POST', target, key, body, idempotent(idempotencyKey)))
    await once(socket, 'data', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    socket.destroy()
  }

  /** The order once it is final, or its last state after a few seconds. */
  async function settled(order: Order): Promise<Answer> {
    const limit = performance.now() + FINAL_WITHIN_MS
    for (;;) {
      const answer = await call('GET', `/orders/${String(order.id)}`)
      const open = field(answer.body, 'status') === 'processing'
      if (!open || performance.now() > limit) return answer
      await delay(100)
    }
  }

  return {
    call,
    place,
    placeAndLose,
    settled,
    /** The balance, or null if there is none. */
    async balance(): Promise<number | null> {
      const { status, body } = await call('GET', '/balance')
      const balance = field(body, 'balance')
      return status === 200 && typeof balance === 'number' ? balance : null
    },
    /** Number of orders listed under a reference. */
    async countOf(externalId: string): Promise<number> {
      const listed = entriesOf(await call('GET', `/orders?externalId=${externalId}`))
      return listed.filter((order) => field(order, 'externalId') === externalId).length
    },
    async keysOf(order: Order): Promise<unknown[]> {
      const { body } = await call('GET', `/orders/${String(order.id)}/keys`)
      const keys = Array.isArray(body) ? body : field(body, 'keys')
      return Array.isArray(keys) ? keys : []
    },
  }
}
