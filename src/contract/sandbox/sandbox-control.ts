import { z } from 'zod'
import { faults, resetRequest, snapshotRequest } from '../../../server/api/dashboard/control.ts'
import { marketRequest } from '../../../server/api/dashboard/market.ts'
import { instantSchema, procedure } from '../base.ts'
import { chosenMoment, pageOf, pageShape, reportedMoment } from './sandbox-base.ts'

const clockSchema = z.object({ now: reportedMoment, offsetMs: z.number().int() })

const dueSchema = z.object({
  at: instantSchema,
  kind: z.enum(['webhook', 'dispute', 'release', 'market']),
  /** The event or the product. Empty if the kind says it all. */
  what: z.string(),
  /** The attempt number of a webhook, or the number of sales. */
  count: z.number().int(),
})
export type SandboxDue = z.output<typeof dueSchema>

const marketSchema = z.object({
  running: z.boolean(),
  seed: z.union([z.string(), z.number()]).nullable().optional(),
  intensity: z.number().optional(),
  sellers: z.number().int().optional(),
  customers: z.number().int().optional(),
  nextDueAt: reportedMoment.nullable().optional(),
  counts: z
    .object({ priceChanges: z.number().int(), orders: z.number().int(), claims: z.number().int() })
    .optional(),
})
export type SandboxMarket = z.output<typeof marketSchema>

export type SandboxFault = z.output<typeof faults>[number]

const requestSchema = z.object({
  at: reportedMoment,
  method: z.string(),
  path: z.string(),
  query: z.string().optional(),
  status: z.number().int(),
  durationMs: z.number(),
  requestId: z.string(),
  account: z.string().nullable(),
  /** The fault that hit it. */
  fault: z.string().nullable().optional(),
  /** JSON with every secret masked by the service. */
  request: z.unknown(),
  response: z.unknown(),
})
export type SandboxRequest = z.output<typeof requestSchema>

const snapshotSchema = z.object({
  name: z.string(),
  createdAt: reportedMoment.optional(),
  bytes: z.number().int().optional(),
})
const name = snapshotRequest

/** The sandbox's time, market, faults, log and snapshots. */
export const sandboxControlContract = {
  clock: procedure.output(clockSchema),
  /**
   * What falls due next, soonest first: webhook attempts, escalations, releases of the demo
   * seller's sales, the market.
   */
  due: procedure.output(z.array(dueSchema)),
  /**
   * Advances the clock by `ms` or up to `to`. Everything that falls due in between happens at its
   * own time.
   */
  advance: procedure
    .input(z.union([z.object({ ms: z.number().int().min(1) }), z.object({ to: chosenMoment })]))
    .output(z.object({ now: reportedMoment })),
  market: procedure.output(marketSchema),
  startMarket: procedure.input(marketRequest).output(marketSchema),
  stopMarket: procedure.output(marketSchema),
  faults: procedure.output(faults),
  setFaults: procedure.input(faults).output(faults),
  requests: procedure
    .input(
      z.object({
        path: z.string().max(300).optional(),
        status: z.number().int().min(0).max(599).optional(),
        method: z.string().max(10).optional(),
        /** Whether Keydesk’s own requests are included. */
        own: z.boolean().default(true),
        ...pageShape,
      }),
    )
    .output(
      pageOf(requestSchema).extend({
        /** Matching requests of Keydesk that were left out. */
        ownHidden: z.number().int(),
      }),
    ),
  snapshots: procedure.output(z.object({ results: z.array(snapshotSchema) })),
  saveSnapshot: procedure.input(name).output(snapshotSchema),
  deleteSnapshot: procedure.input(name).output(z.void()),
  /**
   * Restores the complete saved state, including the time. Accounts connected to the sandbox are
   * synced from the start.
   */
  restoreSnapshot: procedure.input(name).output(z.void()),
  /**
   * Resets the sandbox to a first start. Its demo accounts are connected again; local data about
   * the old ones is deleted with their world.
   */
  reset: procedure.input(resetRequest).output(z.void()),
}
