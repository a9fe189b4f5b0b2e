import type {
  BackendProcesses,
  BackendReady,
  RunningBackend,
} from '../../platform/backends/backend-process.ts'
import type { FromCore, ToCore } from './core-messages.ts'

type Ended = { code: number | null; lastWords: string }

/**
 * Backends for the core process. Only the main process can fork, so each start and stop is
 * requested from it by message.
 */
export function createBackendClient(ask: (message: FromCore) => void): BackendProcesses & {
  hear(message: Extract<ToCore, { type: 'backend-ready' | 'backend-ended' }>): void
} {
  const known = new Map<number, { ready(ready: BackendReady): void; ended(ended: Ended): void }>()
  let lastId = 0
  return {
    start(options) {
      const id = ++lastId
      return new Promise<RunningBackend>((resolve, reject) => {
        const ending = Promise.withResolvers<Ended>()
        known.set(id, {
          ready: (ready) =>
            resolve({
              ready,
              ended: ending.promise,
              stop: async () => {
                ask({ type: 'stop-backend', id })
                await ending.promise
              },
            }),
          ended: (ended) => {
            known.delete(id)
            ending.resolve(ended)
            reject(
              new Error(
                ended.lastWords === ''
                  ? `The sandbox exited with status ${ended.code ?? 'none'} before it was ready.`
                  : ended.lastWords,
              ),
            )
          },
        })
        ask({ type: 'start-backend', id, options })
      })
    },
    hear(message) {
      const backend = known.get(message.id)
      if (message.type === 'backend-ready') backend?.ready(message.ready)
      else backend?.ended({ code: message.code, lastWords: message.lastWords })
    },
  }
}
