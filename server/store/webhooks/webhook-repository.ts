import type { Database } from 'better-sqlite3'
import type {
  PendingDelivery,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookRepository,
} from '../../domain/ports/ordering/webhooks.ts'
import { createWebhookRetentionRows } from './webhook-retention-rows.ts'

type DeliveryRow = Omit<WebhookDelivery, 'attempts'> & { no: number }

/** The endpoint of each partner. */
function endpointQueries(
  database: Database,
): Pick<WebhookRepository, 'setEndpoint' | 'endpoint' | 'removeEndpoint' | 'failPending'> {
  const put = database.prepare<WebhookEndpoint>(`
    INSERT OR REPLACE INTO webhook_endpoints (partner_id, url, secret, created_at)
    VALUES (@partnerId, @url, @secret, @createdAt)`)
  const endpoint = database.prepare<{ partnerId: string }, WebhookEndpoint>(`
    SELECT partner_id AS partnerId, url, secret, created_at AS createdAt
    FROM webhook_endpoints WHERE partner_id = @partnerId`)
  const remove = database.prepare<{ partnerId: string }>(
    'DELETE FROM webhook_endpoints WHERE partner_id = @partnerId',
  )
  const giveUp = database.prepare<{ partnerId: string; at: number }>(`
    UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, ended_at = @at
    WHERE partner_id = @partnerId AND status = 'pending'`)

  return {
    setEndpoint: (given) => void put.run(given),
    endpoint: (partnerId) => endpoint.get({ partnerId }),
    failPending: (partnerId, at) => void giveUp.run({ partnerId, at }),
    removeEndpoint(partnerId, at) {
      giveUp.run({ partnerId, at })
      return remove.run({ partnerId }).changes > 0
    },
  }
}

/** Events and their deliveries. */
function eventQueries(
  database: Database,
): Pick<
  WebhookRepository,
  'insertEvent' | 'insertDelivery' | 'delivery' | 'resend' | 'page' | 'count'
> {
  const insertEvent = database.prepare<Parameters<WebhookRepository['insertEvent']>>(
    'INSERT INTO webhook_events (id, event, body) VALUES (@id, @event, @body)',
  )
  const insertDelivery = database.prepare<Parameters<WebhookRepository['insertDelivery']>>(`
    INSERT INTO webhook_deliveries (id, partner_id, event_no, status, next_attempt_at)
    VALUES (@id, @partnerId, @eventNo, 'pending', @at)`)
  const delivery = database.prepare<
    { partnerId: string; deliveryId: string },
    { no: number; eventId: string }
  >(`
    SELECT delivery.no, event.id AS eventId FROM webhook_deliveries AS delivery
      JOIN webhook_events AS event ON event.no = delivery.event_no
    WHERE delivery.id = @deliveryId AND delivery.partner_id = @partnerId`)
  const resend = database.prepare<{ no: number; at: number }>(`
    UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = @at, ended_at = NULL,
      attempts_before_resend = (SELECT count(*) FROM webhook_attempts WHERE delivery_no = @no)
    WHERE no = @no`)
  const page = database.prepare<{ partnerId: string; offset: number; limit: number }, DeliveryRow>(`
    SELECT delivery.no, delivery.id, event.id AS eventId, event.event, delivery.status,
      delivery.next_attempt_at AS nextAttemptAt
    FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.no = delivery.event_no
    WHERE delivery.partner_id = @partnerId ORDER BY delivery.no DESC LIMIT @limit OFFSET @offset`)
  const attempts = database.prepare<{ no: number }, WebhookAttempt>(`
    SELECT at, status, error, duration_ms AS durationMs FROM webhook_attempts WHERE delivery_no = @no ORDER BY attempt`)
  const count = database
    .prepare<{ partnerId: string }, number>(
      'SELECT count(*) FROM webhook_deliveries WHERE partner_id = @partnerId',
    )
    .pluck()

  return {
    insertEvent: (event) => Number(insertEvent.run(event).lastInsertRowid),
    insertDelivery: (delivery) => void insertDelivery.run(delivery),
    delivery: (partnerId, deliveryId) => delivery.get({ partnerId, deliveryId }),
    resend: (no, at) => void resend.run({ no, at }),
    page: (partnerId, offset, limit) =>
      page
        .all({ partnerId, offset, limit })
        .map(({ no, ...delivery }) => ({ ...delivery, attempts: attempts.all({ no }) })),
    count: (partnerId) => count.get({ partnerId }) ?? 0,
  }
}

/** Pending deliveries and their attempts. */
function attemptQueries(
  database: Database,
): Pick<
  WebhookRepository,
  'partnersWithPending' | 'pending' | 'addAttempt' | 'addAttemptBeforeResend'
> {
  const waitingPartners = database
    .prepare<[], string>(
      `SELECT DISTINCT partner_id FROM webhook_deliveries WHERE status = 'pending'`,
    )
    .pluck()
  const waiting = database.prepare<{ partnerId: string; limit: number }, PendingDelivery>(`
    SELECT delivery.no, delivery.id, event.event, event.body, delivery.next_attempt_at AS dueAt,
      (SELECT count(*) FROM webhook_attempts WHERE delivery_no = delivery.no) AS attempts,
      delivery.attempts_before_resend AS attemptsBeforeResend
    FROM webhook_deliveries AS delivery JOIN webhook_events AS event ON event.no = delivery.event_no
    WHERE delivery.partner_id = @partnerId AND delivery.status = 'pending'
    ORDER BY delivery.next_attempt_at, delivery.no LIMIT @limit`)
  const insertAttempt = database.prepare<WebhookAttempt & { no: number; attempt: number }>(`
    INSERT INTO webhook_attempts (delivery_no, attempt, at, status, error, duration_ms)
    SELECT @no, @attempt, @at, @status, @error, @durationMs WHERE EXISTS (SELECT 1 FROM webhook_deliveries
      WHERE no = @no)`)
  const progress = database.prepare<{
    no: number
    status: WebhookDelivery['status']
    nextAt: number | null
    endedAt: number | null
  }>(`
    UPDATE webhook_deliveries SET status = @status, next_attempt_at = @nextAt, ended_at = @endedAt
    WHERE no = @no AND status = 'pending'`)
  const countBeforeResend = database.prepare<{ no: number }>(`
    UPDATE webhook_deliveries SET
      attempts_before_resend = (SELECT count(*) FROM webhook_attempts WHERE delivery_no = @no)
    WHERE no = @no`)

  return {
    partnersWithPending: () => waitingPartners.all(),
    pending: (partnerId, limit) => waiting.all({ partnerId, limit }),
    addAttempt(no, attempt, status, nextAt) {
      insertAttempt.run({ no, ...attempt })
      progress.run({ no, status, nextAt, endedAt: nextAt === null ? attempt.at : null })
    },
    addAttemptBeforeResend(no, attempt) {
      insertAttempt.run({ no, ...attempt })
      countBeforeResend.run({ no })
    },
  }
}

export function createWebhookRepository(database: Database): WebhookRepository {
  const history = createWebhookRetentionRows(database)

  return {
    ...endpointQueries(database),
    ...eventQueries(database),
    ...attemptQueries(database),
    ...history,
  }
}
