import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { MessagePortMainDouble } from './message-port-main.ts'
import { strict } from './strict.ts'

type ForkOptions = {
  stdio?: 'pipe' | 'inherit'
  serviceName?: string
  env?: NodeJS.ProcessEnv
}

/**
 * The forked processes, for tests to inspect and to kill at random. A core is a thread and has no
 * pid.
 */
export const forked: {
  modulePath: string
  serviceName: string | undefined
  pid: number | undefined
  /** Its complete environment. */
  env: NodeJS.ProcessEnv
  ended: boolean
  kill(): unknown
}[] = []

/**
 * Electron's utilityProcess. A module that communicates through ports runs in a thread, because
 * Node can't send a port to another process. A module that is read by its output runs in a separate
 * process.
 */
export const utilityProcess = strict('utilityProcess', {
  fork(modulePath: string, args: readonly string[], options: ForkOptions) {
    return options.stdio === 'pipe'
      ? forkProcess(modulePath, args, options)
      : forkThread(modulePath, args, options)
  },
})

type Listener = (...values: unknown[]) => void

function forkThread(
  modulePath: string,
  args: readonly string[],
  { serviceName, env = process.env }: ForkOptions,
) {
  const events = new EventEmitter()
  const worker = new Worker(new URL('utility-worker.mjs', import.meta.url), {
    argv: [...args],
    execArgv: [],
    env,
    workerData: { modulePath: pathToFileURL(modulePath).href },
  })
  const record = {
    modulePath,
    serviceName,
    pid: undefined,
    env,
    ended: false,
    kill: () => worker.terminate(),
  }
  forked.push(record)
  worker.on('message', (message) => events.emit('message', message))
  worker.on('error', (error) => {
    process.stderr.write(`${modulePath}: ${error.stack ?? error.message}\n`)
  })
  worker.on('exit', (code) => {
    record.ended = true
    events.emit('exit', code)
  })
  return strict('UtilityProcess', {
    on: (event: string, listener: Listener) => void events.on(event, listener),
    once: (event: string, listener: Listener) => void events.once(event, listener),
    postMessage(message: unknown, ports: readonly MessagePortMainDouble[] = []) {
      const handed = ports.map((port) => port.handOver())
      worker.postMessage({ message, ports: handed }, handed)
    },
    // A thread has no pid, so that no test kills the process it runs in.
    pid: undefined,
    kill() {
      void worker.terminate()
      return true
    },
  })
}

function forkProcess(
  modulePath: string,
  args: readonly string[],
  { serviceName, env = process.env }: ForkOptions,
) {
  const child = spawn(process.execPath, [modulePath, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  const record = {
    modulePath,
    serviceName,
    pid: child.pid,
    env,
    ended: false,
    kill: () => child.kill(),
  }
  forked.push(record)
  child.once('exit', () => {
    record.ended = true
  })
  // Electron's utility processes never outlive it.
  process.once('exit', () => child.kill('SIGKILL'))
  return strict('UtilityProcess', {
    stdout: child.stdout,
    stderr: child.stderr,
    // Electron clears the pid of a process that has exited; Node doesn't.
    get pid() {
      return record.ended ? undefined : child.pid
    },
    on: (event: string, listener: Listener) => void child.on(event, listener),
    once: (event: string, listener: Listener) => void child.once(event, listener),
    kill: () => child.kill(),
  })
}
