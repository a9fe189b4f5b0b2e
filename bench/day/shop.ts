import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { memoryFlags } from '../../scripts/lib/memory-flags.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'
import { connectionTo } from '../../e2e/support/core-connection.ts'
import { cleanEnvironment, killAllOf, startProgram } from '../../e2e/support/processes.ts'
import { ExternalService } from '../../e2e/support/service.ts'

export type Rpc = Awaited<ReturnType<typeof connectionTo>>['rpc']
export type Shop = {
  service: ExternalService
  sellerKey: string
  partnerKey: string
  browser: Browser
  page: Page
  rpc: Rpc
  /** The process of the core. */
  core: number
}

/**
 * The built service on a copy of a world, and the built console on an empty data folder, opened in
 * Chromium. Both are removed afterwards. Build first: `npm start` does.
 *
 * @param world The folder of {@link buildWorld}, or null for the demo data.
 * @param options Options of the service, such as `--no-limits`.
 */
export async function withShop<Result>(
  world: string | null,
  options: readonly string[],
  work: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  process.chdir(root)
  if (!existsSync('out/browser-host/index.js'))
    throw new Error('Nothing is built yet. Run `npm start` once, then try again.')
  const home = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const service = new ExternalService(home, 200, options)
  if (world !== null) cpSync(world, path.join(home, 'elsewhere', 'data'), { recursive: true })
  const browser = await chromium.launch(chromiumLaunch)
  try {
    await service.start()
    const { key: sellerKey } = await service.issueKey('sellers')
    const { key: partnerKey } = await service.issueKey('partners')
    const console_ = await startProgram<{ url: string }>(
      'out/browser-host/index.js',
      ['--port', '0', '--data', path.join(home, 'Keydesk'), '--no-open'],
      cleanEnvironment(home),
      memoryFlags,
    )
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(console_.ready.url)
    await page.getByRole('heading', { name: 'Welcome to Keydesk' }).waitFor({ timeout: 60_000 })
    const { rpc, close } = await connectionTo(page)
    try {
      return await work({
        service,
        sellerKey,
        partnerKey,
        browser,
        page,
        rpc,
        core: console_.pid,
      })
    } finally {
      close()
    }
  } finally {
    await browser.close()
    await killAllOf(home)
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** Connects an account and returns its id. */
export async function connect(
  { rpc, service }: Pick<Shop, 'rpc' | 'service'>,
  key: string,
  name: string,
): Promise<string> {
  return (await rpc.accounts.connect({ key, baseUrl: service.baseUrl, name, keep: 'session' })).id
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Asks until the answer fits, every 250 ms. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
    await pause(250)
  }
}
