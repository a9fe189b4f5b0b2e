import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Notices } from './notices.ts'

/** Binds the contract's procedures to the notices feature. */
export function createNoticesRouter(notices: Notices) {
  const os = implement(contract.notices)
  return os.router({
    list: os.list.handler(() => notices.list()),
    markSeen: os.markSeen.handler(() => notices.markSeen()),
  })
}
