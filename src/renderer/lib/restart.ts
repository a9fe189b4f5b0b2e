import { rpc, useLine } from './rpc.ts'

/**
 * Restarts the core; the page begins anew with the new one, for nothing that it shows need be true
 * any more. Rejects when there is no restart.
 */
export async function restartKeydesk(): Promise<void> {
  let gone = false
  const stop = useLine.subscribe(({ state }) => {
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
