import { matchesAnOperation } from '../../api/endpoints/endpoints.ts'
import { validationError } from '../../api/errors.ts'
import type { Handlers } from '../../api/handlers.ts'
import type { Faults } from '../faults/faults.ts'

/** Fault injection on the dashboard interface. */
export function faultHandlers(faults: Faults) {
  const active = () => ({ status: 200 as const, body: faults.list() })
  return {
    getFaults: active,
    putFaults(_call, { body }) {
      const unknown = body.flatMap((fault, index) =>
        'match' in fault &&
        fault.match.path !== undefined &&
        !matchesAnOperation(fault.match.path, fault.match.method)
          ? [{ field: `[${index}].match.path`, message: 'matches no operation' }]
          : [],
      )
      if (unknown.length > 0) throw validationError(...unknown)
      faults.set(body)
      return active()
    },
    clearFaults() {
      faults.set([])
      return active()
    },
  } satisfies Handlers
}
