import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from './sandbox.ts'
import { repeatableOptions, session, text, tour } from './testing/repeatable-tour.ts'

const silent = { info: () => undefined, error: (message: string) => expect.fail(message) }
test('gives the same answers to the same requests, byte for byte, with their ids and dates', async () => {
  const runs: string[][] = []
  for (const at of ['one', 'one', 'other']) {
    const sandbox = await startSandbox(repeatableOptions(at), silent)
    runs.push(await session(sandbox, tour(sandbox)))
    await sandbox.stop()
  }
  const [first = [], second, other] = runs
  expect(second).toEqual(first)
  expect(first.length).toBe(38)
  // One order without lines, and the pings that the fault hit.
  const refused = first.slice(1).filter((answer) => !/^\S+ \S+ 20\d /.test(answer))
  expect(
    refused.every((answer) => /^(POST \/v1\/orders 400|GET \/v1\/ping 503)/.test(answer)),
  ).toBe(true)
  expect(refused.length).toBeGreaterThan(1)
  expect(other?.[0]).not.toBe(first[0])
}, 120_000)

test('gives branches the same keys, which differ from those of the original and of other branches', async () => {
  const runs = []
  for (const _ of [1, 2]) {
    const sandbox = await startSandbox(repeatableOptions('one'), silent)
    const { dashboardUrl, dashboardToken, demo } = sandbox.ready
    const made = async () =>
      z.object({ demo: z.object({ sellerKey: z.string() }) }).parse(
        await (
          await fetch(`${dashboardUrl}/branches`, {
            method: 'POST',
            headers: { authorization: `Bearer ${dashboardToken}` },
          })
        ).json(),
      ).demo.sellerKey
    runs.push([demo?.sellerKey, await made(), await made()])
    await sandbox.stop()
  }
  expect(runs[1]).toEqual(runs[0])
  expect(new Set(runs[0]).size).toBe(3)
}, 60_000)

test('lets a receiver call the service while the clock is advanced', async () => {
  const sandbox = await startSandbox(repeatableOptions('one'), silent)
  const { baseUrl, dashboardUrl, dashboardToken, demo } = sandbox.ready
  const answered: number[] = []
  const receiver = createServer((_request, response) => {
    void fetch(`${baseUrl}/ping`, {
      headers: { authorization: `Bearer ${demo?.partnerTestKey ?? ''}` },
    }).then(({ status }) => {
      answered.push(status)
      response.writeHead(204).end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  const dashboard = async (method: string, path: string, body?: unknown) =>
    text.parse(
      await (
        await fetch(dashboardUrl + path, {
          method,
          headers: {
            authorization: `Bearer ${dashboardToken}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body ?? {}),
        })
      ).json(),
    )
  const { id } = await dashboard('POST', '/partners', { name: 'Receiver' })
  await dashboard('PUT', `/partners/${id ?? ''}/webhook`, { url: `http://127.0.0.1:${port}/` })
  await dashboard('POST', `/partners/${id ?? ''}/webhook/test`, { mode: 'test' })
  await dashboard('POST', '/clock/advance', { ms: 1000 })
  expect(answered).toEqual([200])
  receiver.close()
  await sandbox.stop()
}, 60_000)
