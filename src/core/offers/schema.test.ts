import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrate } from '../mirror/database/migrate.ts'
import { createMirrors } from '../mirror/files/mirrors.ts'
import { temporaryFolder } from '../testing/context.ts'
import { offersSchemas } from './schema.ts'
import { offerStore } from './store.ts'

/** The steps of the mirror's tables before customer prices were recorded. */
const STEPS_BEFORE = 7

test('records the present customer price when earlier readings don’t have theirs', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'mirrors'), { recursive: true })
  const old = new SqliteDatabase(join(folder.path, 'mirrors', 'a.db'))
  const mirror = offersSchemas.find(
    ({ feature, place }) => feature === 'offers' && place !== 'journal',
  )
  if (mirror === undefined) throw new Error('offers have no mirror')
  migrate(old, [{ ...mirror, steps: mirror.steps.slice(0, STEPS_BEFORE) }])
  old.exec(`
    INSERT INTO offers (rid, offer_id, name, name_key, platform, region, product_type,
      delivery_type, price_cents, customer_cents, status, stock, sold, is_cheapest, round, seen_at)
    VALUES (1, 'off_1', 'One', 'one', '', '', 'game', 'key', 900, 1080, 'active', 5, 0, 1, 1, 30);
    INSERT INTO offer_history VALUES (1, 10, 1000, NULL, 1, 5), (1, 20, 900, NULL, 1, 5)`)
  old.close()
  const mirrors = createMirrors(folder.path, offersSchemas)
  const prices = offerStore(mirrors.database('a'))
    .history(1)
    .map((each) => [each.at, each.price_cents, each.customer_cents])
  expect(prices).toEqual([
    [10, 1000, null],
    [20, 900, null],
    [30, 900, 1080],
  ])
  mirrors.close()
  folder.remove()
})
