/**
 * A correct handler: one transaction of SQLite records the order and hands on its units, and a
 * primary key makes repeats harmless. `node node-sqlite.mjs FOLDER`
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import {
  ageOf,
  finalOrder,
  isSigned,
  rawBody,
  signatureOf,
  stateOf,
  TOLERANCE_S,
} from './verified.mjs'

const database = new Database(join(process.argv[2] ?? '.', 'shop.db'))
database.pragma('journal_mode = WAL')
database.exec(`
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, status TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS handed_on (unit TEXT PRIMARY KEY, order_id TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS handed_on_by_order ON handed_on (order_id);
`)
const isKnown = database.prepare('SELECT 1 FROM orders WHERE id = ?')
const statusOf = database.prepare('SELECT status FROM orders WHERE id = ?').pluck()
const unitsOf = database.prepare('SELECT unit FROM handed_on WHERE order_id = ?').pluck()
const addOrder = database.prepare('INSERT OR IGNORE INTO orders VALUES (?, ?)')
const addUnit = database.prepare('INSERT INTO handed_on VALUES (?, ?)')
const handOn = database.transaction(
  (/** @type {Awaited<ReturnType<typeof finalOrder>>} */ order) => {
    if (addOrder.run(order.id, order.status).changes === 0) return
    for (const unit of order.units) addUnit.run(unit, order.id)
  },
)

/** @param {import('node:http').IncomingMessage} request */
async function statusFor(request) {
  const body = await rawBody(request)
  const signature = signatureOf(request)
  if (signature === null || !isSigned(signature, body)) return 401
  if (Math.abs(ageOf(signature)) > TOLERANCE_S) return 401
  const { event, mode, data } = JSON.parse(body.toString('utf8'))
  if (mode !== 'live' || !event.startsWith('order.')) return 204
  if (isKnown.get(data.id) === undefined) handOn(await finalOrder(data.id))
  return 204
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://handler')
  if (url.pathname === '/state') {
    const order = (/** @type {string} */ id) => {
      const status = statusOf.get(id)
      return status === undefined ? [] : [{ status, units: unitsOf.all(id) }]
    }
    response.end(stateOf(url.searchParams, /** @type {any} */ (order)))
    return
  }
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(503).end(),
  )
}).listen(Number(process.env['PORT']), '127.0.0.1')
