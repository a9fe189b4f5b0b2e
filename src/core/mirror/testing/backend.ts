import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { BackendReady } from '../../../platform/backend-process.ts'

export type TestBackend = BackendReady & { demo: NonNullable<BackendReady['demo']>; stop(): Promise<void>; dashboard(method: string, path: string, body?: unknown): Promise<unknown> }

/** Starts the bundled backend from source with the demo world in memory, request rates off. */
export async function startBackend(products: number, more: readonly string[] = []): Promise<TestBackend> {
  const child = spawn(process.execPath, ['server/main.ts', '--port', '0', '--memory', '--products', String(products), '--no-limits', '--exit-with-parent', ...more], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => { throw new Error('the backend ended before it was ready') })]) as [string]
  const ready = JSON.parse(line) as BackendReady
  if (ready.demo === null) throw new Error('no demo accounts')
  return {
    ...ready,
    demo: ready.demo,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    async dashboard(method, path, body) {
      const answer = await fetch(ready.dashboardUrl + path, {
        method, headers: { authorization: `Bearer ${ready.dashboardToken}`, 'content-type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? null : JSON.parse(text)
    },
  }
}
