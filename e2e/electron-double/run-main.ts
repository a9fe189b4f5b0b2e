import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'
import { cleanEnvironment } from '../support/processes.ts'
import { calls } from './electron.ts'

/** Has the app's out/: the repository, or the contents of a package (`packaged-app.ts`). */
const appFolder = resolve(process.env['KEYDESK_APP_FOLDER'] ?? '.')
/** Has the programs that run in their own processes: in a package, beside its archive. */
export const programFolder = appFolder.replace(/app\.asar$/, 'app.asar.unpacked')
const built = (path: string): string => resolve(appFolder, 'out', path)
export const preloadPath = built('preload/index.cjs')

/**
 * Starts the BUILT main in this process, with all its `electron` imports replaced by the double.
 * Only once per process, because a module runs once.
 */
export async function runMain(home: string): Promise<void> {
  if (!existsSync(built('main/index.js')))
    throw new Error('Nothing is built: run `npm run build` first')
  calls.userData = `${home}/Keydesk`
  for (const name of Object.keys(process.env))
    if (/^(XDG_|DBUS_|HOME$)/.test(name)) delete process.env[name]
  Object.assign(process.env, cleanEnvironment(home))
  const double = new URL('electron.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: double, shortCircuit: true } : next(specifier, context),
  })
  await import(pathToFileURL(built('main/index.js')).href)
  await expect.poll(() => calls.windows[0]?.loaded ?? '').not.toBe('')
}

/** The only window that main opened. */
export function onlyWindow(): (typeof calls.windows)[number] {
  const [window, ...more] = calls.windows
  if (window === undefined || more.length > 0)
    throw new Error(`${calls.windows.length} windows are open`)
  return window
}

/** The response of main's own handler to a request for `app://…`. */
export async function requestFromMain(url: string, method = 'GET'): Promise<Response> {
  const handler = calls.protocols.get('app')
  if (handler === undefined) throw new Error('Main handles no app: protocol')
  return handler(new Request(url, { method }))
}

/** Shows the window's page in Chromium. */
export async function showWindow(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const { web, loaded } = onlyWindow()
  const answer = calls.protocols.get('app')
  if (answer === undefined) throw new Error('Main handles no app: protocol')
  await web.show(context, page, loaded, { answer, preload: readFileSync(preloadPath, 'utf8') })
  return page
}
