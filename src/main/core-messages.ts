import type { SystemNotice } from '../platform/notifications.ts'
import type { BackendOptions, BackendReady } from '../platform/backend-process.ts'

/** What the core's process is told by main. Ports travel beside the message. */
export type ToCore =
  | { type: 'start'; version: string; dataDir: string; workers: string }
  /** A page's line: serve the contract on the port that comes with it. */
  | { type: 'page'; page: number }
  /** That page is gone or went elsewhere: close its port. */
  | { type: 'page-gone'; page: number }
  /** The machine goes to sleep, or its screen was locked. */
  | { type: 'rest'; why: 'sleep' | 'screen' }
  | { type: 'clipboard-done'; id: number; failed: boolean }
  | { type: 'backend-ready'; id: number; ready: BackendReady }
  | { type: 'backend-ended'; id: number; code: number | null; lastWords: string }
  /**
   * What the system says of proxies for an address asked about, in the words of a browser engine.
   */
  | { type: 'proxies'; id: number; rules: string }
  | { type: 'close' }

/** What the core's process tells main. */
export type FromCore =
  | { type: 'started' }
  | { type: 'failed'; reason: string }
  | { type: 'start-backend'; id: number; options: BackendOptions }
  | { type: 'stop-backend'; id: number }
  /** Only main reaches the clipboard: write a text, or empty it if it still holds this one. */
  | { type: 'clipboard'; id: number; act: 'write' | 'clear-if'; text: string }
  /** Tell people outside the window. */
  | { type: 'notice'; notice: SystemNotice }
  /** So many notices nobody has looked at. */
  | { type: 'unseen'; count: number }
  | { type: 'find-proxies'; id: number; url: string }
  /** End this process in good order and start another in its place. */
  | { type: 'restart' }
  | { type: 'closed' }
