import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freeOrigin, requestOf, startCertificates } from './testing/certificates.ts'
import type { Certificates } from './testing/certificates.ts'

let certificates: Certificates
beforeAll(async () => {
  certificates = await startCertificates()
})
afterAll(() => certificates.sandbox.stop())

test('runs one at a time, and is canceled while it waits for a handler', async () => {
  const body = requestOf(await freeOrigin())
  await certificates.dashboard.startCertificate({ body })
  await expect(certificates.dashboard.startCertificate({ body })).rejects.toMatchObject({
    status: 400,
  })
  expect((await certificates.dashboard.cancelCertificate({})).body).toMatchObject({
    state: 'canceled',
    result: null,
  })
})

test('reports a handler that does not show its state', async () => {
  const origin = await freeOrigin()
  const { port } = new URL(origin)
  const server = createHttpServer((_request, response) => response.writeHead(204).end())
  await once(server.listen(Number(port), '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  await certificates.dashboard.startCertificate({ body: { ...requestOf(origin), schedules: 1 } })
  await certificates.reached('failed')
  expect((await certificates.present()).reason).toContain(`${origin}/state`)
})

test('sends nothing to an address elsewhere', async () => {
  const elsewhere = [
    'https://shop.example/hook',
    'http://127.0.0.1:80@shop.example/hook',
    'http://127.0.0.1.shop.example/hook',
    'http://10.0.0.1/hook',
    'file:///etc/passwd',
  ]
  const here = 'http://127.0.0.1:9/hook'
  const { dashboardUrl, dashboardToken } = certificates.sandbox.ready
  const start = async (body: unknown) => {
    const answer = await fetch(`${dashboardUrl}/certificate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dashboardToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { error } = (await answer.json()) as { error?: { code: string } }
    return [answer.status, error?.code]
  }
  for (const body of [
    ...elsewhere.flatMap((url) => [
      { url, probe: here },
      { url: here, probe: url },
    ]),
    { url: here, probe: here, replay: 'twice' },
  ])
    expect(await start(body)).toEqual([400, 'VALIDATION_ERROR'])
})
