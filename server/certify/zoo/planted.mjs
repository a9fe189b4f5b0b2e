/**
 * A handler with one planted bug, or none: one line of a log file records an order and hands on its
 * units. `node planted.mjs FOLDER BUG`
 */
import { createServer } from 'node:http'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  ageOf,
  finalOrder,
  isSigned,
  rawBody,
  signatureOf,
  stateOf,
  TOLERANCE_S,
} from './verified.mjs'

const [, , folder = '.', bug = 'none'] = process.argv
const has = (/** @type {string} */ name) => bug === name
const log = join(folder, 'handed-on.jsonl')
const marks = join(folder, 'marks.txt')
const lines = (/** @type {string} */ path) =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []

/** @typedef {{ id: string, status: string, units: string[] }} Order */
/** @type {Map<string, Order[]>} */
const handedOn = new Map()
/** Orders that are not handed on again; events or deliveries with some of the bugs. */
const done = new Set(lines(marks))

/** @param {Order} order */
const remember = (order) => handedOn.set(order.id, [...(handedOn.get(order.id) ?? []), order])
for (const line of lines(log)) {
  const order = JSON.parse(line)
  remember(order)
  if (!has('forgets-at-restart') && !has('ships-then-marks')) done.add(order.id)
}

/** @param {Order} order */
function handOn(order) {
  appendFileSync(log, `${JSON.stringify(order)}\n`)
  remember(order)
}
/** @param {string} id */
function mark(id) {
  appendFileSync(marks, `${id}\n`)
  done.add(id)
}

let newest = ''

/** @typedef {{ id: string, event: string, mode: string, createdAt: string, data: { id: string } }} Event */

/** What identifies a repeat. @param {Event} event @param {string} delivery */
const repeatedBy = (event, delivery) => (has('trusts-delivery-id') ? delivery : event.data.id)

/** @param {Event} event @param {string} delivery */
async function work(event, delivery) {
  const repeat = repeatedBy(event, delivery)
  if (done.has(repeat)) return
  if (has('marks-then-ships')) {
    mark(repeat)
    await delay(10)
    handOn(await finalOrder(event.data.id))
    return
  }
  const order = await finalOrder(event.data.id)
  if (has('records-the-wrong-state')) order.status = order.units.length > 0 ? 'completed' : 'failed'
  if (has('hands-on-one-unit')) order.units = order.units.slice(0, 1)
  // The check and the write belong together: nothing may be awaited in between.
  if (done.has(repeat) && !has('checks-too-early')) return
  handOn(order)
  if (has('ships-then-marks')) {
    await delay(10)
    mark(repeat)
  } else if (has('trusts-delivery-id')) mark(repeat)
  else done.add(repeat)
}

/** @param {import('node:http').IncomingMessage} request @param {Buffer} body */
function isTrusted(request, body) {
  const signature = signatureOf(request)
  if (has('trusts-everyone')) return true
  if (signature === null) return has('trusts-unsigned')
  const signed = has('signs-parsed-json') ? JSON.stringify(JSON.parse(String(body))) : body
  if (!isSigned(signature, signed)) return false
  const age = ageOf(signature)
  if (has('ignores-the-time')) return true
  return has('accepts-the-future') ? age <= TOLERANCE_S : Math.abs(age) <= TOLERANCE_S
}

/** @param {import('node:http').IncomingMessage} request */
async function statusFor(request) {
  const body = has('ends-on-a-cut-body')
    ? await rawBody(request).catch(() => process.exit(1))
    : await rawBody(request)
  /** @type {Event} */
  const event = JSON.parse(body.toString('utf8'))
  if (has('remembers-before-verifying')) {
    if (done.has(event.id)) return 204
    done.add(event.id)
  }
  if (!isTrusted(request, body)) return 401
  if (has('fails-on-other-events') && event.data.id === undefined) return 500
  if (!event.event.startsWith('order.')) return 204
  if (event.mode !== 'live') {
    if (has('treats-test-as-live')) handOn({ id: event.data.id, status: 'completed', units: [] })
    return 204
  }
  if (has('ignores-partial-orders') && event.event === 'order.partially_completed') return 204
  if (has('drops-older-events') && event.createdAt < newest) return 204
  newest = event.createdAt
  if (has('answers-late')) await delay(400)
  await work(event, String(request.headers['x-svc-delivery']))
  return 204
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://handler')
  if (url.pathname === '/state') {
    response.end(stateOf(url.searchParams, (id) => handedOn.get(id) ?? []))
    return
  }
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(503).end(),
  )
}).listen(Number(process.env['PORT']), '127.0.0.1')
