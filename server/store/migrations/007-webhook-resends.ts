import type { Migration } from './migration.ts'

/**
 * A resend keeps its delivery, so the attempts before it are counted: they don't use up the new
 * ones.
 */
export const webhookResends: Migration = {
  version: 7,
  name: 'webhook-resends',
  sql: `
    ALTER TABLE webhook_deliveries ADD COLUMN attempts_before_resend INTEGER NOT NULL DEFAULT 0;
  `,
}
