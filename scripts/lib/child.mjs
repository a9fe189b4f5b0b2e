import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * @typedef {{
 *   cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions, shell?: boolean,
 *   onSpawn?: (child: import('node:child_process').ChildProcess) => void,
 *   limitMs?: number, isOverdue?: () => boolean
 * }} RunOptions `limitMs`: how long it may take; `isOverdue`, asked each second, says that it should have ended by now
 */

/** The exit status of a program that was killed because it did not end. */
export const overdue = 124

const forwarded = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Runs a program to its end. Signals that reach us reach it too, and we outlive it, so that its own orderly end decides.
 * By default its output goes to our stderr: standard output belongs to the ready line.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} its exit status; 128 + n when signal n ended it, 127 when it could not be started, {@link overdue} when it was killed for not ending
 */
export function run(program, args, options = {}) {
  const { onSpawn, limitMs = Infinity, isOverdue = () => false, ...spawnOptions } = options
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...spawnOptions })
    /** @type {(signal: NodeJS.Signals) => void} */
    const forward = (signal) => void child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    const startedAt = Date.now()
    let killed = false
    const watch = setInterval(() => {
      if (Date.now() - startedAt < limitMs && !isOverdue()) return
      killed = true
      child.kill('SIGKILL')
    }, 1000)
    /** @type {(status: number) => void} */
    const finish = (status) => {
      clearInterval(watch)
      for (const signal of forwarded) process.off(signal, forward)
      resolve(status)
    }
    child.once('error', () => finish(127))
    child.once('close', (status, signal) => finish(killed ? overdue : status ?? 128 + signalNumber(signal)))
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
