/**
 * Converts a request to a handler's input: checks everything that the table's schemas can check. A
 * request that is refused by any check is checked by all others too, so that the refusal lists all
 * problems together.
 */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { canonicalJson } from '../../api/canonical-json.ts'
import { apiRoots, type Endpoint, noQuery } from '../../api/endpoints/endpoint.ts'
import { ApiError, type FieldProblem } from '../../api/errors.ts'
import type { Handler, Idempotency, OperationId } from '../../api/handlers.ts'
import { fieldProblems } from '../../api/validation.ts'
import { headerValues } from '../access/credentials.ts'

export type ParsedRequest = {
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown }
  readonly idempotency: Idempotency | null
}

const keyHeader = 'Idempotency-Key'
/**
 * Reported at most: as many as an upload of keys can have. This limits the size of the response.
 */
const MAX_PROBLEMS = 1000

/** The Idempotency-Key header: absent, or 8 to 100 printable ASCII characters, once. */
function idempotencyKey(request: FastifyRequest, problems: FieldProblem[]): string | null {
  const [key, ...more] = headerValues(request.raw.rawHeaders, keyHeader.toLowerCase())
  if (key === undefined) return null
  if (more.length > 0) problems.push({ field: keyHeader, message: 'must be given once' })
  else if (!/^[\x20-\x7e]{8,100}$/.test(key))
    problems.push({ field: keyHeader, message: 'must be 8 to 100 printable ASCII characters' })
  return key
}

function parse(
  schema: z.ZodType | null,
  value: unknown,
  whole: string,
  problems: FieldProblem[],
): unknown {
  if (schema === null) return whole === 'query' ? {} : undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  problems.push(...fieldProblems(parsed.error.issues, whole))
  return undefined
}

function canonicalBody(body: unknown): string {
  try {
    return canonicalJson(body === undefined ? {} : body)
  } catch (error) {
    if (error instanceof RangeError)
      throw new ApiError('VALIDATION_ERROR', undefined, [
        { field: 'body', message: 'is nested too deeply' },
      ])
    throw error
  }
}

/**
 * The path in one canonical spelling: `off%5F1` and `off_1` are the same offer, so a stored
 * response is found again.
 */
function concretePath({ api, path }: Endpoint, params: unknown): string {
  const values: Readonly<Record<string, unknown>> = Object(params)
  return (
    apiRoots[api] +
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  )
}

const strictQueries = new WeakMap<Endpoint, z.ZodObject>()

/** The dashboard refuses unknown parameters, which are typing mistakes (Decision 46). */
function querySchemaOf(endpoint: Endpoint): z.ZodType | null {
  if (endpoint.api !== 'dashboard') return endpoint.query
  const known = strictQueries.get(endpoint) ?? (endpoint.query ?? noQuery).strict()
  strictQueries.set(endpoint, known)
  return known
}

/**
 * Parses params, query, body and Idempotency-Key by the table. Throws VALIDATION_ERROR with one
 * problem per bad field that a schema can find: {@link allProblems} completes them.
 */
export function parseRequest(endpoint: Endpoint, request: FastifyRequest): ParsedRequest {
  const problems: FieldProblem[] = []
  const query = parse(querySchemaOf(endpoint), request.query, 'query', problems)
  const body = parse(
    endpoint.body,
    request.body === undefined && endpoint.bodyOptional ? {} : request.body,
    'body',
    problems,
  )
  const key = endpoint.idempotent ? idempotencyKey(request, problems) : null
  if (problems.length > 0)
    throw new ApiError('VALIDATION_ERROR', undefined, problems.slice(0, MAX_PROBLEMS))
  return {
    input: { params: request.params, query, body },
    idempotency:
      key === null
        ? null
        : {
            key,
            method: request.method,
            path: concretePath(endpoint, request.params),
            canonicalBody: canonicalBody(request.body),
          },
  }
}

/**
 * The valid parts of a value, as a handler's check gets them: null for an invalid field or an
 * invalid element of a list.
 */
function validParts(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const given: Readonly<Record<string, unknown>> = { ...value }
    return Object.fromEntries(
      Object.entries(schema.shape).map(([field, its]) => [field, validParts(its, given[field])]),
    )
  }
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value
      .slice(0, MAX_PROBLEMS)
      .map((each: unknown) => validParts(schema.element as z.ZodType, each))
  return null
}

/**
 * The problems of a request that a check has refused, with those that later checks would find: of
 * the query and the Idempotency-Key if the body couldn't be read, and those of the handler.
 *
 * @param first the problems of the check that refused it; another problem of one of their fields
 *   isn't added
 */
export function allProblems(
  first: readonly FieldProblem[],
  endpoint: Endpoint,
  request: FastifyRequest,
  check: Handler<OperationId>['check'],
): FieldProblem[] {
  const later: FieldProblem[] = []
  const querySchema = querySchemaOf(endpoint)
  parse(querySchema, request.query, 'query', later)
  if (endpoint.idempotent) idempotencyKey(request, later)
  if (check !== undefined) {
    const parts = {
      params: request.params,
      query: querySchema === null ? {} : validParts(querySchema, request.query),
      body: endpoint.body === null ? null : validParts(endpoint.body, request.body),
    }
    // The table pairs each handler with the schemas of its input.
    later.push(...(check as (input: typeof parts) => readonly FieldProblem[])(parts))
  }
  const named = new Set(first.map(({ field }) => field))
  return [...first, ...later.filter(({ field }) => !named.has(field))].slice(0, MAX_PROBLEMS)
}
