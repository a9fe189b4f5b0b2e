import { z } from 'zod'
import { modes } from '../../../server/api/schemas/enums.ts'
import { centsSchema, procedure } from '../base.ts'
import {
  amountSchema,
  idInput,
  idSchema,
  pageOf,
  pageShape,
  reportedMoment,
} from './sandbox-base.ts'

const mode = z.enum(modes)
const movementSchema = z.object({
  id: z.string(),
  type: z.string(),
  amount: centsSchema,
  balanceAfter: centsSchema,
  orderId: z.string().nullable(),
  createdAt: reportedMoment,
  mode: z.string().optional(),
})

const attempt = z.object({
  at: reportedMoment,
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  durationMs: z.number(),
})
const deliverySchema = z.object({
  id: z.string(),
  eventId: z.string(),
  event: z.string(),
  status: z.string(),
  attempts: z.array(attempt),
  nextAttemptAt: reportedMoment.nullable(),
})
export type SandboxDelivery = z.output<typeof deliverySchema>

/** A partner's test money, the e-mails the service sends it, and the endpoint of its webhooks. */
export const sandboxMoneyContract = {
  topUpReference: procedure
    .input(z.object({ id: idSchema, mode }))
    .output(z.object({ reference: z.string() })),
  /** Simulates the arrival of a bank transfer. A reference can be used once: `REFERENCE_USED`. */
  topUp: procedure
    .input(
      z.object({
        id: idSchema,
        mode,
        amount: amountSchema,
        reference: z.string().trim().min(1).max(140).optional(),
      }),
    )
    .output(
      z.object({
        id: z.string(),
        reference: z.string(),
        amount: centsSchema,
        balance: centsSchema,
      }),
    ),
  setTestBalance: procedure
    .input(z.object({ id: idSchema, amount: amountSchema }))
    .output(z.object({ balance: centsSchema })),
  emails: procedure
    .input(z.object({ id: idSchema, ...pageShape }))
    .output(
      pageOf(
        z.object({ to: z.string(), subject: z.string(), text: z.string(), at: reportedMoment }),
      ),
    ),
  ledger: procedure
    .input(z.object({ id: idSchema, mode: mode.optional(), ...pageShape }))
    .output(pageOf(movementSchema)),
  /** Proof of the complete ledger: its chain is unbroken, totals are zero, balances match. */
  verifyLedger: procedure.output(
    z.object({
      ok: z.boolean(),
      entries: z.number().int(),
      headHash: z.string(),
      sums: z.object({ live: centsSchema, test: centsSchema }),
    }),
  ),
  /** Null while none is set. */
  webhook: procedure.input(idInput).output(z.object({ url: z.string() }).nullable()),
  /** `secret` is shown once, and new each time. */
  setWebhook: procedure
    .input(
      z.object({
        id: idSchema,
        url: z.url({ protocol: /^https?$/, error: 'must be an https address' }),
      }),
    )
    .output(z.object({ url: z.string(), secret: z.string() })),
  removeWebhook: procedure.input(idInput).output(z.void()),
  testWebhook: procedure
    .input(z.object({ id: idSchema, mode }))
    .output(z.object({ deliveryId: z.string(), eventId: z.string() })),
  deliveries: procedure
    .input(z.object({ id: idSchema, ...pageShape }))
    .output(pageOf(deliverySchema)),
  resend: procedure
    .input(z.object({ id: idSchema, deliveryId: idSchema }))
    .output(z.object({ deliveryId: z.string(), eventId: z.string() })),
}
