import type { Network } from '../../platform/network.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import { createCircuit } from './circuit.ts'
import type { Circuit } from './circuit.ts'
import { createConnection } from './connection.ts'
import type { AccountConnection, ConnectionParts } from './connection.ts'
import { createSchedule } from './schedule.ts'
import type { Rates } from './schedule.ts'
import { createTransport } from './transport.ts'

export { isLoopbackHost } from './addresses.ts'
export type { Credentials, AccountConnection as Line } from './connection.ts'
export { noAnswerProblem, refusalProblem } from './problems.ts'
export { createTransport } from './transport.ts'
export type { KeptTransport } from './transport.ts'
export { serviceRates } from './schedule.ts'
export type { Rates } from './schedule.ts'

export type ConnectionOptions = Pick<
  ConnectionParts,
  | 'accountId'
  | 'credentials'
  | 'takesIdempotencyKeys'
  | 'refusal'
  | 'refused'
  | 'accepted'
  | 'changed'
> & {
  /** The present address, also while there is no key. */
  baseUrl: () => string
  /** Asks the service something small, to find out whether it answers again. */
  probe: (line: AccountConnection) => Promise<void>
}

export interface ServiceClient {
  /**
   * The line of one key; its circuit is shared with all lines to the same address. `wake` makes it
   * follow that circuit.
   */
  line(options: ConnectionOptions): AccountConnection
}

/** Lines to services: a schedule for each key, a circuit for each address. */
export function createServiceClient(parts: {
  clock: Clock
  random: Randomness
  activity: ActivityLog
  rates: Rates | null
  network?: Network | undefined
}): ServiceClient {
  const { clock, random, activity } = parts
  const transport = createTransport(parts.network)
  const circuits = new Map<string, Circuit>()
  const circuitOf = (baseUrl: string): Circuit => {
    let circuit = circuits.get(baseUrl)
    if (circuit === undefined) circuits.set(baseUrl, (circuit = createCircuit(clock, random)))
    return circuit
  }
  return {
    line({ baseUrl, probe, ...options }) {
      const line = createConnection({
        ...options,
        clock,
        random,
        activity,
        transport,
        schedule: createSchedule(clock, parts.rates),
        circuit: () => circuitOf(baseUrl()),
      })
      let watched: Circuit | null = null
      let stopWatching = (): void => {}
      let cancelProbe = (): void => {}

      /**
       * Follows the circuit of the present address, and asks at its next try whether it answers
       * again.
       */
      function follow(): void {
        const circuit = circuitOf(baseUrl())
        if (circuit !== watched) {
          stopWatching()
          watched = circuit
          stopWatching = circuit.onChange(look)
        }
        look()
      }
      function look(): void {
        cancelProbe()
        const state = watched?.state()
        if (state?.state === 'offline')
          cancelProbe = clock.after(
            Math.max(1, state.nextTryAt - clock.now()),
            () => void probe(line).catch(() => {}),
          )
        line.wake()
        options.changed()
      }
      return {
        ...line,
        wake: follow,
        close() {
          stopWatching()
          cancelProbe()
          line.close()
        },
      }
    },
  }
}
