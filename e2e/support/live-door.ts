import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../src/core/testing/faulty-proxy.ts'

/**
 * A door to a service at which nobody can tell that it is the bundled one: accounts connected
 * through it are what their keys say, LIVE ones LIVE.
 */
export async function openLiveDoor(baseUrl: string): Promise<FaultyProxy> {
  const door = await startFaultyProxy(baseUrl)
  door.decide = (_method, path) =>
    path === '/healthz' ? { kind: 'answer', answer: { status: 404, body: '' } } : 'pass'
  return door
}
