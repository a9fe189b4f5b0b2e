import { expect, test } from 'vitest'
import { failure } from '../failure.ts'
import type { Dashboard } from '../sandbox/sandbox.ts'
import { createSandboxClaims } from './sandbox-claims.ts'

const claim = { orderId: 'ord_1', keyId: 'key_1', message: 'Already used', screenshot: null }
const exists = failure('CLAIM_EXISTS', 'This key already has a claim.', 'Check the claims.')
const existing = {
  id: 'dsp_1',
  keyId: 'key_1',
  status: 'open',
  escalatesAt: null,
  resolution: null,
}

/** A dashboard that has a claim for each key; `lookUp` returns the disputes. */
const dashboard = (lookUp: () => Promise<unknown>): Dashboard => ({
  serves: () => true,
  call: (async (operation: string) => {
    if (operation === 'createClaim') throw exists
    return { results: await lookUp() }
  }) as Dashboard['call'],
  callAs: () => Promise.reject(new Error('not used')),
})

test('returns the existing claim of a key', async () => {
  const { file } = createSandboxClaims(dashboard(async () => [existing]))
  expect(await file(claim)).toMatchObject({ disputeId: 'dsp_1', status: 'open' })
})

test('rejects a claim whose existing claim the service doesn’t list', async () => {
  const { file } = createSandboxClaims(dashboard(async () => []))
  await expect(file(claim)).rejects.toBe(exists)
})

test('leaves the outcome unknown while the existing claim of a key can’t be read', async () => {
  const stopped = failure('SANDBOX_STOPPED', 'The sandbox isn’t running.', 'Start it in Settings.')
  const { file } = createSandboxClaims(dashboard(() => Promise.reject(stopped)))
  await expect(file(claim)).rejects.toMatchObject({
    certainty: 'unknown',
    problem: { code: 'SANDBOX_STOPPED', effect: 'No second claim was made.' },
  })
})
