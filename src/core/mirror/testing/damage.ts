import { closeSync, openSync, writeSync } from 'node:fs'
import { catalogueSchema } from '../../catalogue/schema.ts'
import { generatedProducts, putProducts } from '../../catalogue/testing/products.ts'
import { openDatabase } from '../database/open-database.ts'

/** Writes a database of products with free pages. */
export function writeProducts(to: string): void {
  const db = openDatabase(to, [catalogueSchema])
  putProducts(db, generatedProducts(600))
  db.exec('DELETE FROM product_texts WHERE rid % 3 = 0')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

export const PAGE = 4096

export function overwritePage(target: string, page: number, fill: number): void {
  const open = openSync(target, 'r+')
  writeSync(open, Buffer.alloc(PAGE, fill), 0, PAGE, page * PAGE)
  closeSync(open)
}
