/** Checks whether the endpoint table allows a response. */
import { commonErrors, endpointOf } from '../../../server/api/endpoints/endpoints.ts'
import type { OperationId } from '../../../server/api/endpoints/endpoints.ts'
import { errorBodySchema, errorTable, replayedStatuses } from '../../../server/api/errors.ts'

export type Answer = {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

const jsonContent = 'application/json; charset=utf-8'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The problem of a rejection, or null; `codes`: the allowed error codes. */
export function refusalProblem(
  { status, headers, body }: Answer,
  codes: readonly string[],
  replayed: boolean,
): string | null {
  const envelope = errorBodySchema.safeParse(parsed(body))
  if (!envelope.success) return `not an Error body: ${body.slice(0, 200)}`
  const { code, requestId } = envelope.data.error
  if (errorTable[code].status !== status) return `${code} with status ${status}`
  if (!codes.includes(code)) return `${code} is not one of its errors`
  if (status >= 500) return `${code}: ${body.slice(0, 200)}`
  if (headers['content-type'] !== jsonContent)
    return `content type ${headers['content-type'] ?? 'none'}`
  const id = headers['x-request-id']
  if (id === undefined || (id !== requestId && !replayed))
    return `request id ${id ?? 'none'} in the header, ${requestId} in the body`
  return (status === 401) === 'www-authenticate' in headers
    ? null
    : 'WWW-Authenticate is present where it should not be, or missing'
}

/**
 * Null if the response is within the contract of the operation. `idempotent`: the request had an
 * Idempotency-Key, so its response can be a replay.
 */
export function contractProblem(
  operation: OperationId,
  answer: Answer,
  idempotent: boolean,
): string | null {
  const { api, responses: answers, errors } = endpointOf(operation)
  const { status, headers, body } = answer
  if (status >= 400)
    return refusalProblem(
      answer,
      [...errors, ...commonErrors[api]],
      idempotent && replayedStatuses.has(status),
    )
  const schema = answers[status]
  if (schema === undefined) return `status ${status} is not one of its responses`
  if (headers['x-request-id'] === undefined) return 'no request id'
  if (schema === null) return body === '' ? null : 'unexpected body'
  if (headers['content-type'] !== jsonContent)
    return `content type ${headers['content-type'] ?? 'none'}`
  const issues = schema.strict.safeParse(parsed(body)).error?.issues ?? []
  return issues.length === 0 ? null : `body: ${JSON.stringify(issues).slice(0, 300)}`
}
