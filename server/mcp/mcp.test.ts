import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { dashboardEndpoints } from '../api/endpoints/endpoints-dashboard.ts'

const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), 'mcp'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
afterAll(() => void child.kill('SIGKILL'))
const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
const say = (text: string): void => void child.stdin.write(`${text}\n`)
let id = 0

/** Sends a request as an assistant's client does, and returns its answer. */
async function ask(method: string, params: object = {}) {
  say(JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }))
  const { value } = await lines.next()
  const answer = JSON.parse(String(value)) as { id: number; result?: unknown; error?: unknown }
  expect(answer.id).toBe(id)
  return answer
}
async function call(name: string, given: object = {}) {
  const { result } = await ask('tools/call', { name, arguments: given })
  const { content, isError } = result as { content: { text: string }[]; isError: boolean }
  const [status = '', ...json] = (content[0]?.text ?? '').split(' ')
  return { status: Number(status), text: json.join(' '), isError }
}

it('lets an assistant read and control a sandbox, order from it, and nothing else @long', async () => {
  const hello = await ask('initialize', { protocolVersion: '2025-06-18' })
  expect(hello.result).toMatchObject({ capabilities: { tools: {} } })
  say(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))

  const listed = (await ask('tools/list')).result as { tools: { name: string }[] }
  const names = listed.tools.map(({ name }) => name)
  expect(names).toEqual(['callApi', ...Object.keys(dashboardEndpoints)])
  expect(listed.tools.find(({ name }) => name === 'advanceClock')).toMatchObject({
    inputSchema: { properties: { body: expect.anything() }, required: ['body'] },
    annotations: { readOnlyHint: false },
  })

  const found = await call('callApi', {
    api: 'partner',
    method: 'GET',
    path: '/products',
    query: { inStock: true, limit: 1 },
  })
  const [product] = (JSON.parse(found.text) as { results: { id: string; price: number }[] }).results
  const items = [{ productId: product?.id, qty: 1, maxUnitPrice: product?.price }]
  const order = await call('callApi', {
    api: 'partner',
    method: 'POST',
    path: '/orders',
    query: { wait: 5 },
    body: { externalId: 'assistant-1', items },
  })
  expect([order.status, JSON.parse(order.text)]).toMatchObject([201, { status: 'completed' }])

  const moved = await call('advanceClock', { body: { ms: 86_400_000 } })
  expect(moved).toMatchObject({ status: 200, isError: false })
  const log = await call('listRequests', { query: { path: '/v1/orders', limit: 1 } })
  expect(JSON.parse(log.text)).toMatchObject({ total: 1 })

  expect(await call('advanceClock', { body: { ms: -1 } })).toMatchObject({
    status: 400,
    isError: true,
  })
  const outside = { api: 'partner', method: 'GET', path: '/../dashboard/clock' }
  expect(await call('callApi', outside)).toMatchObject({ isError: true })
  expect(await ask('tools/call', { name: 'toString' })).toMatchObject({ error: { code: -32_602 } })
  expect(await ask('resources/list')).toMatchObject({ error: { code: -32_601 } })

  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})
