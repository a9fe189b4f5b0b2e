import { expect, test } from 'vitest'
import { systemResolvesLocalhost } from './localhost.ts'

test.each([
  [['127.0.0.1', '::1'], true],
  [['127.0.0.1', '203.0.113.7'], false],
  [[], false],
])('with the addresses %j, the system resolves localhost: %s', async (addresses, resolves) => {
  const program = `console.log(${JSON.stringify(JSON.stringify(addresses))})`
  expect(await systemResolvesLocalhost(program)).toBe(resolves)
})

test('doesn’t wait for a name server that never answers', async () => {
  expect(await systemResolvesLocalhost('setInterval(() => {}, 1000)')).toBe(false)
}, 20_000)

test('doesn’t count on an answer from a process that ended without one', async () => {
  expect(await systemResolvesLocalhost('')).toBe(false)
}, 20_000)

test('asks the system', async () => {
  expect(typeof (await systemResolvesLocalhost())).toBe('boolean')
})
