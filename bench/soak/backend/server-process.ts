/** The real backend as a separate process with a configurable crash point. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Ready } from '../../../server/sandbox-types.ts'
import type { PowerCuts } from '../support/power-cuts.ts'
import type { Request, Message } from './preload.ts'
import { type Counts, environment, type Strike } from './strike.ts'

const program = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))
const preload = new URL('preload.ts', import.meta.url).href

export type Ending = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
}

export type ServerProcess = {
  /** Null: it exited before it was ready. */
  readonly ready: Promise<Ready | null>
  /**
   * From the start of the process to its ready line, in milliseconds; never rejects, and is set
   * once ready.
   */
  readyMs(): number
  arm(strike: Strike): void
  /** How often each crash point was reached so far; never resolves if the process dies. */
  counts(): Promise<Counts>
  signal(name: 'SIGKILL' | 'SIGTERM'): void
  readonly ended: Promise<Ending>
  alive(): boolean
}

type Options = {
  readonly seed?: 'empty' | 'demo'
  readonly products?: number
  readonly strike?: Strike
  readonly countsFile?: string
  /** Its end, however it comes, is a power loss. */
  readonly cuts?: PowerCuts | null
}

/** A cut that no change of the folder triggers strikes after this time. */
const CUT_WITHIN_MS = 250

export function startServer(
  folder: string,
  { seed = 'empty', products = 12, strike, countsFile, cuts = null }: Options = {},
): ServerProcess {
  const began = performance.now()
  const supply = cuts?.supply(folder, false)
  const child = spawn(
    process.execPath,
    [
      '--import',
      preload,
      program,
      '--data',
      folder,
      '--port',
      '0',
      '--seed',
      seed,
      '--products',
      String(products),
      '--no-limits',
      '--exit-with-parent',
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        ...(strike && { [environment.strike]: JSON.stringify(strike) }),
        ...(countsFile !== undefined && { [environment.counts]: countsFile }),
        ...supply?.env,
      },
    },
  )
  const output = { stdout: '', stderr: '' }
  let readyMs = 0
  let over = false
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (output.stderr += part))
  let told: (counts: Counts) => void = () => undefined
  child.on('message', (message) => {
    const said = message as Message
    if ('counts' in said) told(said.counts)
    else child.kill('SIGKILL')
  })
  // A process that has died since then receives nothing.
  const ask = (asked: Request): void => void child.send(asked, () => undefined)
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    over = true
    supply?.off()
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      stderr: output.stderr,
    }
  })
  const ready = new Promise<Ready | null>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      output.stdout += part
      const end = output.stdout.indexOf('\n')
      if (end < 0) return
      readyMs = performance.now() - began
      resolve(JSON.parse(output.stdout.slice(0, end)) as Ready)
    })
    void ended.then(() => resolve(null))
  })
  return {
    ready,
    readyMs: () => readyMs,
    arm: (strike) => ask({ strike }),
    counts: () =>
      new Promise((resolve) => {
        told = resolve
        ask({ strike: null })
      }),
    signal(name) {
      if (supply === undefined || name !== 'SIGKILL') return void child.kill(name)
      supply.cutSoon()
      setTimeout(() => child.kill('SIGKILL'), CUT_WITHIN_MS)
    },
    ended,
    alive: () => !over,
  }
}
