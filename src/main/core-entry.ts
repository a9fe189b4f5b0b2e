import type { MessagePort } from 'node:worker_threads'
import { RPCHandler } from '@orpc/server/message-port'
import { startConsole } from '../core/start-console.ts'
import type { Console } from '../core/start-console.ts'
import type { Host } from '../platform/host.ts'
import { createPowerSource } from '../platform/power.ts'
import { quietConsole } from '../platform/quiet-console.ts'
import { defaultSandboxKeysFolder } from '../platform/data-folder.ts'
import { createOsKeychain } from '../platform/keychain/os-keychain.ts'
import { createBackendClient } from './core-process/backend-client.ts'
import { createClipboardClient } from './core-process/clipboard-client.ts'
import { createNetworkClient } from './core-process/network-client.ts'
import type { FromCore, ToCore } from './core-process/core-messages.ts'
import { coreUpdates } from './updates/core-updates.ts'
import { checkCore } from './self-check/core-check.ts'

/**
 * The core's own process in Electron (a utilityProcess): one core, served to the page's port. It
 * never imports Electron.
 */
type ParentPort = {
  postMessage(message: FromCore): void
  on(event: 'message', listener: (event: { data: ToCore; ports: MessagePort[] }) => void): void
}
quietConsole((line) => void process.stderr.write(`${line}\n`))
const parent = (process as unknown as { parentPort: ParentPort }).parentPort
const backends = createBackendClient((message) => parent.postMessage(message))
const network = createNetworkClient((message) => parent.postMessage(message))
const clipboard = createClipboardClient((message) => parent.postMessage(message))
const power = createPowerSource()
const pages = new Map<number, MessagePort>()
const pageSpoke = Promise.withResolvers<void>()
let core: Promise<Console> | undefined
let host: Host | undefined

function hostOf(message: Extract<ToCore, { type: 'start' }>): Host {
  return {
    kind: 'electron',
    version: message.version,
    dataDir: message.dataDir,
    sandboxKeysDir: defaultSandboxKeysFolder(),
    keychain: createOsKeychain(),
    backends,
    clipboard,
    power,
    network,
    notifications: {
      show: (notice) => parent.postMessage({ type: 'notice', notice }),
      unseen: (count) => parent.postMessage({ type: 'unseen', count }),
    },
    ...(message.installation === null
      ? {}
      : {
          updates: coreUpdates(message.installation, __KEYDESK_UPDATE_SOURCE__, (path) =>
            parent.postMessage({ type: 'install', path }),
          ),
        }),
    restart: () => parent.postMessage({ type: 'restart' }),
    quit: () => parent.postMessage({ type: 'quit' }),
    workerPath: (name) => `${message.workers}/${name}.js`,
  }
}

async function selfCheck(): Promise<void> {
  await core
  if (host === undefined) return
  parent.postMessage({
    type: 'self-checked',
    checks: await checkCore(host, pageSpoke.promise),
  })
}

parent.on('message', ({ data, ports }) => {
  switch (data.type) {
    case 'start':
      host = hostOf(data)
      core = startConsole(host)
      core.then(
        () => parent.postMessage({ type: 'started' }),
        (error: unknown) =>
          parent.postMessage({
            type: 'failed',
            reason: error instanceof Error ? error.message : String(error),
          }),
      )
      return
    case 'page': {
      const port = ports[0]
      if (port === undefined || core === undefined) return
      pages.set(data.page, port)
      void core.then(
        (console) => {
          new RPCHandler(console.router).upgrade(port, { context: {} })
          port.once('message', () => pageSpoke.resolve())
          port.start()
        },
        () => port.close(),
      )
      return
    }
    case 'page-gone':
      pages.get(data.page)?.close()
      pages.delete(data.page)
      return
    case 'self-check':
      // A core that can't start reports that instead.
      selfCheck().catch(() => {})
      return
    case 'close':
      void (async () => {
        await (await core)?.close()
        parent.postMessage({ type: 'closed' })
      })()
      return
    case 'rest':
      return power.report(data.why)
    case 'clipboard-done':
      return clipboard.hear(data)
    case 'backend-ready':
    case 'backend-ended':
      return backends.hear(data)
    case 'proxies':
      return network.hear(data)
  }
})
