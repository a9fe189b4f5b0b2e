import type { Contract } from '../contract/index.ts'
import type { Host } from '../platform/host.ts'
import { systemClock } from './clock.ts'
import type { CoreOptions } from './core-services.ts'
import { createCore, features } from './create-core.ts'
import { isRecoverable } from './data-folder/inspect/start-problem.ts'
import type { RecoverableProblem } from './data-folder/inspect/start-problem.ts'
import { openReadOnly } from './data-folder/recovery/read-only.ts'
import { createRecovery } from './data-folder/recovery/recovery.ts'
import type { RecoveryContract } from './data-folder/recovery/recovery.ts'
import type { ServedRouter } from './served.ts'

export { DataFolderInUse } from './create-core.ts'

/** A running console: the complete core, a read-only one, or the recovery of its data folder. */
export interface Console {
  /** The router that it serves now. It changes when a person leaves recovery, so read it for each connection. */
  readonly router: ServedRouter<Contract> | ServedRouter<RecoveryContract>
  /** Shares the address of the screen with consoles that are started later on this data folder. */
  announce(address: string): void
  /** Stops all work and releases the data folder. */
  close(): Promise<void>
}

/**
 * Starts the console. If its data folder can't be opened and a person can help, it serves the
 * recovery screen instead. Throws `DataFolderInUse`, or a `StartProblem` without a way out.
 */
export async function startConsole(host: Host, options: CoreOptions = {}): Promise<Console> {
  let address: string | null = null
  let closed = false
  let current = await openOrRecover()

  /** Replaces the served core. Its pages reconnect after the response of the call that does this. */
  async function switchTo(next: Console): Promise<void> {
    if (closed) return next.close()
    current = next
    if (address !== null) next.announce(address)
  }

  async function openOrRecover(): Promise<Console> {
    try {
      return await createCore(host, options)
    } catch (error) {
      if (!isRecoverable(error)) throw error
      return recover(error)
    }
  }

  function recover(problem: RecoverableProblem): Console {
    return createRecovery({
      host,
      options,
      clock: options.clock ?? systemClock,
      schemas: features.schemas,
      problem,
      waysOut: {
        open: async () => switchTo(await createCore(host, options)),
        openReadOnly: async () => switchTo(await openCopy(problem)),
      },
    })
  }

  function openCopy(problem: RecoverableProblem): Promise<Console> {
    return openReadOnly(host, options, problem.kind, async () => {
      const before = current
      await before.close()
      await switchTo(await openOrRecover())
    })
  }

  return {
    get router() {
      return current.router
    },
    announce(given) {
      address = given
      current.announce(given)
    },
    close() {
      closed = true
      return current.close()
    },
  }
}
