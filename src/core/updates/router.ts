import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Updates } from './updates.ts'

/** Implements the contract of updates. */
export function createUpdatesRouter(updates: Updates) {
  const os = implement(contract.updates)
  return os.router({
    state: os.state.handler(() => updates.state()),
    check: os.check.handler(() => updates.check()),
    download: os.download.handler(() => updates.download()),
    restart: os.restart.handler(({ input }) => updates.restart(input.when)),
    cancelRestart: os.cancelRestart.handler(() => updates.cancelRestart()),
  })
}
