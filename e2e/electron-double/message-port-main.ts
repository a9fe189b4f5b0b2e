import { EventEmitter } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'

/**
 * Electron's MessagePortMain on top of Node's port: messages arrive as `{ data, ports }`, and only
 * after `start()`.
 */
export class MessagePortMainDouble extends EventEmitter {
  readonly #port: MessagePort
  #handedOver = false

  constructor(port: MessagePort) {
    super()
    this.#port = port
    port.on('close', () => this.emit('close'))
  }

  start(): void {
    this.#mustBeOurs()
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }))
  }

  postMessage(message: unknown): void {
    this.#mustBeOurs()
    this.#port.postMessage(message)
  }

  close(): void {
    this.#mustBeOurs()
    this.#port.close()
  }

  /** Transfers the port. After that it belongs to the other side. */
  handOver(): MessagePort {
    this.#mustBeOurs()
    this.#handedOver = true
    return this.#port
  }

  #mustBeOurs(): void {
    if (this.#handedOver) throw new Error('This port was transferred')
  }
}

export class MessageChannelMainDouble {
  readonly port1: MessagePortMainDouble
  readonly port2: MessagePortMainDouble

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port1 = new MessagePortMainDouble(port1)
    this.port2 = new MessagePortMainDouble(port2)
  }
}
