import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, createClient } from './api/client/client.ts'
import { fetchTransport } from './fetch-transport.ts'
import { startSandbox } from './sandbox.ts'
import type { Sandbox } from './sandbox-types.ts'
import { testOptions } from './testing/sandbox-options.ts'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox(testOptions(), {
    info: () => undefined,
    error: (message) => expect.fail(message),
  })
})
afterAll(() => sandbox.stop())

const clientAt = (baseUrl: string, key: string): Client<AbortSignal> =>
  createClient({ baseUrl, key, send: fetchTransport })

test('a delivery that is pending when a branch is made is repeated by the original only', async () => {
  const dashboard = clientAt(sandbox.ready.baseUrl, sandbox.ready.dashboardToken)
  const { id } = (await dashboard.createPartner({ body: { name: 'Listener of a branch' } })).body
  let received = 0
  const receiver = createServer((_request, response) => {
    received += 1
    response.writeHead(503).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await dashboard.putWebhook({ params: { id }, body: { url } })
  const { key } = (await dashboard.createPartnerKey({ params: { id }, body: { mode: 'test' } }))
    .body
  await clientAt(sandbox.ready.baseUrl, key).testWebhook({})
  await vi.waitFor(() => expect(received).toBe(1), 5000)

  const { body: branch } = await dashboard.createBranch({})
  const other = clientAt(branch.baseUrl, branch.dashboardToken)
  await other.advanceClock({ body: { ms: 60_000 } })
  const deliveriesOf = async (service: Client<AbortSignal>) =>
    (await service.listDeliveries({ params: { id } })).body.results
  expect(await deliveriesOf(other)).toMatchObject([{ status: 'failed', nextAttemptAt: null }])
  expect(await deliveriesOf(dashboard)).toMatchObject([{ status: 'pending' }])
  expect(received).toBe(1)
  // New events of the branch are sent.
  await clientAt(branch.baseUrl, key).testWebhook({})
  await vi.waitFor(() => expect(received).toBe(2), 5000)

  await dashboard.deleteBranch({ params: { id: branch.id } })
  await dashboard.deleteWebhook({ params: { id } })
  receiver.close()
})
