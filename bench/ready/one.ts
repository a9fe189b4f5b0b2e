/*
 * One start of the console's core: `node one.ts DATA ACCOUNT`; creates the account if the folder
 * has none. Writes one line of JSON.
 */
import { createRouterClient } from '@orpc/server'
import { createCore } from '../../src/core/create-core.ts'
import { msSince } from '../support/mirror.ts'
import { addAccount, hostOf } from './host.ts'

const [dataDir = '', accountId = ''] = process.argv.slice(2)

async function measure(): Promise<object> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()]
  const core = await createCore(hostOf(dataDir))
  const ask = createRouterClient(core.router, { context: {} })
  const accounts = await ask.accounts.list()
  const [readyMs, readyCpuMs] = [performance.now() - wall, msSince(cpu)]
  const asked = performance.now()
  const all = accounts.length === 0 ? 0 : (await ask.catalogue.search({ accountId })).all
  const firstRowsMs = performance.now() - asked
  if (accounts.length === 0) addAccount(dataDir, accountId)
  await core.close()
  return {
    readyMs: Math.round(readyMs),
    readyCpuMs: Math.round(readyCpuMs),
    firstRowsMs: Math.round(firstRowsMs),
    all,
  }
}

process.stdout.write(JSON.stringify(await measure()))
process.exit(0)
