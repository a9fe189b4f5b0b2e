/*
 * A partner's console as a separate process, to be killed: reads one line of JSON, connects if
 * necessary, and either places orders until it is killed or done, or finishes its open work and
 * reports the state of each attempt.
 */
import { createInterface } from 'node:readline'
import { createRouterClient } from '@orpc/server'
import { createCore } from '../../../src/core/create-core.ts'
import { workerSource } from '../../../src/core/testing/workers.ts'
import { fileKeychain } from '../support/file-keychain.ts'
import { fastClock } from '../sync/fast-clock.ts'
import { attemptsAtRest, connected, placeAll, placeTable } from './placing.ts'
import type { Wanted } from './placing.ts'
import { serviceOf } from './truth.ts'

export type ConsoleOptions = {
  dataDir: string
  keychainFile: string
  baseUrl: string
  key: string
  /** Orders to place one by one; null: finish open work and report. */ wanted: Wanted[] | null
  /** Orders to place as a table, once. */ table: Wanted[]
  atOnce: number
}
export type Said =
  { ready: true } | { asked: string } | { rest: Awaited<ReturnType<typeof attemptsAtRest>> }

/** Waits of the console are shorter by this factor. */
const TIMES_AS_FAST = 15
/** The minimum wait for a response, in milliseconds. */
const LEAST_LIMIT_MS = 15_000
const say = (line: Said): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

async function main({
  dataDir,
  keychainFile,
  baseUrl,
  key,
  wanted,
  table,
  atOnce,
}: ConsoleOptions): Promise<void> {
  const unused = (): never => {
    throw new Error('not used in this soak')
  }
  const core = await createCore(
    {
      kind: 'browser',
      version: '0.0.0',
      dataDir,
      keychain: fileKeychain(keychainFile),
      backends: { start: unused },
      workerPath: workerSource,
    },
    { rates: null, clock: fastClock(TIMES_AS_FAST, LEAST_LIMIT_MS) },
  )
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

createInterface({ input: process.stdin }).once('line', (line) => {
  main(JSON.parse(line) as ConsoleOptions).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
