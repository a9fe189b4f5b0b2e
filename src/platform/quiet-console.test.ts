import { os } from '@orpc/server'
import { RPCHandler } from '@orpc/server/ws'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { quietConsole } from './quiet-console.ts'

const { error, warn } = console
const lines: string[] = []
beforeEach(() => quietConsole((line) => lines.push(line)))
afterEach(() => {
  Object.assign(console, { error, warn })
  lines.length = 0
})

test('prints nothing of a page’s malformed messages, and no flood', async () => {
  const received: ((event: { data: string }) => Promise<void>)[] = []
  const socket = {
    send: () => {},
    addEventListener: (type: string, listener: (typeof received)[number]) => {
      if (type === 'message') received.push(listener)
    },
  }
  await new RPCHandler({ ping: os.handler(() => 'pong') }).upgrade(socket as unknown as WebSocket)
  for (const data of ['svcs_secretsecretsecret', '{"i":svc_live_x', '"', '[]', '{"p":{"u":7}}'])
    for (let time = 0; time < 3; time++) await received[0]?.({ data })
  expect(lines.length).toBeGreaterThan(0)
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.join('\n')).not.toMatch(/svc/)
})
