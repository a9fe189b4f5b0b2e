import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatMessage } from '../../contract/localization/localized.ts'
import type { PageSession, PageSessions } from '../../platform/page-sessions.ts'
import { createTestContext } from '../testing/context.ts'
import type { TestContext } from '../testing/context.ts'
import { createPageAccess } from './sessions.ts'
import type { PageAccess } from './sessions.ts'

let services: TestContext
let access: PageAccess
let open: PageSession[] = []
let tell: (event: 'changed' | 'address-reused') => void = () => {}
let watchers = 0
const sessions: PageSessions = {
  list: () => open,
  end(id) {
    const before = open.length
    open = open.filter((session) => session.id !== id)
    return open.length < before
  },
  watch(listener) {
    tell = listener
    watchers++
    return () => void watchers--
  },
}
const session = { id: 'a', browser: 'Firefox', openedAt: 1, lastUsedAt: 2, connected: true }

beforeEach(async () => {
  open = [session]
  services = await createTestContext()
  access = createPageAccess({
    ...services.context,
    host: { ...services.context.host, sessions },
  })
})
afterEach(() => {
  access.close()
  services.dispose()
})

const recorded = (): string[] =>
  services.activity
    .latest(null, 10)
    .map(({ what, outcome }) => `${formatMessage(what)}: ${outcome}`)

test('lists and ends sessions, and records the end', () => {
  const { id: sessionId, ...facts } = session
  expect(access.list()).toEqual([{ sessionId, ...facts }])
  expect(access.end('a')).toEqual([])
  expect(access.end('a')).toEqual([])
  expect(recorded()).toEqual(['Session ended: ok'])
})

test('reports an address that was used twice in the activity and as a notice', () => {
  tell('address-reused')
  expect(recorded()).toEqual(['An address of Keydesk was used twice: failed'])
  expect(services.notices.list()).toMatchObject([{ kind: 'security', accountId: null }])
})

test('has no sessions in the app', () => {
  const inApp = createPageAccess(services.context)
  expect(inApp.list()).toBeNull()
  inApp.close()
})

test('stops following the host’s sessions when the core closes', () => {
  expect(watchers).toBe(1)
  access.close()
  expect(watchers).toBe(0)
  watchers = 1
})
