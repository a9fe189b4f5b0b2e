/*
 * One start of the console's core: `node one.ts DATA ACCOUNT`; creates the account if the folder
 * has none. Writes one line of JSON.
 */
import path from 'node:path'
import { createRouterClient } from '@orpc/server'
import { createAccountStore } from '../../src/core/accounts/store.ts'
import { createCore } from '../../src/core/create-core.ts'
import { openDatabase } from '../../src/core/mirror/database/open-database.ts'
import { workerSource } from '../../src/core/testing/workers.ts'
import { defaultSandboxKeysFolder } from '../../src/platform/data-folder.ts'
import { fileKeychain } from '../soak/support/file-keychain.ts'
import { msSince } from '../support/mirror.ts'

const [dataDir = '', accountId = ''] = process.argv.slice(2)
const unused = (): never => {
  throw new Error('not used in this benchmark')
}
const host = {
  kind: 'browser',
  version: '0.0.0',
  dataDir,
  sandboxKeysDir: defaultSandboxKeysFolder(),
  keychain: fileKeychain(path.join(dataDir, 'keychain.json')),
  backends: { start: unused },
  workerPath: workerSource,
} as const

async function measure(): Promise<object> {
  const [wall, cpu] = [performance.now(), process.cpuUsage()]
  const core = await createCore(host)
  const ask = createRouterClient(core.router, { context: {} })
  const accounts = await ask.accounts.list()
  const [readyMs, readyCpuMs] = [performance.now() - wall, msSince(cpu)]
  const asked = performance.now()
  const all = accounts.length === 0 ? 0 : (await ask.catalogue.search({ accountId })).all
  const firstRowsMs = performance.now() - asked
  if (accounts.length === 0) {
    const database = openDatabase(path.join(dataDir, 'keydesk.db'), [])
    // No server responds at this address, and none is needed.
    createAccountStore(database).put({
      id: accountId,
      name: 'bench',
      role: 'partner',
      mode: 'test',
      baseUrl: 'http://127.0.0.1:9/v1',
      maskedKey: 'svc_test_••••0000',
      kept: 'session',
      serviceAccountId: null,
      idempotency: true,
      demo: null,
      createdAt: 1,
      clockOffsetMs: 0,
    })
    database.close()
  }
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
