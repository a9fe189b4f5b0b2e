/** Repairs of VALIDATION_ERROR: a valid value for each field that the refusal names. */
import type { FieldProblem } from '../../../api/errors.ts'
import type { Matched, Attempt } from '../attempt.ts'
import { withStep } from '../attempt.ts'
import { bodySchema, type JsonSchema, parameterSchema } from '../../openapi/components.ts'
import { putWebhook } from './resources.ts'
import {
  accountOf,
  fieldAt,
  partsOf,
  problemsOf,
  type Refused,
  type Repair,
  withField,
} from './repair.ts'
import { freshKey, minimal, schemaAt, valuesFor } from './values.ts'

const unknownField = /is not a (parameter|property) of this request/
const unreadable = new RegExp(
  [
    'must be JSON',
    'nested too deeply',
    "couldn't be read",
    'at most \\d+ bytes',
    'application/json',
    'must be an? (object|array)',
    'given once',
  ].join('|'),
)

/** Bodies that no single field repairs. */
const wholeBodies: Readonly<Record<string, (body: unknown) => unknown>> = {
  changeOffer: () => ({ status: 'active' }),
  replaceKey: (body) => ({ key: freshKey(body) }),
  advanceClock: () => ({ ms: 1000 }),
  uploadKeys: (body) => ({ keys: [freshKey(body)] }),
  putFaults: () => [],
}

const schemas = new WeakMap<object, JsonSchema>()

function schemaOfBody({ endpoint }: Matched): JsonSchema {
  if (endpoint.body === null) return {}
  const known = schemas.get(endpoint.body) ?? bodySchema(endpoint.body)
  schemas.set(endpoint.body, known)
  return known
}

function queryRepaired(attempt: Attempt, { field, message }: FieldProblem, at: Matched): Attempt {
  const tried = attempt.tries[`?${field}`] ?? 0
  const given = attempt.query.find(([name]) => name === field)?.[1]
  const parameter = at.endpoint.query?.shape[field]
  const others = attempt.query.filter(([name]) => name !== field)
  const values =
    parameter === undefined ||
    unknownField.test(message) ||
    field === 'cursor' ||
    /combined/.test(message)
      ? []
      : valuesFor(parameterSchema(parameter), field, given)
  const value = values[tried]
  const tries = { ...attempt.tries, [`?${field}`]: tried + 1 }
  if (value === undefined || tried > 2) return { ...attempt, query: others, tries }
  return { ...attempt, query: [...others, [field, String(value)]], tries }
}

function bodyRepaired(attempt: Attempt, { field, message }: FieldProblem, at: Matched): Attempt {
  const tried = attempt.tries[field] ?? 0
  const tries = { ...attempt.tries, [field]: tried + 1 }
  const schema = schemaOfBody(at)
  const name = partsOf(field).findLast((part) => !/^\d+$/.test(part)) ?? field
  const given = fieldAt(attempt.body, field)
  const found = schemaAt(schema, partsOf(field))
  if (found === null || unknownField.test(message))
    return { ...attempt, tries, body: withField(attempt.body, field, undefined) }
  if (name === 'keys' || name === 'key')
    return {
      ...attempt,
      tries,
      body: withField(
        attempt.body,
        field,
        partsOf(field).length === 1 && name === 'keys'
          ? [freshKey(given ?? tried)]
          : freshKey(given ?? tried),
      ),
    }
  const value = valuesFor(found.schema, name, given)[tried]
  if (found.required || value !== undefined)
    return { ...attempt, tries, body: withField(attempt.body, field, value) }
  return { ...attempt, tries, body: withField(attempt.body, field, undefined) }
}

/** Whether a problem is about the complete body: some operations also have a field of that name. */
const isWhole = ({ field, message }: FieldProblem, schema: JsonSchema): boolean =>
  field === 'Content-Type' ||
  (field === 'body' && (unreadable.test(message) || schemaAt(schema, ['body']) === null))

function wholeBody(attempt: Attempt, at: Matched): Attempt {
  const repaired = wholeBodies[at.operation]?.(attempt.body) ?? minimal(schemaOfBody(at))
  return { ...attempt, body: at.endpoint.body === null ? undefined : repaired }
}

function repaired(attempt: Attempt, problem: FieldProblem, at: Matched): Attempt {
  const { field, message } = problem
  if (field === 'Idempotency-Key') return { ...attempt, idempotencyKey: 'example-key-1' }
  if (isWhole(problem, schemaOfBody(at))) return wholeBody(attempt, at)
  const isQuery =
    at.endpoint.body === null ||
    (attempt.query.some(([name]) => name === field) &&
      fieldAt(attempt.body, field) === undefined) ||
    /parameter of this request/.test(message)
  return isQuery ? queryRepaired(attempt, problem, at) : bodyRepaired(attempt, problem, at)
}

/** All named fields together; later refusals name the ones whose first value wasn't valid. */
export const repairFields: Repair = (refused: Refused) => {
  const { attempt, at, refusal } = refused
  if (at === null) return []
  const problems = problemsOf(refusal)
  if (problems.some(({ field }) => field === 'webhook'))
    return [withStep(attempt, putWebhook(accountOf(attempt.sender) ?? at.params['id'] ?? ''))]
  const next = problems.toReversed().reduce((each, problem) => repaired(each, problem, at), attempt)
  const whole = at.endpoint.body === null ? [] : [wholeBody({ ...attempt, query: next.query }, at)]
  return [next, ...whole]
}
