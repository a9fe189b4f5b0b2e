/**
 * A correct handler without a database: one file per order, written completely and then renamed to
 * its name, so that an order is handed on completely or not at all. `node node-files.mjs FOLDER`
 */
import { createServer } from 'node:http'
import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ageOf,
  finalOrder,
  isSigned,
  rawBody,
  signatureOf,
  stateOf,
  TOLERANCE_S,
} from './verified.mjs'

const folder = process.argv[2] ?? '.'
const pathOf = (/** @type {string} */ order) => join(folder, `${order}.json`)
let written = 0

/** @param {{ id: string }} order */
async function handOn(order) {
  const part = join(folder, `${process.pid}-${(written += 1)}.part`)
  const file = await open(part, 'w')
  await file.writeFile(JSON.stringify(order))
  await file.sync()
  await file.close()
  // A repeat replaces the file with the same content.
  await rename(part, pathOf(order.id))
}

/** @param {import('node:http').IncomingMessage} request */
async function statusFor(request) {
  const body = await rawBody(request)
  const signature = signatureOf(request)
  if (signature === null || !isSigned(signature, body)) return 401
  if (Math.abs(ageOf(signature)) > TOLERANCE_S) return 401
  const { event, mode, data } = JSON.parse(body.toString('utf8'))
  if (mode !== 'live' || !event.startsWith('order.') || !/^\w+$/.test(data.id)) return 204
  if (!existsSync(pathOf(data.id))) await handOn(await finalOrder(data.id))
  return 204
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://handler')
  if (url.pathname === '/state') {
    const order = (/** @type {string} */ id) =>
      existsSync(pathOf(id)) ? [JSON.parse(readFileSync(pathOf(id), 'utf8'))] : []
    response.end(stateOf(url.searchParams, order))
    return
  }
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(503).end(),
  )
}).listen(Number(process.env['PORT']), '127.0.0.1')
