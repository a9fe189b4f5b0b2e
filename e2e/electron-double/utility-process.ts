import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { MessagePortMainDouble } from './message-port-main.ts'
import { strict } from './strict.ts'

type ForkOptions = { stdio?: 'pipe' | 'inherit'; serviceName?: string }

/**
 * Electron's utilityProcess. A module that is spoken to by ports runs in a thread (Node can't send a port to another process), one that is
 * read by its output in a process of its own.
 */
export const utilityProcess = strict('utilityProcess', {
  fork(modulePath: string, args: readonly string[], options: ForkOptions) {
    return options.stdio === 'pipe' ? forkProcess(modulePath, args) : forkThread(modulePath, args)
  },
})

/** Everything forked and not ended yet, for the end of a test. */
export const forked = new Set<{ kill(): unknown }>()

function forkThread(modulePath: string, args: readonly string[]) {
  const events = new EventEmitter()
  const worker = new Worker(new URL('./utility-worker.mjs', import.meta.url), { argv: [...args], workerData: { modulePath: pathToFileURL(modulePath).href } })
  const child = strict('UtilityProcess', {
    pid: worker.threadId,
    on: (event: string, listener: (...values: unknown[]) => void) => { events.on(event, listener); return child },
    once: (event: string, listener: (...values: unknown[]) => void) => { events.once(event, listener); return child },
    postMessage(message: unknown, ports: readonly MessagePortMainDouble[] = []) {
      const handed = ports.map((port) => port.handOver())
      worker.postMessage({ message, ports: handed }, handed)
    },
    kill() {
      void worker.terminate()
      return true
    },
  })
  forked.add(child)
  worker.on('message', (message) => events.emit('message', message))
  worker.on('error', (error) => events.emit('error', error))
  worker.on('exit', (code) => { forked.delete(child); events.emit('exit', code) })
  return child
}

function forkProcess(modulePath: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [modulePath, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  forked.add(child)
  child.once('exit', () => forked.delete(child))
  return child
}
