import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Sandbox } from './sandbox.ts'

/** How the sandbox answers the contract. */
export function createSandboxRouter(sandbox: Sandbox) {
  const os = implement(contract.sandbox)
  return os.router({
    state: os.state.handler(() => sandbox.state()),
    start: os.start.handler(({ input }) => sandbox.start(input.keep)),
    stop: os.stop.handler(() => sandbox.stop()),
  })
}
