import type { BackendProcesses } from './backends/backend-process.ts'
import type { Clipboard } from './clipboard.ts'
import type { Keychain } from './keychain/keychain.ts'
import type { Notifications } from './notifications.ts'
import type { Power } from './power.ts'
import type { Network } from './network.ts'
import type { PageSessions } from './page-sessions.ts'
import type { Updates } from './updates.ts'

/**
 * The differences between the hosts. The rest of the core is the same in Electron and in the
 * browser.
 */
export interface Host {
  readonly kind: 'electron' | 'browser'
  readonly version: string
  /** The console's data folder, which exists and is private (0700). */
  readonly dataDir: string
  /** The folder in which sandboxes of this user publish their public keys. */
  readonly sandboxKeysDir: string
  readonly keychain: Keychain
  readonly backends: BackendProcesses
  /** The system's clipboard, if the host has access; otherwise the page must use its own. */
  readonly clipboard?: Clipboard
  /** Reports sleep and screen lock, if the host can detect them. */
  readonly power?: Power
  /** Desktop notifications, if the host has them. */
  readonly notifications?: Notifications
  /**
   * The computer's proxies and certificate authorities. Without it, every connection is direct and
   * uses Node's own authorities.
   */
  readonly network?: Network
  /** The sessions of browser tabs, if the host lets pages in by an address. */
  readonly sessions?: PageSessions
  /** How this installation is updated; absent if Keydesk runs from its sources. */
  readonly updates?: Updates
  /**
   * Stops the core in an orderly way and starts another in its place. Without it, a person must
   * restart the program.
   */
  restart?(): void
  /** Quits the program. Without it, a person must close the window. */
  quit?(): void
  /** Absolute path of a built worker, by name. Packaged apps keep workers outside the archive. */
  workerPath(name: WorkerName): string
}

/** The core's workers, by file name. */
export type WorkerName =
  | 'catalogue-pages'
  | 'catalogue-reader'
  | 'catalogue-writer'
  | 'key-check'
  | 'mirror-check'
