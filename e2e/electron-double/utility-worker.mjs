import { EventEmitter } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * The inside of a utility process: sets up `process.parentPort`, then loads the module. Ports
 * arrive as Electron's MessagePortMain.
 */
class ParentPort extends EventEmitter {
  constructor(port) {
    super()
    this.port = port
    port.on('close', () => this.emit('close'))
  }
  start() {
    this.port.on('message', (data) => this.emit('message', { data, ports: [] }))
  }
  postMessage(message) {
    this.port.postMessage(message)
  }
  close() {
    this.port.close()
  }
}

const parent = new EventEmitter()
parent.postMessage = (message) => parentPort.postMessage(message)
process.parentPort = parent
await import(workerData.modulePath)
parentPort.on('message', ({ message, ports }) =>
  parent.emit('message', { data: message, ports: ports.map((port) => new ParentPort(port)) }),
)
