import DatabaseFile from 'better-sqlite3'
import { expect, it } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { migrations } from '../migrations/index.ts'
import { createWebhookRetentionRows } from './webhook-retention-rows.ts'

it('sets the end of an older database’s deliveries to their last attempt, or to the time of their event', () => {
  const database = new DatabaseFile(':memory:')
  migrate(
    database,
    migrations.filter(({ version }) => version < 6),
  )
  database.exec(`
    INSERT INTO partners (id, name, status, price_factor, ip_allowlist, created_at)
      VALUES ('ptn_1', 'P', 'active', 1, '[]', 0);
    INSERT INTO webhook_events VALUES (1, 'evt_1', 'webhook.test', '{"createdAt":"2026-03-01T12:00:00.250Z"}');
    INSERT INTO webhook_deliveries (no, id, partner_id, event_no, status, next_attempt_at)
      VALUES (1, 'dlv_1', 'ptn_1', 1, 'delivered', NULL), (2, 'dlv_2', 'ptn_1', 1, 'failed', NULL), (3,
        'dlv_3', 'ptn_1', 1, 'pending', 9);
    INSERT INTO webhook_attempts VALUES (1, 1, 5, 500, NULL, 1), (1, 2, 7, 200, NULL, 1);
  `)
  migrate(database)
  expect(
    database.prepare('SELECT ended_at FROM webhook_deliveries ORDER BY no').pluck().all(),
  ).toEqual([7, Date.parse('2026-03-01T12:00:00.250Z'), null])
  const rows = createWebhookRetentionRows(database)
  expect([rows.firstEnd(), rows.deleteEnded(7, 10), rows.deleteSurplus('ptn_1', 0, 10)]).toEqual([
    7, 1, 1,
  ])
  expect(
    database
      .prepare(
        `SELECT (SELECT count(*) FROM webhook_events), (SELECT count(*)
          FROM webhook_attempts), group_concat(id) FROM webhook_deliveries`,
      )
      .raw()
      .get(),
  ).toEqual([1, 0, 'dlv_3'])
  database.close()
})
