import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Started<Ready> = {
  ready: Ready
  pid: number
  /** All its output to standard output and standard error so far. */
  output(): string
  /** Sends a signal that it survives. */
  tell(signal: NodeJS.Signals): void
  /** Stops it with a signal and waits until it has exited. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/**
 * An environment without the person's folders, keychain and session bus, so that a test finds only
 * its own data.
 */
export function cleanEnvironment(
  home: string,
  more: Record<string, string> = {},
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    TZ: 'Europe/Berlin',
    // The compile cache contains no personal data: see playwright.config.ts.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/share`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_RUNTIME_DIR: `${home}/run`,
    // One folder for all, so that a console finds the keys of a service with another home.
    KEYDESK_SANDBOX_KEYS: join(tmpdir(), 'keydesk-e2e-sandbox-keys'),
    ...more,
  }
}

/**
 * Time limit for a program to exit, in milliseconds. Ours exit within a few seconds, but Node can
 * hang while exiting, and no test waits for that.
 */
const exitTimeoutMs = 20_000

/** Running processes by the home they were started with. */
const running = new Map<ChildProcess, { home: string; ended: Promise<void> }>()

/**
 * Kills all running processes of a home or of a folder in it, so that a failed test leaves nothing
 * behind.
 */
export async function killAllOf(home: string): Promise<void> {
  const left = [...running].filter(
    ([, each]) => each.home === home || each.home.startsWith(`${home}/`),
  )
  await Promise.all(
    left.map(([child, { ended }]) => {
      child.kill('SIGKILL')
      return ended
    }),
  )
}

/**
 * Starts a program that prints one line of JSON when it is ready. Rejects with its last output if
 * it exits before.
 */
export function startProgram<Ready>(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<Started<Ready>> {
  const child: ChildProcess = spawn(process.execPath, [...flags, script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  })
  let output = ''
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      running.delete(child)
      resolve()
    })
  })
  running.set(child, { home: environment['HOME'] ?? '', ended })
  child.stderr?.on('data', (part) => {
    output += String(part)
  })
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout ?? process.stdin })
    lines.on('line', (line) => {
      output += `${line}\n`
      if (!line.startsWith('{"ready":true')) return
      resolve({
        ready: JSON.parse(line) as Ready,
        pid: child.pid ?? 0,
        output: () => output,
        tell: (signal) => void child.kill(signal),
        async end(signal = 'SIGTERM') {
          child.kill(signal)
          const byForce = setTimeout(() => child.kill('SIGKILL'), exitTimeoutMs)
          await ended
          clearTimeout(byForce)
        },
      })
    })
    void ended.then(() => reject(new Error(`${script} exited before it was ready: ${output}`)))
  })
}
