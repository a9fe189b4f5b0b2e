import type { Worker } from 'node:worker_threads'
import type { WorkerCalls } from './messages.ts'
import { connectWorker } from './worker-connection.ts'
import type { AskOptions, WorkerConnection } from './worker-connection.ts'

/** After this many failures the workers aren't started again, and the core does their work. */
const MAX_FAILURES = 3

/** A worker failed while it had a request. The core can do the work itself. */
export class WorkerExited extends Error {
  override readonly name = 'WorkerExited'
}

/** Workers that run together, by name. */
export interface WorkerTeam<Calls extends Record<string, WorkerCalls>> {
  /** Aborts when the workers have ended. */
  readonly ended: AbortSignal
  /** Rejects with the worker's error, with `WorkerExited`, or with the reason of their end. */
  ask<Name extends keyof Calls & string>(
    name: Name,
    request: Calls[Name]['request'],
    options?: AskOptions<Calls[Name]['progress']>,
  ): Promise<Calls[Name]['result']>
}

export interface Workers<Calls extends Record<string, WorkerCalls>> {
  /**
   * The running workers, started if necessary. Null if they can't be started or failed too often:
   * the caller does the work itself.
   */
  team(): WorkerTeam<Calls> | null
  /** The workers if they are running. */
  running(): WorkerTeam<Calls> | null
  /** Ends the workers for good. Open requests are rejected with `reason`. */
  end(reason: Error): Promise<void>
}

/**
 * Workers that are started at their first use and again after a failure. If one of them fails, all
 * of them end.
 *
 * @param onFailure called for each failure
 */
export function createWorkers<Calls extends Record<string, WorkerCalls>>(
  start: () => { readonly [Name in keyof Calls]: Worker },
  onFailure: (error: Error) => void,
): Workers<Calls> {
  let current: { team: WorkerTeam<Calls>; end: (reason: Error) => Promise<void> } | null = null
  let failures = 0

  function connect(): NonNullable<typeof current> {
    const ended = new AbortController()
    const connections: Partial<Record<keyof Calls, WorkerConnection<WorkerCalls>>> = {}
    async function end(reason: Error): Promise<void> {
      if (current?.team === team) current = null
      ended.abort(reason)
      await Promise.all(Object.values(connections).map((each) => each?.end(reason)))
    }
    function failed(error: Error): void {
      if (current?.team !== team) return
      failures += 1
      onFailure(error)
      void end(new WorkerExited(`A worker exited: ${error.message}`, { cause: error }))
    }
    for (const [name, worker] of Object.entries<Worker>(start()))
      connections[name as keyof Calls] = connectWorker(worker, failed)
    const team: WorkerTeam<Calls> = {
      ended: ended.signal,
      ask: (name, request, options) =>
        connections[name]?.ask(request, options) ??
        Promise.reject(new Error(`There is no worker ${name}.`)),
    }
    return { team, end }
  }

  return {
    team() {
      if (current !== null || failures >= MAX_FAILURES) return current?.team ?? null
      try {
        current = connect()
        return current.team
      } catch {
        failures = MAX_FAILURES
        return null
      }
    },
    running: () => current?.team ?? null,
    async end(reason) {
      failures = MAX_FAILURES
      await current?.end(reason)
    },
  }
}
