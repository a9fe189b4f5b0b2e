import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from '../../contract/app/accounts.ts'
import type { Host } from '../../platform/host.ts'
import type { Keychain } from '../../platform/keychain/keychain.ts'
import { defaultSandboxKeysFolder } from '../../platform/data-folder.ts'
import { createNodeBackends } from '../../platform/backends/node-backends.ts'
import { createCoreServices } from '../core-services.ts'
import type { CoreOptions, CoreServices } from '../core-services.ts'
import type { FeatureSchema } from '../mirror/schema.ts'
import { serverPath } from './backend.ts'
import { memoryKeychain } from './keychains.ts'
import { testWorker } from './workers.ts'

/**
 * A host for tests: real backend processes with a small catalogue, and an in-memory keychain unless
 * another is given.
 */
export function testHost(dataDir: string, keychain: Keychain = memoryKeychain()): Host {
  const backends = createNodeBackends(serverPath)
  return {
    kind: 'browser',
    version: '0.0.0-test',
    dataDir,
    sandboxKeysDir: defaultSandboxKeysFolder(),
    keychain,
    backends: { start: (options) => backends.start({ products: 60, ...options }) },
    workerPath: testWorker,
  }
}

/** A folder inside the system's temporary folder; `remove` deletes it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'keydesk-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface TestContext extends CoreServices {
  /** Connects an account of a running service. */
  connect(key: string, baseUrl: string, name?: string): Promise<Account>
  /** Stops the work, closes the files, and removes the folder (unless it was given). */
  dispose(): void
}

/**
 * The services that features depend on, real except for the keychain: accounts, service
 * connections, vault, mirrors. Register the feature under test on `context`, then connect;
 * background work starts with each connect.
 */
export async function createTestContext(
  options: CoreOptions & {
    schemas?: readonly FeatureSchema[]
    dataDir?: string
    keychain?: Keychain
  } = {},
): Promise<TestContext> {
  const { schemas = [], dataDir, keychain, ...core } = options
  const folder = dataDir === undefined ? temporaryFolder() : { path: dataDir, remove: () => {} }
  const services = createCoreServices(testHost(folder.path, keychain), core, {
    schemas,
    reencryptFiles: [],
  })
  await services.start()
  return {
    ...services,
    connect: (key, baseUrl, name = 'Test') =>
      services.accounts.connect({ key, baseUrl, name, keep: 'keychain' }),
    dispose() {
      services.quiet()
      services.close()
      folder.remove()
    },
  }
}
