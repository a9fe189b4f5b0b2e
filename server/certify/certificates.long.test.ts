import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { freeOrigin, requestOf, startCertificates } from './testing/certificates.ts'
import type { Certificates } from './testing/certificates.ts'

let certificates: Certificates
beforeAll(async () => {
  certificates = await startCertificates()
})
afterAll(() => certificates.sandbox.stop())

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

test('waits for the handler, finds its bug, and replays the failure with the same variables', async () => {
  const origin = await freeOrigin()
  expect(await certificates.present()).toMatchObject({ state: 'none', variables: null })
  await certificates.dashboard.startCertificate({ body: { ...requestOf(origin), schedules: 60 } })
  await vi.waitFor(
    async () => expect((await certificates.present()).variables).not.toBeNull(),
    30_000,
  )
  const { variables } = await certificates.present()
  startHandler(origin, 'trusts-delivery-id', { ...variables } as Record<string, string>)
  await certificates.reached('finished')
  const { result, done, failed } = await certificates.present()
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
  await certificates.dashboard.startCertificate({ body: { ...requestOf(origin), replay } })
  await certificates.reached('finished')
  expect(await certificates.present()).toMatchObject({
    variables,
    schedules: 1,
    result: { failures: [{ invariant: 'once', steps }] },
  })
})
