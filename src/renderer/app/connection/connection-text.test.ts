import { expect, it } from 'vitest'
import type { ConnectFailure } from '../../lib/core/core-connection.ts'
import { connectionText } from './connection-text.ts'

const reasons: readonly ConnectFailure[] = ['nobody', 'opening', 'silence']
const cases = reasons.flatMap((met) =>
  [true, false].flatMap((inBrowser) => [true, false].map((first) => ({ met, inBrowser, first }))),
)

it.each(cases)('says how to start again and where the log is: %o', (state) => {
  const { text } = connectionText({ ...state, dataFolder: '/home/kim/.keydesk' })
  expect(text).toMatch(/Start Keydesk again|start it again|open it again/)
  expect(text).toContain('/home/kim/.keydesk/logs/keydesk.log')
  expect(connectionText({ ...state, dataFolder: null }).text).toContain(
    'logs/keydesk.log in its data folder',
  )
})

it('uses the separator of the data folder’s system', () => {
  const { text } = connectionText({
    first: false,
    met: 'silence',
    inBrowser: false,
    dataFolder: 'C:\\Users\\Kim\\Keydesk',
  })
  expect(text).toContain('C:\\Users\\Kim\\Keydesk\\logs\\keydesk.log')
})

it('only says that it reconnects while that can still be a matter of seconds', () => {
  const { text } = connectionText({ first: false, met: null, inBrowser: true, dataFolder: null })
  expect(text).toContain('Reconnecting…')
})
