import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createCore } from '../create-core.ts'
import { temporaryFolder, testHost } from '../testing/context.ts'
import { problemOf, until } from '../testing/core.ts'

const folder = temporaryFolder()
let core: Awaited<ReturnType<typeof createCore>>
const ask = () => createRouterClient(core.router, { context: {} })

beforeAll(async () => {
  core = await createCore(testHost(folder.path))
  await ask().sandbox.start({})
}, 60_000)
afterAll(async () => {
  await core.close()
  folder.remove()
})

/** Its job. Others, such as the sync of the demo accounts, can run beside it. */
const jobsOf = async () => (await ask().app.jobs()).filter(({ kind }) => kind === 'certificate')

async function freeOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

/** A handler with a planted bug, started with copied variables. */
function startHandler(origin: string, bug: string, variables: string): void {
  const home = temporaryFolder()
  const program = join(import.meta.dirname, '../../../server/certify/zoo/planted.mjs')
  const env = Object.fromEntries(variables.split('\n').map((line) => line.split('=', 2)))
  const child = spawn(process.execPath, [program, home.path, bug], {
    stdio: 'ignore',
    env: { ...process.env, ...env, PORT: new URL(origin).port },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
    home.remove()
  })
}

test('certifies a handler as a job of the status bar, and returns its secrets only to copy them', async () => {
  const { certificate } = ask().sandbox
  const origin = await freeOrigin()
  expect(await certificate.state()).toMatchObject({ state: 'none', hasVariables: false })
  expect(await problemOf(certificate.variables())).toMatchObject({ code: 'NOT_FOUND' })
  const input = { url: `${origin}/hook`, probe: `${origin}/state`, schedules: 40, seed: 1 }
  await certificate.start(input)
  expect(await jobsOf()).toMatchObject([{ state: 'waiting', total: 40, can: ['cancel'] }])
  expect(await problemOf(certificate.start(input))).toMatchObject({ code: 'VALIDATION_ERROR' })
  const waiting = await until(
    () => certificate.state(),
    ({ hasVariables }) => hasVariables,
  )
  expect(waiting).toMatchObject({ state: 'waiting', reason: null })
  const { value } = await certificate.variables()
  startHandler(origin, 'treats-test-as-live', value)
  const done = await until(
    () => certificate.state(),
    ({ state }) => state === 'finished' || state === 'failed',
  )
  expect(done).toMatchObject({ reason: null })
  expect(done.result).toMatchObject({ certified: false, failures: [{ invariant: 'test' }] })
  for (const secret of value.match(/(?:svc_live_|whsec_)[\w-]+/g) ?? [])
    expect(JSON.stringify(done)).not.toContain(secret)
  await until(jobsOf, (jobs) => jobs.length === 0)
})

test('cancels a certificate from the status bar; the sandbox ends one that waits', async () => {
  const { certificate } = ask().sandbox
  const origin = await freeOrigin()
  const input = { url: `${origin}/hook`, probe: `${origin}/state` }
  const { state } = await certificate.start(input)
  expect(state).toBe('waiting')
  const [job] = await jobsOf()
  await ask().app.actOnJob({ jobId: job?.id ?? '', action: 'cancel' })
  expect(await certificate.state()).toMatchObject({ state: 'canceled', result: null })

  await certificate.start(input)
  await ask().sandbox.stop()
  await until(jobsOf, (jobs) => jobs.length === 0)
})
