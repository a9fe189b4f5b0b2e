import type { Database } from 'better-sqlite3'
import type {
  DeliveredUnit,
  NewOrderUnit,
  NewSale,
  OrderRepository,
  OrderUnitRecord,
} from '../../domain/ports/ordering/orders.ts'

type UnitFunctions = Pick<
  OrderRepository,
  'addUnit' | 'reservedUnits' | 'setUnit' | 'delivered' | 'addSale'
>

/** Units reserved for or delivered to orders, and their sales. */
export function createOrderUnits(database: Database): UnitFunctions {
  const add = database.prepare<NewOrderUnit>(`
    INSERT INTO order_units (id, order_no, line, unit_no, offer_no, price, customer_price, state, test_value,
      delivered_at)
    VALUES (@id, @orderNo, @line, @unitNo, @offerNo, @price, @customerPrice, @state, @testValue, @deliveredAt)`)
  const reserved = database.prepare<{ orderNo: number; line: number }, OrderUnitRecord>(`
    SELECT no, id, line, unit_no AS unitNo, offer_no AS offerNo, price, customer_price AS customerPrice, state
    FROM order_units WHERE order_no = @orderNo AND line = @line AND state = 'reserved' ORDER BY no`)
  const set = database.prepare<{ no: number; state: string; at: number | null }>(
    'UPDATE order_units SET state = @state, delivered_at = @at WHERE no = @no',
  )
  const delivered = database.prepare<{ orderNo: number }, DeliveredUnit>(`
    SELECT u.id, u.line, l.product_id AS productId, l.delivery_type AS deliveryType,
      coalesce(s.content_type, 'text/plain') AS contentType, coalesce(u.test_value, unseal(s.value)) AS value,
      u.delivered_at AS deliveredAt
    FROM order_units u
      JOIN order_lines l ON l.order_no = u.order_no AND l.line = u.line
      LEFT JOIN units s ON s.no = u.unit_no
    WHERE u.order_no = @orderNo AND u.state = 'delivered'
    ORDER BY u.line, u.delivered_at, u.no`)
  const addSale = database.prepare<NewSale>(`
    INSERT INTO sales (id, seller_id, order_unit_no, price, customer_price, unit_price, status, sold_at,
      release_at, key_sha256)
    VALUES (@id, @sellerId, @orderUnitNo, @price, @customerPrice, @unitPrice, 'pending', @soldAt, @releaseAt,
      @keySha256)`)

  return {
    addUnit: (unit) => Number(add.run(unit).lastInsertRowid),
    reservedUnits: (orderNo, line) => reserved.all({ orderNo, line }),
    setUnit: (no, state, at) => void set.run({ no, state, at }),
    delivered: (orderNo) => delivered.all({ orderNo }),
    addSale: (sale) => void addSale.run(sale),
  }
}
