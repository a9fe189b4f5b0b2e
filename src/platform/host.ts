import type { BackendProcesses } from './backend-process.ts'
import type { Clipboard } from './clipboard.ts'
import type { Keychain } from './keychain.ts'
import type { Notifications } from './notifications.ts'
import type { Power } from './power.ts'
import type { Network } from './network.ts'

/**
 * What differs between the hosts; everything else of the core is the same in Electron and in the
 * browser.
 */
export interface Host {
  readonly kind: 'electron' | 'browser'
  readonly version: string
  /** The console's data folder, present and private (0700). */
  readonly dataDir: string
  readonly keychain: Keychain
  readonly backends: BackendProcesses
  /** Where the host reaches the system's clipboard; left out, the page must. */
  readonly clipboard?: Clipboard
  /** Where the host learns that the machine rests. */
  readonly power?: Power
  /** Where the host can tell people something outside its window. */
  readonly notifications?: Notifications
  /**
   * The machine's proxies and certificate authorities; left out: every connection is direct and
   * checked by Node's own authorities.
   */
  readonly network?: Network
  /**
   * Ends the core in good order and starts another in its place; left out, a person must end the
   * program.
   */
  restart?(): void
  /** Absolute path of a built worker, by name: packaged apps keep them outside the archive. */
  workerPath(name: WorkerName): string
}

/** Workers of the core, by the names of their files. */
export type WorkerName =
  'catalogue-pages' | 'catalogue-reader' | 'catalogue-writer' | 'key-check' | 'mirror-check'
