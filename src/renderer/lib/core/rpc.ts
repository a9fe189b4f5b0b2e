import { createORPCClient } from '@orpc/client'
import type { ClientLink } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { create } from 'zustand'
import type { Contract } from '../../../contract/index.ts'
import { proofFor } from '../proof-gate.ts'
import { NotConnected, NoSession, openConnection } from './core-connection.ts'
import type { CoreConnection, ConnectFailure } from './core-connection.ts'

/**
 * The state of the page's connection to the core. `lost` reconnects automatically; `no-session`
 * needs a new address from the terminal.
 */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'no-session'

/** Includes the reason of the last failed attempt. */
export const useCoreConnection = create<{ state: ConnectionState; met: ConnectFailure }>(() => ({
  state: 'connecting',
  met: 'silence',
}))

const retryMs = [100, 300, 1000, 2000]

let current: Promise<CoreConnection> | undefined

/** The open connection, or the next one. Retries while the page is open. */
function connection(): Promise<CoreConnection> {
  current ??= connect().then((opened) => {
    useCoreConnection.setState({ state: 'connected' })
    void opened.closed.then(() => {
      current = undefined
      useCoreConnection.setState({ state: 'lost', met: 'silence' })
      void connection()
    })
    return opened
  })
  return current
}

let again = new AbortController()

/** Cancels the current connection attempt and starts the next one immediately. */
export const retryNow = (): void => again.abort()

async function connect(): Promise<CoreConnection> {
  for (let attempt = 0; ; attempt++) {
    again = new AbortController()
    try {
      return await openConnection(again.signal)
    } catch (error) {
      if (error instanceof NoSession) {
        useCoreConnection.setState({ state: 'no-session' })
        return new Promise(() => {})
      }
      useCoreConnection.setState({
        state: attempt === 0 ? 'connecting' : 'lost',
        met: error instanceof NotConnected ? error.met : 'silence',
      })
      await pause(retryMs[Math.min(attempt, retryMs.length - 1)], again.signal)
    }
  }
}

function pause(ms: number | undefined, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, stop.aborted ? 0 : ms)
    stop.addEventListener('abort', () => resolve())
  })
}

const link: ClientLink<Record<never, never>> = {
  async call(path, input, options) {
    const send = async (given: unknown): Promise<unknown> =>
      (await connection()).link.call(path, given, options)
    try {
      return await send(input)
    } catch (error) {
      const proof = await proofFor(error)
      if (proof === null) throw error
      return send({ ...(input as Record<string, unknown> | undefined), proof })
    }
  },
}

/**
 * The core's procedures, typed by the contract. Calls wait for a connection; a call in flight
 * rejects when its connection is lost. If a call needs a second proof, the person is asked for it
 * and the call is repeated with it; if they decline, it rejects with `PROOF_NEEDED`.
 */
export const rpc: ContractRouterClient<Contract> = createORPCClient(link)

/**
 * The same procedures as query and mutation options: `api.offers.list.queryOptions({ input })`,
 * `api.offers.change.mutationOptions()`, `api.offers.key()`.
 */
export const api = createTanstackQueryUtils(rpc)
