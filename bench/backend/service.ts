/**
 * The service under test: a separate process, started as a person starts it, with the accounts and
 * keys that the load needs.
 */
import path from 'node:path'
import { createClient } from '../../server/api/client/client.ts'
import type { Ready } from '../../server/sandbox-types.ts'
import { fetchTransport } from '../../server/fetch-transport.ts'
import { serverProgram } from '../../scripts/lib/server-program.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { type RunningProcess, startProgram } from './processes.ts'

export type Service = {
  readonly running: RunningProcess
  readonly ready: Ready
  readonly port: number
  readonly dashboard: ReturnType<typeof createClient<AbortSignal>>
  client(key: string): ReturnType<typeof createClient<AbortSignal>>
}

/** Starts the service on `folder` with additional options. */
export async function startService(
  folder: string,
  ...options: readonly string[]
): Promise<Service> {
  const running = await startProgram([
    path.join(root, serverProgram()),
    '--data',
    folder,
    '--port',
    '0',
    ...options,
  ])
  const ready = running.ready as Ready
  const client = (key: string) =>
    createClient<AbortSignal>({ baseUrl: ready.baseUrl, key, send: fetchTransport })
  return {
    running,
    ready,
    port: Number(new URL(ready.baseUrl).port),
    dashboard: client(ready.dashboardToken),
    client,
  }
}

/** New live keys of the demo partner. */
export async function partnerKeys(
  { dashboard, client, ready }: Service,
  count: number,
): Promise<string[]> {
  const { body } = await client(ready.demo?.partnerLiveKey ?? '').ping({})
  const keys: string[] = []
  for (let index = 0; index < count; index += 1)
    keys.push(
      (await dashboard.createPartnerKey({ params: { id: body.partnerId }, body: { mode: 'live' } }))
        .body.key,
    )
  return keys
}

/** A request as raw bytes. */
export function wire(
  method: string,
  target: string,
  key: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const about =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const lines = Object.entries({
    host: '127.0.0.1',
    authorization: `Bearer ${key}`,
    ...about,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}
