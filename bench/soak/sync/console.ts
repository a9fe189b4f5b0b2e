/*
 * A console's core as a separate process, to be killed: reads one line of JSON, connects the
 * missing accounts, and either simulates a busy day until it is killed, or finishes its open work
 * and reports how its data differs from the service's.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createRouterClient } from '@orpc/server'
import { seeded } from '../../../e2e/support/seeded.ts'
import { createCore } from '../../../src/core/create-core.ts'
import type { DemoBackend } from '../../../src/core/mirror/testing/backend.ts'
import { workerSource } from '../../../src/core/testing/workers.ts'
import { fileKeychain } from '../support/file-keychain.ts'
import { agreementOf } from './agreement.ts'
import { downloadAllKeys, simulateDay } from './day.ts'
import type { Ask, PersonAction, SoakAccounts } from './day.ts'
import { readService } from './truth.ts'

export type ConsoleOptions = {
  dataDir: string
  keychainFile: string
  /** The service address of the accounts. */
  baseUrl: string
  backend: Pick<DemoBackend, 'baseUrl' | 'sellerUrl' | 'demo'>
  /** Simulates a day with this seed until it is killed; null: finishes and reports. */
  day: { seed: number; name: string; firstPrice: number } | null
  /** Orders requested in this console so far. */
  references: string[]
}
export type Said =
  | { accounts: SoakAccounts }
  | { syncing: boolean }
  | PersonAction
  | { rest: Awaited<ReturnType<typeof agreementOf>> }

const WATCH_EVERY_MS = 20
const AGREED_WITHIN_MS = 60_000

const say = (line: Said): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

async function watchSync(ask: Ask, accountIds: readonly string[]): Promise<never> {
  for (let before = false; ; await pause(WATCH_EVERY_MS)) {
    const states = await Promise.all(
      accountIds.map((accountId) => ask.catalogue.sync({ accountId })),
    )
    const syncing = states.some(({ state }) => state === 'running')
    if (syncing !== before) say({ syncing })
    before = syncing
  }
}

async function main({
  dataDir,
  keychainFile,
  baseUrl,
  backend,
  day,
  references,
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
    { rates: null },
  )
  const ask = createRouterClient(core.router, { context: {} })
  const account = async (role: 'partner' | 'seller', key: string): Promise<string> =>
    (await ask.accounts.list()).find((each) => each.role === role)?.id ??
    (await ask.accounts.connect({ key, baseUrl, name: role, keep: 'keychain' })).id
  const accounts: SoakAccounts = {
    ask,
    partner: await account('partner', backend.demo.partnerLiveKey),
    seller: await account('seller', backend.demo.sellerKey),
  }
  say({ accounts: { ...accounts } })
  if (day === null) {
    say({
      rest: await agreementOf({
        ...accounts,
        dataDir,
        served: readService(backend as DemoBackend),
        references: new Set(references),
        withinMs: AGREED_WITHIN_MS,
      }),
    })
    return core.close()
  }
  let cents = day.firstPrice
  const lively = simulateDay({
    ...accounts,
    below: seeded(day.seed),
    name: day.name,
    nextPrice: () => (cents += 1),
    note: say,
  })
  await Promise.all([
    watchSync(ask, [accounts.partner, accounts.seller]),
    (async () => {
      for (;;) {
        await lively.changePrice()
        await lively.deed()
      }
    })(),
    (async () => {
      for (;;) {
        await lively.order()
        await downloadAllKeys(accounts)
      }
    })(),
  ])
}

const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  const options = JSON.parse(line) as ConsoleOptions
  main(options).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      const logs = join(options.dataDir, 'logs')
      for (const name of readdirSync(logs))
        console.error(readFileSync(join(logs, name), 'utf8').slice(-2000))
      process.exit(1)
    },
  )
})
