import type { Handlers } from '../../api/handlers.ts'
import type { Faults } from '../faults/faults.ts'

/** Fault injection on the dashboard interface. */
export function faultHandlers(faults: Faults) {
  const active = () => ({ status: 200 as const, body: faults.list() })
  return {
    getFaults: active,
    putFaults(_call, { body }) {
      faults.set(body)
      return active()
    },
    clearFaults() {
      faults.set([])
      return active()
    },
  } satisfies Handlers
}
