import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { cleanEnvironment, killAllOf, startProgram } from './processes.ts'
import type { Started } from './processes.ts'

type BackendReady = {
  baseUrl: string
  sellerUrl: string
  dashboardUrl: string
  dashboardToken: string
  demo: { partnerLiveKey: string; partnerTestKey: string; sellerKey: string }
}

/**
 * A file's content; null for a folder, and for a file that was deleted, because after a kill a
 * backend can still be closing its files.
 */
function bytesOf(path: string): Buffer | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * One person's computer: a home folder, the console's data in it, and the processes that run there.
 */
export class Harness {
  readonly home = mkdtempSync(join(tmpdir(), 'keydesk-e2e-'))
  readonly dataDir = join(this.home, 'Keydesk')
  /** Additional environment variables of its processes, such as the address of a keychain. */
  readonly environment: Record<string, string> = {}
  /** Output of all consoles of this home. */
  log = ''
  #console: Started<{ url: string }> | undefined
  #port = '0'

  constructor() {
    mkdirSync(join(this.home, 'run'), { mode: 0o700 })
  }

  /**
   * Starts the console and returns the address to open. A second start uses the same port, so that
   * an open page reconnects.
   */
  async start(): Promise<string> {
    this.#console = await startProgram<{ url: string }>(
      'out/browser-host/index.js',
      ['--port', this.#port, '--data', this.dataDir, '--no-open'],
      cleanEnvironment(this.home, this.environment),
    )
    this.#port = new URL(this.#console.ready.url).port
    return this.#console.ready.url
  }

  /** Consoles started from now on listen on this port. */
  usePort(port: number): void {
    this.#port = String(port)
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#console?.end(signal)
    this.log += this.#console?.output() ?? ''
    this.#console = undefined
  }

  /** Consoles started from now on can advance their clock by a minute. */
  moveTime(): void {
    this.environment['NODE_OPTIONS'] =
      `--import=${new URL('./advance-clock.ts', import.meta.url).href}`
  }

  /** Advances the console's clock by a little more than a minute ({@link moveTime}). */
  passMinute(): void {
    this.#console?.tell('SIGWINCH')
  }

  /**
   * Makes the console write a diagnostic report, as support requests after a crash, and returns the
   * number of reports.
   */
  async report(): Promise<number> {
    const reports = (): number =>
      this.files().filter(
        ({ path, bytes }) => /\/report\.[^/]+\.json$/.test(path) && bytes.at(-2) === 0x7d,
      ).length
    const before = reports()
    this.#console?.tell('SIGUSR2')
    for (let tries = 0; reports() === before && tries < 300; tries++)
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    return reports()
  }

  /**
   * Starts the sandbox's backend on the same data after the console that ran it has stopped, to
   * read the service's data.
   */
  async service(): Promise<Started<BackendReady>> {
    return startProgram<BackendReady>(
      'out/server/main.js',
      ['--port', '0', '--data', join(this.dataDir, 'sandbox')],
      cleanEnvironment(this.home),
    )
  }

  /** Every file of the home folder as bytes: everything that a thief of the disk would have. */
  files(): { path: string; bytes: Buffer }[] {
    return readdirSync(this.home, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const path = join(this.home, name)
      const bytes = bytesOf(path)
      return bytes === null ? [] : [{ path, bytes }]
    })
  }

  /** Files and folders of the data folder that another user could open, and their permissions. */
  openToOthers(): string[] {
    return readdirSync(this.dataDir, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const { mode } = statSync(join(this.dataDir, name))
      return (mode & 0o077) === 0 ? [] : [`${(mode & 0o777).toString(8)} ${name}`]
    })
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    await killAllOf(this.home)
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/**
 * Playwright's test with a separate home per test. The sandbox's data is the same for all tests, so
 * each worker creates it once and copies it to every home that isn't `bare`. Creating it takes two
 * seconds of CPU time.
 */
export const test = base.extend<{ harness: Harness; bare: boolean }, { world: string }>({
  bare: [false, { option: true }],
  world: [
    // eslint-disable-next-line no-empty-pattern -- Playwright requires an object pattern here.
    async ({}, use) => {
      const home = mkdtempSync(join(tmpdir(), 'keydesk-world-'))
      const data = join(home, 'sandbox')
      const service = await startProgram<BackendReady>(
        'out/server/main.js',
        ['--port', '0', '--data', data],
        cleanEnvironment(home),
      )
      await service.end()
      await use(data)
      rmSync(home, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  harness: async ({ world, bare }, use) => {
    const harness = new Harness()
    if (!bare) {
      mkdirSync(harness.dataDir, { mode: 0o700 })
      cpSync(world, join(harness.dataDir, 'sandbox'), { recursive: true })
    }
    await use(harness)
    await harness.remove()
  },
})
