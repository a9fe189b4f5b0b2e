import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { listenOnLoopback, portOf } from './loopback.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
)
/** As root, the squatter is another user of this computer, if that user can run Node. */
const nobody = { uid: 65_534, gid: 65_534 }
const otherUser =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-v'], { ...nobody, cwd: '/' }).status === 0
    ? nobody
    : {}

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

/** What a program receives that tries to listen on a port: "listening", or the system's error. */
async function squat(port: number, host: string): Promise<string> {
  const program = `require('node:net').createServer()
    .on('error', ({ code }) => process.stdout.write(code))
    .listen(${port}, '${host}', function () { process.stdout.write('listening'); this.close() })`
  const child = spawn(process.execPath, ['-e', program], {
    ...otherUser,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(child.stdout, 'data')
  return String(said)
}

describe.skipIf(!hasIpv6)('the port of the browser host', () => {
  test('can’t be taken on the address that browsers try first', async () => {
    const [first, ...others] = await listenOnLoopback(0)
    servers = [first, ...others]
    const port = portOf(first)
    expect(await squat(port, '::1')).toBe('EADDRINUSE')
    expect(await squat(port, '127.0.0.1')).toBe('EADDRINUSE')
    expect(servers.map((each) => (each.address() as { address: string }).address)).toEqual([
      '127.0.0.1',
      '::1',
    ])
  })

  test('is rejected when a program already listens on the other address', async () => {
    const squatter = createServer()
    await once(squatter.listen(0, '::1'), 'listening')
    const { port } = squatter.address() as { port: number }
    await expect(listenOnLoopback(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const again = createServer()
    await once(again.listen(port, '127.0.0.1'), 'listening')
    again.close()
    squatter.close()
  })
})
