import { matchesAnOperation } from '../../api/endpoints/endpoints.ts'
import { type FieldProblem, validationError } from '../../api/errors.ts'
import { type Handlers, type InputParts, withFieldCheck } from '../../api/handlers.ts'
import type { Faults } from '../faults/faults.ts'

/** Faults that can hit no operation are typing mistakes (Decision 46). */
const unknownOperations = (faults: InputParts<'putFaults'>['body']): FieldProblem[] =>
  (faults ?? []).flatMap((fault, index) => {
    if (fault === null || !('match' in fault) || fault.match == null) return []
    const { path, method } = fault.match
    const field = `[${index}].match.${path === undefined ? 'method' : 'path'}`
    return matchesAnOperation(path ?? '*', method ?? undefined)
      ? []
      : [{ field, message: 'matches no operation' }]
  })

/** Fault injection on the dashboard interface. */
export function faultHandlers(faults: Faults) {
  const active = () => ({ status: 200 as const, body: faults.list() })
  return {
    getFaults: active,
    putFaults: withFieldCheck<'putFaults'>(
      ({ body }) => unknownOperations(body),
      (_call, { body }) => {
        const unknown = unknownOperations(body)
        if (unknown.length > 0) throw validationError(...unknown)
        faults.set(body)
        return active()
      },
    ),
    clearFaults() {
      faults.set([])
      return active()
    },
  } satisfies Handlers
}
