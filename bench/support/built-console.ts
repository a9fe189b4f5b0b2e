import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'
import { FirstRun } from '../../e2e/pages/shell.ts'
import { cleanEnvironment, startProgram } from '../../e2e/support/processes.ts'
import type { Started } from '../../e2e/support/processes.ts'
import { ExternalService } from '../../e2e/support/service.ts'
import { root } from '../../scripts/lib/paths.mjs'

export type BuiltConsole = {
  browser: Browser
  page: Page
  dataDir: string
  start(): Promise<Started<{ url: string }>>
}

/**
 * The built console in a real Chromium, with one connected account of a service with 20 products.
 * Both are stopped when `work` starts, so that the account's files can be filled before the console
 * starts again. Build first: `npm start` does.
 */
export async function withBuiltConsole<Result>(
  accounts: 'sellers' | 'partners',
  work: (built: BuiltConsole) => Promise<Result>,
): Promise<Result> {
  process.chdir(root)
  if (!existsSync('out/browser-host/index.js'))
    throw new Error('Nothing is built yet. Run `npm start` once, then try again.')
  const home = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const dataDir = path.join(home, 'Keydesk')
  const browser = await chromium.launch(chromiumLaunch)
  const start = () =>
    startProgram<{ url: string }>(
      'out/browser-host/index.js',
      ['--port', '0', '--data', dataDir, '--no-open'],
      cleanEnvironment(home),
    )
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const service = new ExternalService(home, 20)
    await service.start()
    const { key } = await service.issueKey(accounts)
    const first = await start()
    await page.goto(first.ready.url)
    await new FirstRun(page).connect(key, service.baseUrl, 'Bench')
    await first.end()
    await service.stop()
    return await work({ browser, page, dataDir, start })
  } finally {
    await browser.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
