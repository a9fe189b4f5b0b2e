import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BackendReady } from '../../platform/backends/backend-process.ts'

export const serverPath = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))

export interface TestBackend {
  ready: BackendReady
  port: number
  /** Calls the dashboard interface. Rejects unless the response is a success. */
  dashboard(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>
  /**
   * Kills the process (SIGKILL) and keeps its data; `start` starts it again on the same port, with
   * new demo keys.
   */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stops the process and deletes its data. */
  stop(): Promise<void>
}

/** The real backend in its own process on a free port, with its data in a temporary folder. */
export async function startTestBackend(
  options: { seed?: 'demo' | 'empty'; products?: number; noLimits?: boolean } = {},
): Promise<TestBackend> {
  const { seed = 'demo', products = 200, noLimits = false } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'keydesk-backend-'))
  let child = await launch(0)

  function launch(port: number): Promise<{ ready: BackendReady; kill(): Promise<void> }> {
    const args = [
      serverPath,
      '--port',
      String(port),
      '--data',
      dataDir,
      '--seed',
      seed,
      '--products',
      String(products),
      '--exit-with-parent',
      ...(noLimits ? ['--no-limits'] : []),
    ]
    const process_ = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const gone = new Promise<void>((resolve) => {
      process_.once('close', () => resolve())
    })
    return new Promise((resolve, reject) => {
      let output = ''
      let words = ''
      process_.stderr.on('data', (part: Buffer) => {
        words += part.toString()
      })
      process_.stdout.on('data', (part: Buffer) => {
        output += part.toString()
        const end = output.indexOf('\n')
        if (end >= 0)
          resolve({
            ready: JSON.parse(output.slice(0, end)) as BackendReady,
            kill: async () => {
              process_.kill('SIGKILL')
              await gone
            },
          })
      })
      void gone.then(() => reject(new Error(`the backend exited: ${words}`)))
    })
  }

  const backend: TestBackend = {
    ready: child.ready,
    port: Number(new URL(child.ready.baseUrl).port),
    async dashboard(method, path, body) {
      const answer = await fetch(`${backend.ready.dashboardUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${backend.ready.dashboardToken}`,
          'content-type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    },
    kill: () => child.kill(),
    async start() {
      child = await launch(backend.port)
      backend.ready = child.ready
    },
    async stop() {
      await child.kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return backend
}
