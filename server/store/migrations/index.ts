import type { Migration } from './migration.ts'
import { service } from './001-service.ts'
import { disputes } from './002-disputes.ts'
import { webhooks } from './003-webhooks.ts'
import { market } from './004-market.ts'
import { foldedNames } from './005-folded-names.ts'
import { webhookHistory } from './006-webhook-history.ts'
import { webhookResends } from './007-webhook-resends.ts'
import { waitingEvents } from './008-waiting-events.ts'

/**
 * Every step, oldest first. The last version is the one this program writes and the newest it can
 * read.
 */
export const migrations: readonly Migration[] = [
  service,
  disputes,
  webhooks,
  market,
  foldedNames,
  webhookHistory,
  webhookResends,
  waitingEvents,
]
