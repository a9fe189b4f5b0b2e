import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, startProgram } from './processes.ts'
import type { Started } from './processes.ts'

type Ready = {
  baseUrl: string
  dashboardUrl: string
  dashboardToken: string
  demo: { partnerLiveKey: string; sellerKey: string } | null
}
export type ServiceOffer = {
  id: string
  name: string
  productId: string
  price: number
  status: string
  stock: number
}
type Role = 'sellers' | 'partners'

/**
 * An external service: a separate process that a test can stop, restart at the same address, and
 * change as other people would.
 */
export class ExternalService {
  readonly #home: string
  readonly #products: number
  readonly #options: readonly string[]
  #port = '0'
  #running: Started<Ready> | undefined

  /** @param options - Further command-line options. */
  constructor(home: string, products = 200, options: readonly string[] = []) {
    this.#home = join(home, 'elsewhere')
    this.#products = products
    this.#options = options
    mkdirSync(this.#home, { recursive: true })
  }

  get baseUrl(): string {
    return this.#ready().baseUrl
  }

  async start(): Promise<void> {
    this.#running = await startProgram<Ready>(
      'out/server/main.js',
      [
        '--port',
        this.#port,
        '--data',
        join(this.#home, 'data'),
        '--products',
        String(this.#products),
        ...this.#options,
      ],
      cleanEnvironment(this.#home),
    )
    this.#port = new URL(this.baseUrl).port
  }

  /** Kills it like a power failure. */
  async stop(): Promise<void> {
    await this.#running?.end('SIGKILL')
    this.#running = undefined
  }

  /**
   * A key of the demo seller or partner that survives a restart, unlike the demo keys themselves.
   */
  async issueKey(role: Role): Promise<{ key: string; revoke: () => Promise<void> }> {
    const id = await this.#demoId(role)
    const issued = (await this.dashboard(
      'POST',
      `/${role}/${id}/keys`,
      role === 'partners' ? { mode: 'live' } : {},
    )) as { id: string; key: string }
    return {
      key: issued.key,
      revoke: async () => {
        await this.dashboard('DELETE', `/${role}/${id}/keys/${issued.id}`)
      },
    }
  }

  /** Calls the seller API directly, without the console. */
  async seller(key: string, method: string, path: string, body?: unknown): Promise<unknown> {
    return ask(`${this.baseUrl}/seller${path}`, key, method, body)
  }

  /** Calls the partner API directly, without the console. */
  async partner(key: string, method: string, path: string, body?: unknown): Promise<unknown> {
    return ask(`${this.baseUrl}${path}`, key, method, body)
  }

  async offers(key: string): Promise<ServiceOffer[]> {
    return ((await this.seller(key, 'GET', '/offers?limit=100')) as { results: ServiceOffer[] })
      .results
  }

  async dashboard(method: string, path: string, body?: unknown): Promise<unknown> {
    const { dashboardUrl, dashboardToken } = this.#ready()
    return ask(`${dashboardUrl}${path}`, dashboardToken, method, body)
  }

  async #demoId(role: Role): Promise<string> {
    const { baseUrl, demo } = this.#ready()
    if (role === 'sellers')
      return (
        (await ask(`${baseUrl}/seller/me`, demo?.sellerKey ?? '', 'GET')) as { sellerId: string }
      ).sellerId
    const { results } = (await this.dashboard('GET', '/partners')) as { results: { id: string }[] }
    return results[0]?.id ?? ''
  }

  #ready(): Ready {
    if (this.#running === undefined) throw new Error('the service is not running')
    return this.#running.ready
  }
}

async function ask(url: string, token: string, method: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}
