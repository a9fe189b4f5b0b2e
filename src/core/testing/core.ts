import { createRouterClient } from '@orpc/server'
import type { RouterClient } from '@orpc/server'
import type { Keychain } from '../../platform/keychain/keychain.ts'
import type { Problem } from '../../contract/base.ts'
import { createCore } from '../create-core.ts'
import type { Core, CoreOptions } from '../create-core.ts'
import { testHost } from './context.ts'

export interface TestCore {
  core: Core
  /** The contract as the screen calls it, without a network connection. */
  ask: RouterClient<Core['router']>
  close(): Promise<void>
}

/** The complete core for a data folder. */
export async function startTestCore(
  dataDir: string,
  keychain?: Keychain,
  options: CoreOptions = {},
): Promise<TestCore> {
  const core = await createCore(testHost(dataDir, keychain), options)
  return { core, ask: createRouterClient(core.router, { context: {} }), close: core.close }
}

/**
 * The problem that a call of the contract failed with. Throws when the call succeeded or failed in
 * another way.
 */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (
    typeof error !== 'object' ||
    error === null ||
    !('data' in error) ||
    !('code' in error) ||
    error.code !== 'FAILED'
  )
    throw new Error(`expected FAILED, got ${String(error)}`)
  return error.data as Problem
}

/** Repeats `ask` until its result fits. Throws with the last result after `withinMs`. */
export async function until<T>(
  ask: () => T | Promise<T>,
  fits: (answer: T) => boolean,
  withinMs = 45_000,
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    if (Date.now() > end) throw new Error(`timed out; the last result: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
}
