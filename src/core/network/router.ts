import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { ConfiguredNetwork } from './network.ts'

/** Implements the network contract. */
export function createNetworkRouter(network: ConfiguredNetwork) {
  const os = implement(contract.network)
  return os.router({
    state: os.state.handler(() => network.state()),
    setProxy: os.setProxy.handler(({ input }) => network.setProxy(input.proxy)),
    addAuthorities: os.addAuthorities.handler(({ input }) => network.addAuthorities(input.pem)),
    adoptRestored: os.adoptRestored.handler(() => network.adoptRestored()),
    discardRestored: os.discardRestored.handler(() => network.discardRestored()),
    removeAuthority: os.removeAuthority.handler(({ input }) =>
      network.removeAuthority(input.fingerprint),
    ),
  })
}
