import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?:
 *   import('node:child_process').StdioOptions, shell?: boolean, onSpawn?: (child:
 *   import('node:child_process').ChildProcess) => void, limitMs?: number, isOverdue?: () =>
 *   boolean, graceMs?: number }} RunOptions `limitMs`: how long it may take; `isOverdue`, called
 *   every second, returns whether it should have exited; `graceMs`: how long it may take to exit
 *   after a signal, or after it closed its channel to us (`ipc` in `stdio`) to announce its exit
 */

/** The exit status of a program that was killed because it did not exit. */
export const overdue = 124

/** How long a program has to exit once it was asked to, in milliseconds. */
const usualGraceMs = 10_000

const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a program until it exits. Signals to us are forwarded, and we exit after it, so that it can
 * stop in an orderly way. A program that hangs while it exits, as Node sometimes does, is killed.
 * By default its output goes to our stderr: standard output is reserved for the ready line.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit status; 128 + n when signal n stopped it, 127 when it could
 *   not be started, {@link overdue} when it was killed for not exiting
 */
export function run(program, args, options = {}) {
  const {
    onSpawn,
    limitMs = Infinity,
    isOverdue = () => false,
    graceMs = usualGraceMs,
    ...spawnOptions
  } = options
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...spawnOptions })
    const startedAt = Date.now()
    let killed = false
    const kill = () => {
      killed = true
      child.kill('SIGKILL')
    }
    /** @type {NodeJS.Timeout | undefined} */
    let grace
    const ends = () => {
      grace ??= setTimeout(kill, graceMs)
    }
    /** @type {(signal: NodeJS.Signals) => void} */
    const forward = (signal) => {
      child.kill(signal)
      ends()
    }
    for (const signal of forwarded) process.on(signal, forward)
    child.once('disconnect', ends)
    const watch = setInterval(() => {
      if (Date.now() - startedAt >= limitMs || isOverdue()) kill()
    }, 1000)
    /** @type {(status: number) => void} */
    const finish = (status) => {
      clearInterval(watch)
      clearTimeout(grace)
      for (const signal of forwarded) process.off(signal, forward)
      resolve(status)
    }
    child.once('error', () => finish(127))
    child.once('close', (status, signal) =>
      finish(killed ? overdue : (status ?? 128 + signalNumber(signal))),
    )
    // Its own child processes can keep its output open.
    child.once('exit', () => {
      if (killed) finish(overdue)
    })
    onSpawn?.(child)
  })
}

/** @param {NodeJS.Signals | null} signal */
function signalNumber(signal) {
  if (signal === 'SIGINT') return 2
  if (signal === 'SIGKILL') return 9
  if (signal === 'SIGSEGV') return 11
  return 15
}
