/**
 * The yardstick of durable orders, run as a separate process: the two transactions of an order
 * (accept, deliver) in SQLite alone, on a copy of the service's own database. The same rows,
 * tables, indexes and triggers, the chained ledger, the encrypted key read and hashed, synchronous
 * FULL; no HTTP, no checks, no limits, no price lookup. `group`: how many orders share a
 * transaction.
 */
import { createHash, hash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { cents } from '../../server/api/money.ts'
import { entryHash } from '../../server/domain/ledger/ledger-chain.ts'
import type { EntryType, Posting } from '../../server/domain/ports/ordering/ledger.ts'
import { openDatabase } from '../../server/store/database/database.ts'
import { cpuMsOf } from './processes.ts'

export type BareJob = {
  readonly folder: string
  readonly orders: number
  readonly group: number
  readonly name: string
  readonly products: readonly string[]
}
export type BareResult = { readonly perSecond: number; readonly cpuMsAnOrder: number | null }

const { folder, orders, group, name, products } = JSON.parse(await text(process.stdin)) as BareJob
const { database, close } = openDatabase(folder)

const price = cents(100)
const day = 86_400_000
const one = <Row>(sql: string) => database.prepare<[string], Row>(sql)
const offers = new Map(
  products.map((id) => [
    id,
    one<{ no: number; seller: string; price: number; customer: number }>(
      'SELECT no, seller_id AS seller, price, customer_price AS customer FROM offers WHERE product_id = ?',
    ).get(id),
  ]),
)
const partner = database.prepare<[], string>('SELECT id FROM partners LIMIT 1').pluck().get() ?? ''
const first = database
  .prepare<[], { no: number; hash: Uint8Array }>(
    'SELECT no, hash FROM ledger_entries ORDER BY no DESC LIMIT 1',
  )
  .get()
let head = first ?? { no: 0, hash: new Uint8Array(32) }
let spent =
  database
    .prepare<[string], number>('SELECT coalesce(sum(total), 0) FROM orders WHERE partner_id = ?')
    .pluck()
    .get(partner) ?? 0

const sql = {
  unit: database
    .prepare<[number], number>(
      `SELECT no FROM units WHERE offer_no = ? AND state = 'in_stock' ORDER BY no LIMIT 1`,
    )
    .pluck(),
  order: database.prepare(`INSERT INTO orders (id, partner_id, external_id, mode, status, total,
        refunded, spent_before, created_at, completed_at, due_at, first_downloaded_at)
    VALUES (@id, @partner, @id, 'live', 'processing', @price, 0, @spent, @at, NULL, @at, NULL)`),
  line: database.prepare(`INSERT INTO order_lines (order_no, line, product_id, name, delivery_type,
      qty, unit_price, status, delivered_qty, due_at, give_up_at)
    VALUES (@no, 1, @product, 'A product of the benchmark', 'key', 1, @price, 'processing', 0, @at, @at)`),
  move: database
    .prepare<{ account: string; amount: number }, number>(
      `INSERT INTO ledger_accounts (mode, name, balance) VALUES ('live', @account, @amount)
    ON CONFLICT (mode, name) DO UPDATE SET balance = balance + excluded.balance RETURNING balance`,
    )
    .pluck(),
  entry: database.prepare(`INSERT INTO ledger_entries (no, mode, type, at, order_id, reference,
        partner_id, amount, balance_after, hash)
    VALUES (@no, @mode, @type, @at, @orderId, @reference, @partnerId, @amount, @balanceAfter, @hash)`),
  posting: database.prepare(
    'INSERT INTO ledger_postings (entry_no, account, amount) VALUES (@no, @account, @amount)',
  ),
  unitState: database.prepare('UPDATE units SET state = @to WHERE no = @no AND state = @from'),
  orderUnit:
    database.prepare(`INSERT INTO order_units (id, order_no, line, unit_no, offer_no, price,
        customer_price, state, test_value, delivered_at)
    VALUES (@id, @order, 1, @unit, @offer, @price, @customer, 'reserved', NULL, NULL)`),
  offer: database.prepare(
    'UPDATE offers SET stock = stock + @stock, reserved = reserved + @reserved, sold = sold + @sold WHERE no = @no',
  ),
  answer: database.prepare(`INSERT OR REPLACE INTO idempotency (scope, key, digest, status, body,
        order_id, holds_keys, expires_at)
    VALUES ('bare', @key, @digest, @status, @body, @order, 0, @until)`),
  value: database.prepare<[number], string>('SELECT unseal(value) FROM units WHERE no = ?').pluck(),
  delivered: database.prepare(
    `UPDATE order_units SET state = 'delivered', delivered_at = @at WHERE no = @no`,
  ),
  sale: database.prepare(`INSERT INTO sales (id, seller_id, order_unit_no, price, customer_price,
      unit_price, status, sold_at, release_at, key_sha256)
    VALUES (@id, @seller, @unit, @price, @customer, @customer, 'pending', @at, @release, @sha)`),
  final: database.prepare(
    `UPDATE orders SET status = 'completed', completed_at = @at, due_at = NULL WHERE no = @no`,
  ),
  finalLine: database.prepare(
    `UPDATE order_lines SET status = 'completed', delivered_qty = 1 WHERE order_no = @no AND line = 1`,
  ),
}

function book(
  type: EntryType,
  at: number,
  orderId: string,
  owner: string | null,
  postings: readonly Posting[],
): void {
  let balanceAfter = null
  for (const { account, amount } of postings) {
    const balance = sql.move.get({ account, amount })
    if (owner !== null && account === `partner:${owner}`) balanceAfter = cents(balance ?? 0)
  }
  const entry = {
    no: head.no + 1,
    mode: 'live' as const,
    type,
    at,
    orderId,
    reference: null,
    partnerId: owner,
    amount: owner === null ? null : cents(-price),
    balanceAfter,
    postings,
  }
  head = { no: entry.no, hash: entryHash(head.hash, entry) }
  const { postings: _, ...row } = entry
  sql.entry.run({ ...row, hash: head.hash })
  for (const { account, amount } of postings) sql.posting.run({ no: entry.no, account, amount })
}

type Accepted = {
  id: string
  key: string
  no: number
  unit: number
  orderUnit: number
  offer: NonNullable<ReturnType<typeof offers.get>>
}

function accept(index: number, at: number): Accepted {
  const product = products[index % products.length] ?? ''
  const offer = offers.get(product)
  const unit = offer && sql.unit.get(offer.no)
  if (offer === undefined || unit === undefined) throw new Error(`no stock left of ${product}`)
  const id = `ord_${name}_${index}`
  const key = `${name}-key-${index}`
  const no = Number(sql.order.run({ id, partner, price, spent, at }).lastInsertRowid)
  spent += price
  sql.line.run({ no, product, price, at })
  book('order_debit', at, id, partner, [
    { account: `partner:${partner}`, amount: cents(-price) },
    { account: 'platform:orders', amount: price },
  ])
  sql.unitState.run({ no: unit, from: 'in_stock', to: 'reserved' })
  const orderUnit = Number(
    sql.orderUnit.run({
      id: `key_${name}_${index}`,
      order: no,
      unit,
      offer: offer.no,
      price: offer.price,
      customer: offer.customer,
    }).lastInsertRowid,
  )
  sql.offer.run({ no: offer.no, stock: -1, reserved: 1, sold: 0 })
  sql.answer.run({
    key,
    digest: createHash('sha256').update(key).digest(),
    status: null,
    body: null,
    order: id,
    until: at + day,
  })
  return { id, key, no, unit, orderUnit, offer }
}

function deliver({ id, key, no, unit, orderUnit, offer }: Accepted, at: number): void {
  sql.unitState.run({ no: unit, from: 'reserved', to: 'sold' })
  const sha = hash('sha256', sql.value.get(unit) ?? '', 'buffer')
  sql.delivered.run({ no: orderUnit, at })
  sql.offer.run({ no: offer.no, stock: 0, reserved: -1, sold: 1 })
  sql.sale.run({
    id: `sal_${id}`,
    seller: offer.seller,
    unit: orderUnit,
    price: offer.price,
    customer: offer.customer,
    at,
    release: at + 7 * day,
    sha,
  })
  book('order_settlement', at, id, null, [
    { account: 'platform:orders', amount: cents(-price) },
    { account: `seller:${offer.seller}:pending`, amount: cents(offer.price) },
    { account: 'platform:margin', amount: cents(price - offer.price) },
  ])
  sql.final.run({ no, at })
  sql.finalLine.run({ no })
  const body = JSON.stringify({
    id,
    externalId: id,
    mode: 'live',
    status: 'completed',
    currency: 'EUR',
    total: 1,
    refunded: 0,
    createdAt: new Date(at).toISOString(),
    items: [{ line: 1, qty: 1 }],
  })
  sql.answer.run({
    key,
    digest: createHash('sha256').update(key).digest(),
    status: 201,
    body,
    order: id,
    until: at + day,
  })
}

const together = (work: () => Accepted[]): Accepted[] => database.transaction(work).immediate()
const cpuBefore = cpuMsOf(process.pid)
const began = performance.now()
for (let from = 0; from < orders; from += group) {
  const at = Date.now()
  const count = Math.min(group, orders - from)
  const accepted = together(() =>
    Array.from({ length: count }, (_, index) => accept(from + index, at)),
  )
  together(() => {
    for (const order of accepted) deliver(order, at)
    return accepted
  })
}
const seconds = (performance.now() - began) / 1000
const cpuAfter = cpuMsOf(process.pid)
close()
const cpuMsAnOrder =
  cpuBefore === null || cpuAfter === null
    ? null
    : Math.round(((cpuAfter - cpuBefore) / orders) * 1000) / 1000
process.stdout.write(
  `${JSON.stringify({ perSecond: Math.round(orders / seconds), cpuMsAnOrder } satisfies BareResult)}\n`,
)
