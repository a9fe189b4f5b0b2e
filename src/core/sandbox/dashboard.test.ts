import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { manualClock } from '../testing/manual-clock.ts'
import { createDashboard } from './dashboard.ts'

it.each([
  ['listPartners', 60_000],
  ['reset', 10 * 60_000],
] as const)(
  'says that a sandbox doesn’t respond to %s, after %i ms',
  async (operation, limitMs) => {
    let received = (): void => {}
    const arrived = new Promise<void>((resolve) => {
      received = resolve
    })
    const server = createServer(received).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const clock = manualClock()
    const { call } = createDashboard(
      () => ({ baseUrl, dashboardUrl: baseUrl, dashboardToken: 'token' }) as never,
      clock,
    )
    let isOver = false
    const asked = call(operation, operation === 'reset' ? ({ body: {} } as never) : ({} as never))
    const failed = asked.then(
      () => null,
      (error: unknown) => {
        isOver = true
        return error
      },
    )
    await arrived
    clock.advance(limitMs - 1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).toBe(false)
    clock.advance(1)
    expect(await failed).toMatchObject({
      problem: { code: 'ANSWER_LOST', what: 'The sandbox didn’t respond in time.' },
    })
    server.closeAllConnections()
    server.close()
  },
)
