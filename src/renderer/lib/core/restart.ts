import { rpc, useCoreConnection } from './rpc.ts'

/**
 * Restarts the core, then reloads the page, because none of its data is certain afterwards. Rejects
 * when the restart fails.
 */
export async function restartKeydesk(): Promise<void> {
  let gone = false
  const stop = useCoreConnection.subscribe(({ state }) => {
    if (state === 'lost') gone = true
    else if (gone && state === 'connected') location.reload()
  })
  try {
    await rpc.app.restart()
  } catch (error) {
    stop()
    throw error
  }
}
