import { z } from 'zod'
import { faults, resetRequest, snapshotRequest } from '../../../server/api/dashboard/control.ts'
import { marketRequest } from '../../../server/api/dashboard/market.ts'
import { instantSchema, procedure } from '../base.ts'
import { chosenMoment, idSchema, pageOf, pageShape, reportedMoment } from './sandbox-base.ts'

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

const whySchema = z.object({
  requestId: z.string(),
  at: reportedMoment,
  method: z.string(),
  path: z.string(),
  status: z.number().int(),
  code: z.string(),
  message: z.string(),
  /** In the service's order. */
  checks: z.array(
    z.object({
      check: z.string(),
      title: z.string(),
      /** `passed`, `failed` or `not reached`. */
      result: z.string(),
      /** What the check compared; null if its title says everything. */
      value: z.string().nullable(),
    }),
  ),
  /** `link`: the path of the operation's reference on the sandbox. */
  rule: z.object({ text: z.string(), link: z.string() }),
  /** The nearest request that passed on a copy of the sandbox. */
  suggestion: z
    .object({
      /** Names the request with the calls before it. */
      fingerprint: z.string(),
      /** Calls to send first. `{{name}}` stands for a field of an earlier call's response. */
      steps: z.array(z.object({ method: z.string(), path: z.string(), body: z.unknown() })),
      waitMs: z.number(),
      request: z.object({
        method: z.string(),
        path: z.string(),
        query: z.string(),
        idempotencyKey: z.string().nullable(),
        body: z.unknown(),
      }),
      /** Values as JSON; null where there is none. */
      changes: z.array(
        z.object({ where: z.string(), from: z.string().nullable(), to: z.string().nullable() }),
      ),
      status: z.number().int(),
      tried: z.number().int(),
      durationMs: z.number(),
    })
    .nullable(),
})
export type SandboxWhy = z.output<typeof whySchema>

const snapshotSchema = z.object({
  name: z.string(),
  createdAt: reportedMoment.optional(),
  bytes: z.number().int().optional(),
})
const pointSchema = z.object({
  /** Of its snapshot. */
  name: z.string(),
  /** The computer’s time when it was saved. */
  at: instantSchema,
  /** What it was saved before; `minute`: a minute with changes passed. */
  reason: z.enum(['minute', 'clock', 'restore', 'reset', 'back']),
})
export type SandboxPoint = z.output<typeof pointSchema>

const name = snapshotRequest
const snapshotName = snapshotRequest.shape.name

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
  /**
   * Why a request was refused, and the nearest one that passes. Without an id, the latest refused
   * request of another program; null if the log has none. `NOT_FOUND` for an id that isn't a
   * refused request of the log.
   */
  explain: procedure
    .input(z.object({ id: idSchema.nullable().default(null) }))
    .output(whySchema.nullable()),
  /**
   * Finds the request that passes again and sends it to the sandbox itself. `CHANGED_MEANWHILE` if
   * none passes any more, or another one than that with the fingerprint.
   */
  runSuggestion: procedure.input(z.object({ id: idSchema, fingerprint: z.string() })).output(
    z.object({
      status: z.number().int(),
      requestId: z.string(),
      /** Null if it passed. */
      code: z.string().nullable(),
    }),
  ),
  snapshots: procedure.output(z.object({ results: z.array(snapshotSchema) })),
  saveSnapshot: procedure.input(name).output(snapshotSchema),
  /** What differs in the present state, or in the snapshot `to`. At most 1,000 of `total`. */
  compareSnapshot: procedure
    .input(z.object({ name: snapshotName, to: snapshotName.nullable().default(null) }))
    .output(
      z.object({
        total: z.number().int(),
        results: z.array(z.object({ area: z.string(), id: z.string(), text: z.string() })),
      }),
    ),
  deleteSnapshot: procedure.input(name).output(z.void()),
  /**
   * Restores the complete saved state, including the time. Accounts connected to the sandbox are
   * synced from the start.
   */
  restoreSnapshot: procedure.input(name).output(z.void()),
  /** Recent states that Keydesk saved, to go back to. Newest first. */
  points: procedure.output(z.object({ results: z.array(pointSchema) })),
  /**
   * Saves the present state as a point, then restores another. Nothing is restored if it can't be
   * saved.
   */
  goBack: procedure.input(name).output(z.void()),
  /**
   * Resets the sandbox to a first start. Its demo accounts are connected again; local data about
   * the old ones is deleted with their world.
   */
  reset: procedure.input(resetRequest).output(z.void()),
}
