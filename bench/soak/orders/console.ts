/*
 * A partner's console as a separate process, to be killed: reads one line of JSON, connects if
 * necessary, and either places orders until it is killed or done, or finishes its open work and
 * reports the state of each attempt.
 */
import { createRouterClient } from '@orpc/server'
import { createCore } from '../../../src/core/create-core.ts'
import { createReporter, runSoakConsole, soakHost } from '../support/soak-console.ts'
import type { ConsoleFolder } from '../support/soak-console.ts'
import { fastClock } from '../../../src/core/testing/fast-clock.ts'
import { attemptsAtRest, connected, placeAll, placeTable } from './placing.ts'
import type { Wanted } from './placing.ts'
import { serviceOf } from './truth.ts'

export type ConsoleOptions = ConsoleFolder & {
  baseUrl: string
  key: string
  /** Orders to place one by one; null: finish open work and report. */ wanted: Wanted[] | null
  /** Orders to place as a table, once. */ table: Wanted[]
  atOnce: number
}
export type Said =
  | { ready: true }
  | { asked: string }
  | { rest: Awaited<ReturnType<typeof attemptsAtRest>> }

/** Waits of the console are shorter by this factor. */
const TIMES_AS_FAST = 15
/** The minimum wait for a response, in milliseconds. */
const LEAST_LIMIT_MS = 15_000
const say = createReporter<Said>()

async function main({
  dataDir,
  keychainFile,
  baseUrl,
  key,
  wanted,
  table,
  atOnce,
}: ConsoleOptions): Promise<void> {
  const core = await createCore(soakHost({ dataDir, keychainFile }), {
    rates: null,
    clock: fastClock(TIMES_AS_FAST, LEAST_LIMIT_MS),
  })
  const ask = createRouterClient(core.router, { context: {} })
  const account =
    (await ask.accounts.list())[0] ??
    (await connected(() =>
      ask.accounts.connect({ key, baseUrl, name: 'partner', keep: 'keychain' }),
    ))
  say({ ready: true })
  if (wanted === null) say({ rest: await attemptsAtRest(ask, account.id, serviceOf(baseUrl, key)) })
  else {
    await placeTable(ask, account.id, table)
    await placeAll(ask, account.id, wanted, atOnce, (externalId) => say({ asked: externalId }))
  }
  await core.close()
}

runSoakConsole(main)
