import type { BodyOf } from '../../api/handlers.ts'
import type { Random } from '../ports/environment.ts'
import type { Supplier } from '../ports/ordering/supplier.ts'

export type Fault = BodyOf<'putFaults'>[number]
export type RequestFault = Extract<Fault, { match: unknown }>

export interface Faults {
  /** The faults as they were set, with their hits, used-up ones included. */
  list(): Fault[]
  set(faults: readonly Fault[]): void
  /**
   * Returns the fault to inject into a request, if any, and counts it as used. `path` comes without
   * the query.
   */
  takeFor(method: string, path: string): RequestFault | null
  readonly supplier: Supplier
}

const hitsOf = (fault: Fault): number => fault.hits ?? 0

/** The name of a supplier that is down, for the log. */
export const SUPPLIER_DOWN = 'supplierDown'

/** A request fault in a few words, for the log: the requests that it matches. */
export const nameOfFault = ({ match }: RequestFault): string =>
  `${match.method?.toUpperCase() ?? 'any method'} ${match.path ?? '*'}`

/** HEAD answers like GET (Decision 43), so a fault of GET also hits it. */
const matchesMethod = (wanted: string | undefined, method: string): boolean =>
  wanted === undefined ||
  wanted.toUpperCase() === method ||
  (method === 'HEAD' && wanted.toUpperCase() === 'GET')

const matches = ({ match }: RequestFault, method: string, path: string): boolean =>
  matchesMethod(match.method, method) &&
  (match.path === undefined ||
    (match.path.endsWith('*') ? path.startsWith(match.path.slice(0, -1)) : match.path === path))

/**
 * Faults set through the dashboard interface. They exist in the running process only: a restart or
 * a reset removes them. The first fault that matches is used; one that has occurred as often as it
 * says is used up, and stays listed with its hits.
 */
export function createFaults(random: Random): Faults {
  let active: Fault[] = []

  /** A uniformly random number from 0 up to, but not including, 1. */
  function chance(): number {
    const bytes = Buffer.from(random.bytes(4))
    return bytes.readUInt32BE(0) / 2 ** 32
  }

  function hit(fault: Fault): void {
    active = active.map((each) => (each === fault ? { ...fault, hits: hitsOf(fault) + 1 } : each))
  }

  function occurs(fault: RequestFault): boolean {
    if (fault.times !== undefined && hitsOf(fault) >= fault.times) return false
    if (fault.probability !== undefined && chance() >= fault.probability) return false
    hit(fault)
    return true
  }

  return {
    list: () => structuredClone(active),
    set(faults) {
      active = faults.map((fault) => ({ ...structuredClone(fault), hits: hitsOf(fault) }))
    },
    takeFor(method, path) {
      for (const fault of active)
        if ('match' in fault && matches(fault, method, path) && occurs(fault)) return fault
      return null
    },
    supplier: {
      down() {
        const fault = active.find((one) => 'supplierDown' in one)
        if (fault !== undefined) hit(fault)
        return fault !== undefined
      },
      failsUnit(productId) {
        const fault = active.find(
          (one) =>
            'deliver' in one &&
            hitsOf(one) < one.deliver.failUnits &&
            (one.deliver.productId ?? productId) === productId,
        )
        if (!fault || !('deliver' in fault)) return false
        hit(fault)
        return true
      },
    },
  }
}
