/** Checks an answer of any service against the contract. */
import { apiRoots } from '../api/endpoints/endpoint.ts'
import { endpointOf, type OperationId, operationIds } from '../api/endpoints/endpoints.ts'
import { tolerantErrorBodySchema } from '../api/errors.ts'
import { fieldProblems } from '../api/validation.ts'

/** The operation of a method and a path without its query; undefined if there is none. */
export function operationOf(method: string, path: string): OperationId | undefined {
  const sent = path.split('/')
  return operationIds.find((id) => {
    const endpoint = endpointOf(id)
    const template = `${apiRoots[endpoint.api]}${endpoint.path}`.split('/')
    return (
      endpoint.method === method &&
      template.length === sent.length &&
      template.every((part, at) => (part.startsWith('{') ? sent[at] !== '' : part === sent[at]))
    )
  })
}

const notJson = Symbol('not JSON')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

/** What the contract doesn't allow in an answer, each in one line. */
export function contractProblems(
  method: string,
  path: string,
  answer: { readonly status: number; readonly text: string },
): string[] {
  const operation = operationOf(method, path)
  if (operation === undefined) return ['The contract has no such operation.']
  const { status, text } = answer
  const refused = status >= 400
  const schema = refused
    ? { tolerant: tolerantErrorBodySchema }
    : endpointOf(operation).responses[status]
  if (schema === undefined) return [`The contract has no status ${status} here.`]
  if (schema === null) return text === '' ? [] : [`Status ${status} has no body.`]
  const body = parsed(text)
  if (body === notJson) return ['The body is not JSON.']
  const { success, error } = schema.tolerant.safeParse(body)
  return success
    ? []
    : fieldProblems(error.issues).map(({ field, message }) => `${field} ${message}`)
}
