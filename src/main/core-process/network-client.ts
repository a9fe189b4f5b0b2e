import { createSystemNetwork, proxyOfRules } from '../../platform/network.ts'
import type { Network } from '../../platform/network.ts'
import type { FromCore, ToCore } from './core-messages.ts'

/**
 * The computer's network settings for the core process. Only the main process knows the system's
 * proxies, so each address is requested from it by message.
 */
export function createNetworkClient(
  ask: (message: FromCore) => void,
): Network & { hear(message: Extract<ToCore, { type: 'proxies' }>): void } {
  const asked = new Map<number, (rules: string) => void>()
  let lastId = 0
  const network = createSystemNetwork(
    (url) =>
      new Promise((resolve) => {
        const id = ++lastId
        asked.set(id, (rules) => resolve(proxyOfRules(rules)))
        ask({ type: 'find-proxies', id, url: new URL(url).origin })
      }),
  )
  return {
    ...network,
    hear({ id, rules }) {
      asked.get(id)?.(rules)
      asked.delete(id)
    },
  }
}
