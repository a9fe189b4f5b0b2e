import { startFaultyProxy } from '../../src/core/testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../src/core/testing/faulty-proxy.ts'

/**
 * A proxy to the bundled service that hides its identity, so that accounts connected through it get
 * the mode of their keys: LIVE keys are LIVE.
 */
export const openLiveProxy = (baseUrl: string): Promise<FaultyProxy> =>
  startFaultyProxy(baseUrl, { proof: { kind: 'answer', answer: { status: 404, body: '' } } })
