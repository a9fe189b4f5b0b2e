import { activityMessages } from './en/activity.ts'
import { backupMessages } from './en/backup.ts'
import { balanceMessages } from './en/balance.ts'
import { countMessages } from './en/counts.ts'
import { claimMessages } from './en/claims.ts'
import { disputeMessages } from './en/disputes.ts'
import { importMessages } from './en/imports.ts'
import { jobMessages } from './en/jobs.ts'
import { mirrorMessages } from './en/mirror.ts'
import { networkMessages } from './en/network.ts'
import { offerMessages } from './en/offers.ts'
import { orderMessages } from './en/orders.ts'
import { outboxMessages } from './en/outbox.ts'
import { priceWatchMessages } from './en/price-watch.ts'
import { screenMessages } from './en/screens.ts'
import { sessionMessages } from './en/sessions.ts'
import { updatesMessages } from './en/updates.ts'
import { vaultMessages } from './en/vault.ts'

/**
 * Every message, by its code, in ICU MessageFormat. A code is permanent unless it starts with
 * `counts.` or `screens.`: data folders contain the others. To reword a message, change its text;
 * for other values, add a code and keep the old one.
 */
export const messages = {
  ...activityMessages,
  ...backupMessages,
  ...balanceMessages,
  ...claimMessages,
  ...countMessages,
  ...disputeMessages,
  ...importMessages,
  ...jobMessages,
  ...mirrorMessages,
  ...networkMessages,
  ...offerMessages,
  ...orderMessages,
  ...outboxMessages,
  ...priceWatchMessages,
  ...screenMessages,
  ...sessionMessages,
  ...updatesMessages,
  ...vaultMessages,
} as const

export type MessageCode = keyof typeof messages
