import type { CoreChecks } from '../self-check/report.ts'
import type { DesktopNotification } from '../../platform/notifications.ts'
import type { InstallationKind } from '../updates/core-updates.ts'
import type { BackendOptions, BackendReady } from '../../platform/backends/backend-process.ts'

/** Messages from the main process to the core process. Ports are transferred with the message. */
export type ToCore =
  | {
      type: 'start'
      version: string
      dataDir: string
      workers: string
      /** How this Keydesk was installed; null if it was only unpacked. */
      installation: InstallationKind | null
    }
  /** A page connects: serve the contract on the transferred port. */
  | { type: 'page'; page: number }
  /** That page was closed or left: close its port. */
  | { type: 'page-gone'; page: number }
  /** The computer is going to sleep, or its screen was locked. */
  | { type: 'rest'; why: 'sleep' | 'screen' }
  | { type: 'clipboard-done'; id: number; failed: boolean }
  | { type: 'backend-ready'; id: number; ready: BackendReady }
  | { type: 'backend-ended'; id: number; code: number | null; lastWords: string }
  /** The system's proxy rules for a requested address, in the format of a browser engine. */
  | { type: 'proxies'; id: number; rules: string }
  /** Use every part of the installation once, and report the results. */
  | { type: 'self-check' }
  | { type: 'close' }

/** Messages from the core process to the main process. */
export type FromCore =
  | { type: 'started' }
  | { type: 'failed'; reason: string }
  | { type: 'start-backend'; id: number; options: BackendOptions }
  | { type: 'stop-backend'; id: number }
  /**
   * Only the main process has access to the clipboard: write a text, or clear it if it still holds
   * this one.
   */
  | { type: 'clipboard'; id: number; act: 'write' | 'clear-if'; text: string }
  /** Shows a desktop notification. */
  | { type: 'notice'; notice: DesktopNotification }
  /** The number of notices that no one has seen. */
  | { type: 'unseen'; count: number }
  | { type: 'self-checked'; checks: CoreChecks }
  | { type: 'find-proxies'; id: number; url: string }
  /** Stop this process in an orderly way and start another in its place. */
  | { type: 'restart' }
  /** Quit, install a verified file of an update, and start the new version. */
  | { type: 'install'; path: string }
  /** A person chose to quit Keydesk. */
  | { type: 'quit' }
  | { type: 'closed' }
