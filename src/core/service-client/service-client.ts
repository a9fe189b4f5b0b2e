import type { Network } from '../../platform/network.ts'
import { msUntil } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import { createCircuit } from './availability/circuit.ts'
import type { Circuit } from './availability/circuit.ts'
import { createConnection } from './connection.ts'
import type { AccountConnection } from './connection.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { createSchedule } from './schedule/schedule.ts'
import type { Rates } from './schedule/schedule.ts'
import { createTransport } from './transport/transport.ts'

export { isLoopbackHost } from './transport/addresses.ts'
export type { AccountConnection } from './connection.ts'
export type { Credentials } from './connection-parts.ts'
export {
  noResponseProblem as noAnswerProblem,
  rejectionProblem as refusalProblem,
} from './problems/problems.ts'
export { createTransport, doubtfulMs, quickChangeMs, quickReadMs } from './transport/transport.ts'
export type { KeepAliveTransport } from './transport/transport.ts'
export { serviceRates } from './schedule/schedule.ts'
export type { Rates } from './schedule/schedule.ts'

export type ConnectionOptions = Pick<
  ConnectionParts,
  | 'accountId'
  | 'credentials'
  | 'takesIdempotencyKeys'
  | 'refusal'
  | 'refused'
  | 'accepted'
  | 'dated'
  | 'changed'
> & {
  /** The current address, even while there is no key. */
  baseUrl: () => string
  /** Makes a small call to find out whether the service responds again. */
  probe: (connection: AccountConnection) => Promise<void>
}

export interface ServiceClient {
  /**
   * The connection of one key. Connections to the same address share a circuit; `wake` makes a
   * connection follow the circuit of its current address.
   */
  connect(options: ConnectionOptions): AccountConnection
}

/** Connections to services: one schedule per key, one circuit per address. */
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
    connect({ baseUrl, probe, ...options }) {
      const connection = createConnection({
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

      /** Watches the circuit of the current address and schedules the next probe of it. */
      function follow(): void {
        const circuit = circuitOf(baseUrl())
        if (circuit !== watched) {
          stopWatching()
          watched = circuit
          stopWatching = circuit.onChange(check)
        }
        check()
      }
      function check(): void {
        cancelProbe()
        const state = watched?.state()
        if (state !== undefined && state.state !== 'online')
          cancelProbe = clock.after(Math.max(1, msUntil(clock, state.nextTry)), test)
        connection.wake()
        options.changed()
      }
      function test(): void {
        const circuit = watched
        if (circuit?.requestTest() !== true) return
        void probe(connection)
          .catch(() => {})
          .finally(circuit.tested)
      }
      return {
        ...connection,
        wake: follow,
        close() {
          stopWatching()
          cancelProbe()
          connection.close()
        },
      }
    },
  }
}
