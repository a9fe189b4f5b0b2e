import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from '../base.ts'
import { localizedSchema } from '../localization/localized.ts'

/** The kinds of notices that a person can turn off. */
export const optionalNoticeKinds = [
  'lost-lead',
  'low-stock',
  'empty',
  'offers-changed',
  'offers-not-changed',
  'price-watch',
  'dispute-new',
  'dispute-answered',
  'dispute-due',
  'dispute-not-sent',
  'order-failed',
  'balance-low',
  'claim-settled',
  'import-done',
  'import-stopped',
] as const
export type OptionalNoticeKind = (typeof optionalNoticeKinds)[number]

/**
 * Every kind of notice. `security` is always shown, because an intruder would turn it off first,
 * and `file-repaired` because records may be lost.
 */
export const noticeKinds = [...optionalNoticeKinds, 'security', 'file-repaired'] as const

/** An event that a person may have missed, reported once. Never contains a secret. */
export const noticeSchema = z.object({
  noticeId: z.string(),
  at: instantSchema,
  /** Null for events that belong to no account. */
  accountId: accountIdSchema.nullable(),
  kind: z.enum(noticeKinds),
  /** Event: "Lost the lead on Cinderkeep". */
  title: localizedSchema,
  /** Meaning: "Best is 4.59, yours is 4.79." */
  text: localizedSchema,
  /** Page that shows the event. */
  path: z.string(),
  seen: z.boolean(),
})
export type NoticeKind = (typeof noticeKinds)[number]
export type Notice = z.infer<typeof noticeSchema>

/**
 * Notifications in the window, and from the operating system while Keydesk is in the background.
 */
export const noticesContract = {
  /** Newest first, the latest 100, across restarts. */
  list: procedure.output(z.array(noticeSchema)),
  markSeen: procedure.output(z.void()),
}
