import path from 'node:path'
import { createAccountStore } from '../../src/core/accounts/store.ts'
import { openDatabase } from '../../src/core/mirror/database/open-database.ts'
import { workerSource } from '../../src/core/testing/workers.ts'
import { defaultSandboxKeysFolder } from '../../src/platform/data-folder.ts'
import { fileKeychain } from '../soak/support/file-keychain.ts'

const unused = (): never => {
  throw new Error('not used in this benchmark')
}

// The built console doesn't search for its workers, so the measured start must not either.
workerSource('catalogue-reader')

/** The host of a core that is started on a data folder and never asked for a sandbox. */
export const hostOf = (dataDir: string) =>
  ({
    kind: 'browser',
    version: '0.0.0',
    dataDir,
    sandboxKeysDir: defaultSandboxKeysFolder(),
    keychain: fileKeychain(path.join(dataDir, 'keychain.json')),
    backends: { start: unused },
    workerPath: workerSource,
  }) as const

/** Adds a partner's account to a data folder on which a core has been started. */
export function addAccount(dataDir: string, id: string): void {
  const database = openDatabase(path.join(dataDir, 'keydesk.db'), [])
  // No server responds at this address, and none is needed.
  createAccountStore(database).put({
    id,
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
