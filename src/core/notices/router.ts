import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Notices } from './notices.ts'

/** How notices answer the contract. */
export function createNoticesRouter(notices: Notices) {
  const os = implement(contract.notices)
  return os.router({
    list: os.list.handler(() => notices.list()),
    markSeen: os.markSeen.handler(() => notices.markSeen()),
  })
}
