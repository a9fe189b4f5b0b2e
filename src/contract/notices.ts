import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from './base.ts'

/** Every kind of what is told. */
export const noticeKinds = [
  'lost-lead',
  'low-stock',
  'empty',
  'offers-changed',
  'offers-not-changed',
  'price-watch',
  'dispute-new',
  'dispute-answered',
  'dispute-due',
  'order-failed',
  'balance-low',
  'claim-settled',
  'import-done',
  'import-stopped',
] as const

/** Something that happened while nobody may have looked, told once. Never holds a secret. */
export const noticeSchema = z.object({
  noticeId: z.string(),
  at: instantSchema,
  accountId: accountIdSchema,
  kind: z.enum(noticeKinds),
  /** What happened: "Lost the lead on Cinderkeep". */
  title: z.string(),
  /** What it means: "Best is 4.59, yours is 4.79." */
  text: z.string(),
  /** Where it is looked at. */
  path: z.string(),
  seen: z.boolean(),
})
export type NoticeKind = (typeof noticeKinds)[number]
export type Notice = z.infer<typeof noticeSchema>

/**
 * What is told to people as it happens: in the window, and by the system where Keydesk is not in
 * front.
 */
export const noticesContract = {
  /** Newest first, the latest hundred, over restarts too. */
  list: procedure.output(z.array(noticeSchema)),
  markSeen: procedure.output(z.void()),
}
