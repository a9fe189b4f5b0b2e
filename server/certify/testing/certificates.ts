import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'
import { createClient } from '../../api/client/client.ts'
import { fetchTransport } from '../../fetch-transport.ts'
import { startSandbox } from '../../sandbox.ts'
import { testOptions } from '../../testing/sandbox-options.ts'

/** A sandbox whose certificates a test starts over its dashboard interface. */
export type Certificates = Awaited<ReturnType<typeof startCertificates>>

export async function startCertificates() {
  const sandbox = await startSandbox(testOptions(), {
    info: () => undefined,
    error: (message) => expect.fail(message),
  })
  const { baseUrl, dashboardToken: key } = sandbox.ready
  const dashboard = createClient({ baseUrl, key, send: fetchTransport })
  /** The current certificate. */
  const present = async () => (await dashboard.getCertificate({})).body
  return {
    sandbox,
    dashboard,
    present,
    reached: (state: string) =>
      vi.waitFor(async () => expect(await present()).toMatchObject({ state }), 30_000),
  }
}

/** An address of this computer at which nothing listens. */
export async function freeOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

export const requestOf = (origin: string) => ({
  url: `${origin}/hook`,
  probe: `${origin}/state`,
  seed: 1,
})
