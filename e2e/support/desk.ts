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
import { cleanEnvironment, endAllOf, startProgram } from './processes.ts'
import type { Started } from './processes.ts'

type BackendReady = {
  baseUrl: string
  sellerUrl: string
  dashboardUrl: string
  dashboardToken: string
  demo: { partnerLiveKey: string; partnerTestKey: string; sellerKey: string }
}

/**
 * A file's content; null for a folder, and for what went away meanwhile: after a kill a backend may
 * still be closing its files.
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
 * One person's machine: a home folder, the console's data in it, and the programs of ours that run
 * there.
 */
export class Desk {
  readonly home = mkdtempSync(join(tmpdir(), 'keydesk-e2e-'))
  readonly dataDir = join(this.home, 'Keydesk')
  /**
   * What its programs find in their environment beside their folders, such as the address of a
   * keychain.
   */
  readonly environment: Record<string, string> = {}
  /** What all consoles of this desk wrote. */
  log = ''
  #console: Started<{ url: string }> | undefined
  #port = '0'

  constructor() {
    mkdirSync(join(this.home, 'run'), { mode: 0o700 })
  }

  /**
   * Starts the console and gives the address to open. A second start takes the same port, so that
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

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.#console?.end(signal)
    this.log += this.#console?.output() ?? ''
    this.#console = undefined
  }

  /** Consoles started from now on let a minute pass when told to. */
  moveTime(): void {
    this.environment['NODE_OPTIONS'] =
      `--import=${new URL('passing-time.ts', import.meta.url).href}`
  }

  /** A little more than a minute passes at once for the console ({@link moveTime}). */
  passMinute(): void {
    this.#console?.tell('SIGWINCH')
  }

  /**
   * Has the console write a report of itself, as support asks for after a crash, and gives the
   * number of reports there are then.
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
   * The sandbox's backend over the desk's own data, once the console that ran it has ended: the
   * service's side of the story.
   */
  async service(): Promise<Started<BackendReady>> {
    return startProgram<BackendReady>(
      'out/server/main.js',
      ['--port', '0', '--data', join(this.dataDir, 'sandbox')],
      cleanEnvironment(this.home),
    )
  }

  /** Every file of the home folder, as bytes: what a thief of the disk would have. */
  files(): { path: string; bytes: Buffer }[] {
    return readdirSync(this.home, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const path = join(this.home, name)
      const bytes = bytesOf(path)
      return bytes === null ? [] : [{ path, bytes }]
    })
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    await endAllOf(this.home)
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/**
 * Playwright's test with a desk of its own. The sandbox's world, the same for all, is made once for
 * each worker and lies on every desk that isn't `bare`, as after a first start: to make it takes
 * two seconds of a processor.
 */
export const test = base.extend<{ desk: Desk; bare: boolean }, { world: string }>({
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
  desk: async ({ world, bare }, use) => {
    const desk = new Desk()
    if (!bare) {
      mkdirSync(desk.dataDir, { mode: 0o700 })
      cpSync(world, join(desk.dataDir, 'sandbox'), { recursive: true })
    }
    await use(desk)
    await desk.remove()
  },
})
