/** Shared by the handlers of this folder: the raw body, its signature, and the service's answers. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const {
  KEYDESK_BASE_URL: base,
  KEYDESK_API_KEY: key,
  KEYDESK_WEBHOOK_SECRET: secret = '',
} = process.env
export const TOLERANCE_S = 300

/** @param {import('node:http').IncomingMessage} request */
export async function rawBody(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

/** @param {import('node:http').IncomingMessage} request */
export function signatureOf(request) {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request.headers['x-svc-signature'] ?? ''))
  return match === null ? null : { t: match[1] ?? '', v1: match[2] ?? '' }
}

/**
 * Whether the signature belongs to the body.
 *
 * @param {{ t: string, v1: string }} signature
 * @param {Buffer | string} body
 */
export const isSigned = ({ t, v1 }, body) =>
  timingSafeEqual(
    createHmac('sha256', secret).update(`${t}.`).update(body).digest(),
    Buffer.from(v1, 'hex'),
  )

/** Seconds since the service signed; negative if that is in the future. @param {{ t: string }} signature */
export const ageOf = ({ t }) => Date.now() / 1000 - Number(t)

/** @param {string} path */
export async function ask(path) {
  const answer = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return await answer.json()
}

/**
 * An order that is final, with the ids of its units.
 *
 * @param {string} id
 * @returns {Promise<{ id: string, status: string, units: string[] }>}
 */
export async function finalOrder(id) {
  const { status } = await ask(`/orders/${id}`)
  if (status === 'processing') throw new Error('The order is not final.')
  const { keys } = await ask(`/orders/${id}/keys`)
  return { id, status, units: keys.map((/** @type {{ id: string }} */ unit) => unit.id) }
}

/**
 * The answer of the probe.
 *
 * @param {URLSearchParams} query
 * @param {(order: string) => { status: string, units: string[] }[]} handedOn of an order
 */
export function stateOf(query, handedOn) {
  const ids = (query.get('orders') ?? '').split(',')
  return JSON.stringify({
    units: ids.flatMap((order) =>
      handedOn(order).flatMap(({ units }) => units.map((id) => ({ id, order }))),
    ),
    orders: ids.flatMap((id) => {
      const last = handedOn(id).at(-1)
      return last === undefined ? [] : [{ id, status: last.status }]
    }),
  })
}
