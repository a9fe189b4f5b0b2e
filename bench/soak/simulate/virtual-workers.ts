import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'
import threads from 'node:worker_threads'
import type { FromWorker, ToWorker } from '../../../src/core/workers/messages.ts'
import { workerSource } from '../../../src/core/testing/workers.ts'

type Message = ToWorker<unknown>
type Answer = FromWorker<unknown, unknown>

type Receive = (answer: Answer) => void
interface VirtualModule {
  /** Sends a message of one of the threads that share this module. */
  send(worker: Receive, message: Message): void
  forget(worker: Receive): void
}

/** The check of files finds no damage: nothing in a simulation damages one. */
const intact: VirtualModule = {
  send(worker, message) {
    if ('request' in message)
      setImmediate(() => worker({ id: message.id, result: { done: true, damage: null } }))
  },
  forget: () => {},
}

/** Loads a worker's module with a port of our own. */
async function loadWorker(file: string): Promise<VirtualModule> {
  const port = new EventEmitter()
  const receivers = new Map<number, { worker: Receive; id: number }>()
  let lastId = 0
  const postMessage = (answer: Answer): void => {
    if ('loaded' in answer) return
    const receiver = receivers.get(answer.id)
    if (receiver === undefined) return
    if (!('progress' in answer)) receivers.delete(answer.id)
    const copy = structuredClone({ ...answer, id: receiver.id })
    setImmediate(() => receiver.worker(copy))
  }
  Object.assign(threads, { parentPort: Object.assign(port, { postMessage }) })
  syncBuiltinESMExports()
  await import(pathToFileURL(file).href)
  return {
    send(worker, message) {
      const given =
        'id' in message ? message.id : 'cancel' in message ? message.cancel : message.confirm
      let id = [...receivers].find(([, each]) => each.worker === worker && each.id === given)?.[0]
      if (id === undefined) {
        if (!('id' in message)) return
        id = lastId += 1
        receivers.set(id, { worker, id: given })
      }
      const copy = structuredClone(
        'id' in message
          ? { ...message, id }
          : 'cancel' in message
            ? { cancel: id }
            : { confirm: id },
      )
      setImmediate(() => void port.emit('message', copy))
    },
    forget(worker) {
      for (const [id, each] of receivers) if (each.worker === worker) receivers.delete(id)
    },
  }
}

const loaded = new Map<string, VirtualModule>()

/** A worker thread that is none: it runs in this thread, one message per turn of the event loop. */
class VirtualWorker extends EventEmitter {
  readonly #file: string

  constructor(file: string) {
    super()
    if (!loaded.has(file)) throw new Error('this worker does not run in a simulation')
    this.#file = file
    setImmediate(() => this.#receive({ loaded: true }))
  }
  readonly #receive: Receive = (answer) => void this.emit('message', answer)

  postMessage(message: Message): void {
    loaded.get(this.#file)?.send(this.#receive, message)
  }
  ref(): void {}
  unref(): void {}
  async terminate(): Promise<number> {
    loaded.get(this.#file)?.forget(this.#receive)
    return 0
  }
}

/**
 * Replaces worker threads, whose timing no seed can repeat. The core does the work of those that it
 * can't start itself.
 */
export async function installVirtualWorkers(): Promise<void> {
  const keyCheck = workerSource('key-check')
  loaded.set(keyCheck, await loadWorker(keyCheck))
  loaded.set(workerSource('mirror-check'), intact)
  Object.assign(threads, { Worker: VirtualWorker })
  syncBuiltinESMExports()
}
