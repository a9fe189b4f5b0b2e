import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { PageAccess } from './sessions.ts'

/** Implements the sessions contract. */
export function createSessionsRouter(access: PageAccess) {
  const os = implement(contract.sessions)
  return os.router({
    list: os.list.handler(() => access.list()),
    end: os.end.handler(({ input }) => access.end(input.sessionId)),
  })
}
