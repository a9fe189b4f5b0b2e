import type { RecoveryProblem } from '../../../contract/app/recovery.ts'
import type { Host } from '../../../platform/host.ts'
import type { Keychain } from '../../../platform/keychain/keychain.ts'
import type { CoreOptions } from '../../core-services.ts'
import { dataFolderSchemas } from '../../open-data-folder.ts'
import { createCore } from '../../create-core.ts'
import type { Core } from '../../create-core.ts'
import { systemClock } from '../../clock.ts'
import { repairMainDatabase } from './repair.ts'
import { copyForReading } from './scratch-copy.ts'

/** Problems of the database itself, which is repaired in the copy. */
const REPAIRED: ReadonlySet<RecoveryProblem> = new Set([
  'missing',
  'wiped',
  'incomplete',
  'damaged',
])

/**
 * Opens a copy of the data folder for reading. The original doesn't change, nothing is sent, and
 * the copy is deleted at the end.
 *
 * @param leave closes this core and tries to open the data folder again
 */
export async function openReadOnly(
  host: Host,
  options: CoreOptions,
  problem: RecoveryProblem,
  leave: () => Promise<void>,
): Promise<Core> {
  const copy = copyForReading(host.dataDir)
  try {
    if (REPAIRED.has(problem))
      repairMainDatabase(copy.path, dataFolderSchemas, (options.clock ?? systemClock).now())
    const core = await createCore(
      { ...host, dataDir: copy.path, keychain: readOnlyKeychain(host.keychain) },
      { ...options, readOnly: { problem, leave } },
    )
    return {
      ...core,
      async close() {
        await core.close()
        copy.remove()
      },
    }
  } catch (error) {
    copy.remove()
    throw error
  }
}

/** Reads secrets and stores none. */
function readOnlyKeychain(keychain: Keychain): Keychain {
  const refuse = (): Promise<never> =>
    Promise.reject(new Error('The keychain is read-only while a copy is open.'))
  return {
    probe: async () => ({
      available: false,
      name: 'Keychain',
      reason: 'Keydesk is open read-only.',
    }),
    get: (entry) => keychain.get(entry),
    set: refuse,
    delete: refuse,
  }
}
