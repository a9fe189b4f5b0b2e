import type { BodyOf } from '../../api/handlers.ts'
import type { Random } from '../ports/environment.ts'
import type { Supplier } from '../ports/supplier.ts'

export type Fault = BodyOf<'putFaults'>[number]
export type RequestFault = Extract<Fault, { match: unknown }>

export interface Faults {
  /** The active ones, with what is left of their counts. */
  list(): Fault[]
  set(faults: readonly Fault[]): void
  /** The fault that a request meets, if any; it counts as met. `path` without query. */
  takeFor(method: string, path: string): RequestFault | null
  readonly supplier: Supplier
}

const matches = ({ match }: RequestFault, method: string, path: string): boolean =>
  (match.method === undefined || match.method.toUpperCase() === method) &&
  (match.path === undefined ||
    (match.path.endsWith('*') ? path.startsWith(match.path.slice(0, -1)) : match.path === path))

/**
 * Faults planted through the dashboard interface. They are the running process's own: no restart
 * and no reset brings them back. The first that matches is met; what has been met as often as it
 * says is gone.
 */
export function createFaults(random: Random): Faults {
  let active: Fault[] = []

  /** Evenly from 0 up to, not including, 1. */
  function chance(): number {
    const bytes = Buffer.from(random.bytes(4))
    return bytes.readUInt32BE(0) / 2 ** 32
  }

  function replace(old: Fault, next: Fault | null): void {
    active = active.flatMap((fault) => (fault !== old ? [fault] : next === null ? [] : [next]))
  }

  function occurs(fault: RequestFault): boolean {
    if (fault.probability !== undefined && chance() >= fault.probability) return false
    if (fault.times !== undefined)
      replace(fault, fault.times > 1 ? { ...fault, times: fault.times - 1 } : null)
    return true
  }

  return {
    list: () => structuredClone(active),
    set(faults) {
      active = structuredClone([...faults])
    },
    takeFor(method, path) {
      for (const fault of active)
        if ('match' in fault && matches(fault, method, path) && occurs(fault)) return fault
      return null
    },
    supplier: {
      down: () => active.some((fault) => 'supplierDown' in fault),
      failsUnit(productId) {
        const fault = active.find(
          (one) => 'deliver' in one && (one.deliver.productId ?? productId) === productId,
        )
        if (!fault || !('deliver' in fault)) return false
        const { failUnits, ...about } = fault.deliver
        replace(fault, failUnits > 1 ? { deliver: { ...about, failUnits: failUnits - 1 } } : null)
        return true
      },
    },
  }
}
