/*
 * A console's core as a process of its own, to be killed: reads one line of JSON (data folder, address, keys), connects what is not
 * connected yet, and writes a line for each step of the syncs. `done` comes when each catalogue was read whole since the start.
 */
import { createInterface } from 'node:readline'
import { call } from '@orpc/server'
import { createCore } from '../../../src/core/create-core.ts'
import { workerSource } from '../../../src/core/testing/workers.ts'
import { fileKeychain } from '../support/file-keychain.ts'

export type ConsoleOptions = { dataDir: string; keychainFile: string; baseUrl: string; keys: string[] }

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const pause = (ms: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, ms) })

async function main(options: ConsoleOptions): Promise<void> {
  const unused = (): never => { throw new Error('not in this soak') }
  const core = await createCore(
    { kind: 'browser', version: '0.0.0', dataDir: options.dataDir, keychain: fileKeychain(options.keychainFile), backends: { start: unused }, workerPath: workerSource },
    { rates: null },
  )
  const { accounts, catalogue } = core.router
  const missing = options.keys.slice((await call(accounts.list, undefined)).length)
  for (const key of missing) await call(accounts.connect, { key, baseUrl: options.baseUrl, name: key.slice(0, 9), keep: 'keychain' })
  const all = await call(accounts.list, undefined)
  say({ accounts: all.map(({ id, role }) => ({ id, role })) })

  const rest = async (accountId: string): Promise<void> => {
    for (let last = -1; ; await pause(20)) {
      const { state, done } = await call(catalogue.sync, { accountId })
      if (done !== last) say({ accountId, state, done })
      last = done
      if (state === 'idle') return
    }
  }
  await Promise.all(all.map(async ({ id }) => {
    await rest(id)
    // A seller's listing may have begun before the kill, on pages that changed since: it counts only when it was read whole again.
    for (let again = 0; again < 2; again += 1) {
      const before = (await call(catalogue.sync, { accountId: id })).lastAt ?? 0
      await call(accounts.syncNow, { accountId: id })
      while (((await call(catalogue.sync, { accountId: id })).lastAt ?? 0) <= before) await pause(20)
      await rest(id)
    }
  }))
  await core.close()
  say({ done: true })
}

const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => {
  main(JSON.parse(line) as ConsoleOptions).then(() => process.exit(0), (error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
