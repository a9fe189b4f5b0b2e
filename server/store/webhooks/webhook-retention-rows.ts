import type { Database } from 'better-sqlite3'
import type { WebhookRepository } from '../../domain/ports/ordering/webhooks.ts'

type Row = { no: number; eventNo: number }

/** Deletes deliveries that ended long ago, and events with their last delivery. */
export function createWebhookRetentionRows(
  database: Database,
): Pick<WebhookRepository, 'firstEnd' | 'deleteEnded' | 'deleteSurplus'> {
  const firstEnd = database
    .prepare<[], number | null>(
      'SELECT min(ended_at) FROM webhook_deliveries WHERE ended_at IS NOT NULL',
    )
    .pluck()
  const ended = database.prepare<{ until: number; limit: number }, Row>(`
    SELECT no, event_no AS eventNo FROM webhook_deliveries WHERE ended_at <= @until ORDER BY ended_at LIMIT @limit`)
  const surplus = database.prepare<{ partnerId: string; keep: number; limit: number }, Row>(`
    SELECT no, event_no AS eventNo FROM webhook_deliveries WHERE partner_id = @partnerId AND ended_at IS NOT NULL
    ORDER BY no DESC LIMIT @limit OFFSET @keep`)
  const dropAttempts = database.prepare<{ no: number }>(
    'DELETE FROM webhook_attempts WHERE delivery_no = @no',
  )
  const dropDelivery = database.prepare<{ no: number }>(
    'DELETE FROM webhook_deliveries WHERE no = @no',
  )
  const dropEvent = database.prepare<{ eventNo: number }>(`
    DELETE FROM webhook_events WHERE no = @eventNo AND NOT EXISTS (SELECT 1 FROM webhook_deliveries
      WHERE event_no = @eventNo)`)

  function drop(rows: readonly Row[]): number {
    for (const { no, eventNo } of rows) {
      dropAttempts.run({ no })
      dropDelivery.run({ no })
      dropEvent.run({ eventNo })
    }
    return rows.length
  }

  return {
    firstEnd: () => firstEnd.get() ?? null,
    deleteEnded: (until, limit) => drop(ended.all({ until, limit })),
    deleteSurplus: (partnerId, keep, limit) => drop(surplus.all({ partnerId, keep, limit })),
  }
}
