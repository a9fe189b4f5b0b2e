import type { BodyOf } from '../../api/handlers.ts'
import type { Random } from '../ports/environment.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'

export type Fault = BodyOf<'putFaults'>[number]
export type RequestFault = Extract<Fault, { match: unknown }>

export interface Faults {
  /** The active faults, with their remaining counts. */
  list(): Fault[]
  set(faults: readonly Fault[]): void
  /**
   * Returns the fault to inject into a request, if any, and counts it as used. `path` comes without
   * the query.
   */
  takeFor(method: string, path: string): RequestFault | null
  readonly supplier: Supplier
}

const matches = ({ match }: RequestFault, method: string, path: string): boolean =>
  (match.method === undefined || match.method.toUpperCase() === method) &&
  (match.path === undefined ||
    (match.path.endsWith('*') ? path.startsWith(match.path.slice(0, -1)) : match.path === path))

/**
 * Faults set through the dashboard interface. They exist in the running process only: a restart or
 * a reset removes them. The first fault that matches is used; one that has occurred as often as it
 * says is removed.
 */
export function createFaults(random: Random): Faults {
  let active: Fault[] = []

  /** A uniformly random number from 0 up to, but not including, 1. */
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
