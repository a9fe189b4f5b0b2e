/** Clock, faults, request log, snapshots and reset on the dashboard interface. */
import { z } from 'zod'
import {
  closedList,
  dateTime,
  listOf,
  namedEnvelope,
  orNull,
  resource,
} from '../schemas/resource.ts'
import { instantInput, integerText, oneOf, text } from '../schemas/values.ts'
import { pageQuery } from '../schemas/paging.ts'
import { worldFile } from './worlds.ts'

export const clock = resource({ now: dateTime, offsetMs: z.int() })
/** Exactly one of the two. */
export const clockAdvance = z
  .object({
    ms: z
      .int()
      .min(1, 'must be above 0')
      .meta({ description: 'Milliseconds. The clock can be at most ten years ahead.' })
      .optional(),
    to: instantInput.optional(),
  })
  .refine(
    (body) => (body.ms === undefined) !== (body.to === undefined),
    'must have either ms or to',
  )
export const clockNow = resource({ now: dateTime }, { offsetMs: z.int() })

/**
 * A path, either exact or with a trailing `*`; a single `*` matches any path. Faults never apply to
 * the dashboard interface, so that it can always remove them.
 */
const faultPath = z
  .string()
  .regex(/^(\/|\*$)/, 'must start with / or be *')
  .refine((path) => !path.startsWith('/dashboard'), 'must not be a dashboard path')
/** How often a fault has occurred. A list can be sent back with its hits, which then continue. */
const hits = z.int().min(0).optional()
const requestFault = z.strictObject({
  match: z.strictObject({ method: z.string().optional(), path: faultPath.optional() }),
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  status: z.int().min(400).max(599).optional(),
  code: z.string().optional(),
  latencyMs: z.int().min(0).max(600_000).optional(),
  dropConnection: z.boolean().optional(),
  /** Carries the request out first, and then loses its response. */
  afterCommit: z.boolean().optional(),
  hits,
})
const deliveryFault = z.strictObject({
  deliver: z.strictObject({ productId: z.string().optional(), failUnits: z.int().min(1) }),
  hits,
})
const supplierFault = z.strictObject({ supplierDown: z.literal(true), hits })

export const faults = z.array(
  z.union(
    [requestFault, deliveryFault, supplierFault],
    'must be a request fault, {deliver} or {supplierDown: true}',
  ),
)
/** The faults as they were set, with their hits. One that is used up stays listed. */
export const activeFaults = { strict: faults, tolerant: z.array(z.looseObject({})) }

export const requestLogQuery = pageQuery.extend({
  path: text.optional(),
  status: integerText({ min: 0, max: 599 }).optional(),
  method: text.optional(),
  /** The partner's or seller's id. */
  account: text.optional(),
  /** The name of the fault that hit the request, or `*` for any. */
  fault: text.optional(),
  /** Leaves out the requests of a client, by the first word of its User-Agent. */
  withoutClient: text.optional(),
})
export const requestLogPage = namedEnvelope(
  resource(
    {
      at: dateTime,
      method: z.string(),
      path: z.string(),
      /** 0 if the connection closed before a response was sent. */
      status: z.int(),
      durationMs: z.number(),
      requestId: z.string(),
      /** The partner's or seller's id; null if no key was accepted. */
      account: z.string().nullable(),
      /** Bodies with every secret masked; null if there was no body. */
      request: z.unknown(),
      response: z.unknown(),
    },
    {
      /** The query string after the path's `?`; empty if there was none. */
      query: z.string(),
      /** The first word of the request's User-Agent, without a version; null without one. */
      client: z.string().nullable(),
      /** The fault that hit the request, by the requests that it matches; null if none did. */
      fault: z.string().nullable(),
    },
  ),
)

const whyStep = resource({
  method: z.string(),
  path: z.string(),
  /** With every secret masked; null without a body. */
  body: z.unknown(),
})

/** The explanation of a refusal, and the nearest request that passes. */
export const why = resource({
  requestId: z.string(),
  at: dateTime,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.string(),
  message: z.string(),
  /** In the order in which the service checks. */
  checks: listOf(
    resource({
      check: z.string(),
      title: z.string(),
      result: closedList(['passed', 'failed', 'not reached']),
      /** What the check compared, with every secret masked; null if that is all in the title. */
      value: z.string().nullable(),
    }),
  ),
  rule: resource({
    text: z.string(),
    /** The path of the operation's reference on this service. */
    link: z.string(),
  }),
  /** Null if no request was found that passes. */
  suggestion: orNull(
    resource({
      /** Names the request with the calls before it: another request has another one. */
      fingerprint: z.string(),
      /** Calls to send first. `{{name}}` stands for a field of an earlier step's response. */
      steps: listOf(whyStep),
      /** How long to wait first; 0 if there is no need to. */
      waitMs: z.number(),
      request: resource({
        method: z.string(),
        path: z.string(),
        query: z.string(),
        idempotencyKey: z.string().nullable(),
        body: z.unknown(),
      }),
      /** The differences from the refused request as JSON; null for an absent value. */
      changes: listOf(
        resource({
          where: z.string(),
          from: z.string().nullable(),
          to: z.string().nullable(),
        }),
      ),
      /** The status that the request got on a branch. */
      status: z.int(),
      /** How many requests were tried on the branch. */
      tried: z.int(),
      durationMs: z.number(),
    }),
  ),
})

/** `fingerprint`: the suggestion that was read; no other one is sent. */
export const runRequest = z.object({ fingerprint: z.string().max(64).optional() })
/** The response of this service to the request that was suggested. */
export const suggestionRun = resource({
  status: z.int(),
  requestId: z.string(),
  /** Null if it passed. */
  code: z.string().nullable(),
})

const snapshotName = z
  .string()
  .regex(
    /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 of A-Z a-z 0-9 . _ - and not start with a dot',
  )
export const snapshotRequest = z.object({ name: snapshotName })
const snapshotFacts = resource({ name: z.string() }, { createdAt: dateTime, bytes: z.int() })
export const snapshot = snapshotFacts
export const snapshots = resource({ results: listOf(snapshotFacts) })

const seeds = ['demo', 'empty'] as const
export const resetRequest = z.object({
  seed: oneOf(seeds).optional(),
  products: z.int().min(1).max(1_000_000).optional(),
})
/** Keys of the demo accounts, as in the ready line; null for an empty service. */
const demoKeys = orNull(
  resource({ partnerTestKey: z.string(), partnerLiveKey: z.string(), sellerKey: z.string() }),
)
export const resetResult = resource({ demo: demoKeys })

/** A separate service with a copy of all data, as in the ready line. */
export const branch = resource(
  {
    id: z.string(),
    baseUrl: z.string(),
    sellerUrl: z.string(),
    dashboardUrl: z.string(),
    dashboardToken: z.string(),
    demo: demoKeys,
  },
  {
    /** The time of the original when the copy was made. */
    createdAt: dateTime,
    name: z.string().nullable(),
    /** What repeating its world file gave; null for a copy of the present data. */
    replay: orNull(
      resource({
        requests: z.int(),
        /** How many answers differed from those of the file. */
        different: z.int(),
        /** Lines of text about the first differences. */
        report: z.string(),
      }),
    ),
  },
)
export const branchRequest = z.object({
  name: z.string().trim().min(1).max(100).optional(),
  /** Repeats this session in place of copying the present data. */
  world: worldFile.strict.optional(),
})
export const branches = resource({ results: listOf(branch) })
