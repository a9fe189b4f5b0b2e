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
      const unknown = body.flatMap((fault, index) => {
        if (!('match' in fault)) return []
        const { path, method } = fault.match
        const field = `[${index}].match.${path === undefined ? 'method' : 'path'}`
        return matchesAnOperation(path ?? '*', method)
          ? []
          : [{ field, message: 'matches no operation' }]
      })
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
