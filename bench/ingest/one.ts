/*
 * One measurement of the ingest: `node one.ts mirror|bare PRODUCTS FILE`; writes one line of JSON.
 */
import SqliteDatabase from 'better-sqlite3'
import { countProducts } from '../../src/core/catalogue/records/facets.ts'
import { benchProduct } from '../support/catalogue.ts'
import { fillMirror, msSince } from '../support/mirror.ts'

const [what, size, file = ''] = process.argv.slice(2)
const products = Number(size)

function fillBare(): { held: number; cpuMs: number } {
  const db = new SqliteDatabase(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(
    `CREATE TABLE products (product_id TEXT PRIMARY KEY, name TEXT, platform TEXT, region TEXT,
        price INTEGER, body TEXT) STRICT`,
  )
  const insert = db.prepare(
    'INSERT INTO products VALUES (:productId, :name, :platform, :region, :priceCents, :body)',
  )
  let cpuMs = 0
  for (let from = 0; from < products; from += 100) {
    const page = Array.from({ length: Math.min(100, products - from) }, (_, i) =>
      benchProduct(from + i),
    )
    const began = process.cpuUsage()
    db.transaction(() => {
      for (const { productId, name, platform, region, priceCents, texts } of page)
        insert.run({ productId, name, platform, region, priceCents, body: texts })
    })()
    cpuMs += msSince(began)
  }
  const held = db.prepare('SELECT count(*) FROM products').pluck().get() as number
  db.close()
  return { held, cpuMs }
}

async function fill(): Promise<{ held: number; cpuMs: number; finishCpuMs: number }> {
  if (what === 'bare') return { ...fillBare(), finishCpuMs: 0 }
  let cpuMs = 0
  const { db, finishCpuMs } = await fillMirror(file, products, (_, cpu) => {
    cpuMs = cpu
  })
  const held = countProducts(db)
  db.close()
  return { held, cpuMs: cpuMs + finishCpuMs, finishCpuMs }
}

const began = performance.now()
const { held, cpuMs, finishCpuMs } = await fill()
process.stdout.write(
  JSON.stringify({
    products: held,
    perCpuSecond: Math.round(products / (cpuMs / 1000)),
    perSecond: Math.round(products / ((performance.now() - began) / 1000)),
    finishCpuMs: Math.round(finishCpuMs),
    residentMB: Math.round(process.resourceUsage().maxRSS / 1024),
  }),
)
