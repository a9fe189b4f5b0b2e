import { expect, test } from 'vitest'
import { sendingBlock } from './sending-block.ts'

test.each([
  ['ready', 'online', null],
  ['ready', 'slowed', null],
  ['ready', 'starting', null],
  ['ready', undefined, null],
  ['ready', 'offline', 'There’s no connection to the service.'],
  ['ready', 'refused', 'The service rejects the API key.'],
  ['key-missing', 'online', 'The API key isn’t on this computer.'],
] as const)('an account that is %s and %s: %s', (state, connection, reason) => {
  expect(
    sendingBlock({ state }, connection === undefined ? undefined : { state: connection }),
  ).toBe(reason)
})
