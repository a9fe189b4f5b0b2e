import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Client, createClient } from '../api/client/client.ts'
import { fetchTransport } from '../fetch-transport.ts'
import { startSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-types.ts'
import { testOptions } from '../testing/sandbox-options.ts'

let sandbox: Sandbox
let dashboard: Client<AbortSignal>

beforeAll(async () => {
  sandbox = await startSandbox(testOptions(), {
    info: () => undefined,
    error: (message) => expect.fail(message),
  })
  const { baseUrl, dashboardToken: key } = sandbox.ready
  dashboard = createClient({ baseUrl, key, send: fetchTransport })
})
afterAll(() => sandbox.stop())

async function freeOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

/** A handler of the zoo, as a person starts it with the variables of the certificate. */
function startHandler(origin: string, bug: string, env: Record<string, string>): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-certificates-'))
  const program = join(import.meta.dirname, 'zoo/planted.mjs')
  const child = spawn(process.execPath, [program, folder, bug], {
    stdio: 'ignore',
    env: { ...process.env, ...env, PORT: new URL(origin).port },
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return child
}

const present = async () => (await dashboard.getCertificate({})).body
const reached = (state: string) =>
  vi.waitFor(async () => expect(await present()).toMatchObject({ state }), 30_000)
const requestOf = (origin: string) => ({
  url: `${origin}/hook`,
  probe: `${origin}/state`,
  seed: 1,
})

test('waits for the handler, finds its bug, and replays the failure with the same variables', async () => {
  const origin = await freeOrigin()
  expect(await present()).toMatchObject({ state: 'none', variables: null })
  await dashboard.startCertificate({ body: { ...requestOf(origin), schedules: 60 } })
  await vi.waitFor(async () => expect((await present()).variables).not.toBeNull(), 30_000)
  const { variables } = await present()
  startHandler(origin, 'trusts-delivery-id', { ...variables } as Record<string, string>)
  await reached('finished')
  const { result, done, failed } = await present()
  expect(done).toBeGreaterThan(0)
  expect(result).toMatchObject({
    certified: false,
    failed,
    failures: [
      expect.objectContaining({
        invariant: 'once',
        title: 'Each unit is handed on once',
        advice: expect.any(String),
      }),
    ],
  })
  expect(JSON.parse(result?.json ?? '')).toMatchObject({ certified: false, seed: 1 })
  expect(result?.junit).toContain('<testsuite name="keydesk-sandbox certify"')

  // The handler runs already, with the variables of the run before.
  const { replay = '', steps = [] } = result?.failures[0] ?? {}
  await dashboard.startCertificate({ body: { ...requestOf(origin), replay } })
  await reached('finished')
  expect(await present()).toMatchObject({
    variables,
    schedules: 1,
    result: { failures: [{ invariant: 'once', steps }] },
  })
})

test('runs one at a time, and is canceled while it waits for a handler', async () => {
  const body = requestOf(await freeOrigin())
  await dashboard.startCertificate({ body })
  await expect(dashboard.startCertificate({ body })).rejects.toMatchObject({ status: 400 })
  expect((await dashboard.cancelCertificate({})).body).toMatchObject({
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
  await dashboard.startCertificate({ body: { ...requestOf(origin), schedules: 1 } })
  await reached('failed')
  expect((await present()).reason).toContain(`${origin}/state`)
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
  const { dashboardUrl, dashboardToken } = sandbox.ready
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
