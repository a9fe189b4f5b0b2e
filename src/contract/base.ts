import { oc } from '@orpc/contract'
import { z } from 'zod'
import { isProblemCode, problemCodes } from './problem-codes.ts'
import type { ProblemCode } from './problem-codes.ts'

export { centsSchema } from '../../server/api/money.ts'

/**
 * A point in time, in milliseconds since 1970-01-01T00:00:00Z. The screen shows it in the user's
 * time zone.
 */
export const instantSchema = z.number().int()

export const accountIdSchema = z.string().min(1).max(64)

/**
 * The parts of every failure that a person sees, in this order: what happened, whether money or
 * keys moved, what to do next. `code`, `status` and `requestId` come from the service if it
 * responded.
 */
export interface Problem {
  code: ProblemCode
  /**
   * The code as another version or service wrote it, if this version doesn't know it. `code` is
   * `UNKNOWN_CODE` then.
   */
  originalCode?: string | undefined
  /** What happened, one sentence: "Not ordered: the price went up." */
  what: string
  /**
   * Whether money, keys or stock moved: "Nothing was charged." Null where nothing could have moved.
   */
  effect: string | null
  /** What to do now: "Raise the limit or leave it." */
  next: string
  /** HTTP status of the service's response. */
  status: number | null
  /** The service's ID of the request, for its support. */
  requestId: string | null
  /** How long to wait before trying again, in milliseconds. */
  retryAfterMs: number | null
  /** The invalid fields, when the input was invalid. */
  fields?: { field: string; message: string }[] | undefined
  /** Other facts in the service's response, such as `currentPrice`. Never a secret. */
  details?: Record<string, unknown> | undefined
}

const problemShape = z.object({
  code: z.enum(problemCodes),
  originalCode: z.string().optional(),
  what: z.string(),
  effect: z.string().nullable(),
  next: z.string(),
  status: z.number().int().nullable(),
  requestId: z.string().nullable(),
  retryAfterMs: z.number().int().nullable(),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
})
/** Its type is named, because the contract repeats it in most procedures. */
export const problemSchema: z.ZodType<Problem, Problem> = problemShape

const foreignProblemSchema = problemShape.extend({ code: z.string() })

/**
 * A problem that may come from another version of Keydesk, whose codes this version may not know;
 * null if it isn't a problem.
 */
export function parseProblem(value: unknown): Problem | null {
  const { data } = foreignProblemSchema.safeParse(value)
  if (data === undefined) return null
  const { code } = data
  return isProblemCode(code)
    ? { ...data, code }
    : { ...data, code: 'UNKNOWN_CODE', originalCode: code }
}

/** The code to show: as the service or the other version of Keydesk wrote it. */
export const shownCode = (problem: { code: string; originalCode?: string | undefined }): string =>
  problem.originalCode ?? problem.code

/**
 * Actions that give away keys, open a way to them or can't be undone. Each needs a second proof if
 * one is set up, because a session alone can be taken over.
 */
export const provenActions = [
  'export-keys',
  'back-up',
  'restore',
  'copy-vault-key',
  'protect-vault',
  'replace-vault-key',
  'add-authority',
  'set-proxy',
  'confirm-address',
  'remove-account',
  'change-proof',
] as const
export type ProvenAction = (typeof provenActions)[number]

/** Facts about a procedure that the core enforces before it runs it. */
export interface ProcedureMeta {
  /** The procedure needs a second proof: it fails with `PROOF_NEEDED` without one. */
  proof?: ProvenAction
}

/** Every procedure can fail with `FAILED`; its data is a {@link Problem}. */
export const procedure = oc
  .$meta<ProcedureMeta>({})
  .errors({ FAILED: { status: 500, data: problemSchema } })

/** A window of a sorted list: rows `offset` to `offset + limit - 1`. */
export const windowSchema = z.object({
  offset: z.number().int().min(0).default(0),
  limit: z.number().int().min(1).max(500).default(100),
})

export const sortSchema = <const Columns extends readonly [string, ...string[]]>(
  columns: Columns,
) => z.object({ column: z.enum(columns), direction: z.enum(['asc', 'desc']) })
