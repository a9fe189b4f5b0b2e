import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { OrderPage } from '../pages/partner.ts'
import { concealedFormats } from '../../src/main/core-process/concealed-formats.ts'
import { FirstRun, Shell } from '../pages/shell.ts'
import { calls, createPage, sendToMain, emitAppEvent, emitPowerEvent } from './electron.ts'
import {
  onlyWindow,
  preloadPath,
  programFolder,
  requestFromMain,
  runMain,
  showWindow,
} from './run-main.ts'
import { forked } from './utility-process.ts'
import { createWebContents } from './web-contents.ts'
import { sentByWebRtc } from './webrtc.ts'

/*
 * The built main, preload, core and backend, as Electron would run them. There is one launch for
 * all tests; each test continues where the last one stopped.
 */
test.describe.configure({ mode: 'serial' })

let home: string
let page: Page

/** Variables that the tests set before main starts, and that no process of ours may receive. */
const foreign = {
  STORE_ACCESS_TOKEN: 'another program’s secret',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_REDIRECT_WARNINGS: '/tmp/elsewhere',
  LD_PRELOAD_OF_TEST: '/tmp/elsewhere.so',
}
const strangers = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env).filter((name) => name in foreign || name === 'NODE_OPTIONS')

test.beforeAll(async ({ browser }) => {
  Object.assign(process.env, foreign)
  home = mkdtempSync(join(tmpdir(), 'keydesk-double-'))
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  await runMain(home)
  page = await showWindow(await browser.newContext())
})

test.afterAll(async () => {
  await Promise.all(forked.filter(({ ended }) => !ended).map((each) => each.kill()))
  await page.context().close()
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
})

test('registers the app scheme as privileged before the app is ready, with minimal privileges', () => {
  expect(calls.privileges).toEqual([
    {
      scheme: 'app',
      privileges: {
        standard: true,
        secure: true,
        supportFetchAPI: false,
        stream: false,
        corsEnabled: false,
      },
    },
  ])
  expect([...calls.protocols.keys()]).toEqual(['app'])
})

test('turns off Chromium’s remote debugging before Chromium reads its switches', () => {
  expect(calls.removedSwitches).toEqual(['remote-debugging-port', 'remote-debugging-pipe'])
})

test('creates the window without Node access and large enough for the grid', () => {
  const { options, loaded } = onlyWindow()
  expect(options).toMatchObject({
    width: 1440,
    height: 900,
    minWidth: 960,
    minHeight: 640,
    show: false,
  })
  expect(options.webPreferences).toEqual({
    preload: preloadPath,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
    navigateOnDragDrop: false,
  })
  expect(loaded).toBe('app://keydesk/')
  expect(calls.menus).toHaveLength(1)
})

test('serves only the built page, under a strict policy', async () => {
  const index = await requestFromMain('app://keydesk/')
  const html = await index.text()
  expect(index.status).toBe(200)
  expect(index.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect(assets.length).toBeGreaterThan(1)
  for (const answer of [
    index,
    ...(await Promise.all(assets.map((path) => requestFromMain(`app://keydesk${path}`)))),
  ]) {
    expect(answer.status).toBe(200)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("connect-src 'none'")
    expect(policy).not.toContain('unsafe-eval')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
  const refused = [
    'app://keydesk/nothing.js',
    'app://keydesk/../main/index.js',
    'app://keydesk/%2e%2e/main/index.js',
    'app://elsewhere/index.html',
    'app://keydesk.evil.example/index.html',
  ]
  for (const url of refused) expect((await requestFromMain(url)).status, url).toBe(404)
  expect((await requestFromMain('app://keydesk/', 'POST')).status).toBe(404)
})

test('connects the page to the core through the built preload', async () => {
  await expect(page.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible()
  expect(forked.map(({ serviceName, ended }) => [serviceName, ended])).toEqual([
    ['Keydesk core', false],
  ])
})

test('hides Node and Electron from the page', async () => {
  const names = ['require', 'module', 'process', 'Buffer', 'global', 'electron', 'ipcRenderer']
  expect(await page.evaluate((each) => each.filter((name) => name in globalThis), names)).toEqual(
    [],
  )
})

test('keeps the page off the network', async () => {
  const blocked = await page.evaluate(async () => {
    const seenHere: string[] = []
    document.addEventListener('securitypolicyviolation', (event) =>
      seenHere.push(`${event.effectiveDirective} ${event.blockedURI}`),
    )
    const failed = await fetch('https://elsewhere.example/collect').then(
      () => false,
      () => true,
    )
    navigator.sendBeacon('https://elsewhere.example/beacon', 'x')
    const image = new Image()
    await new Promise((done) => {
      image.addEventListener('error', done)
      image.src = 'https://elsewhere.example/pixel.png'
    })
    const script = document.createElement('script')
    script.append('window.injected = true')
    document.body.append(script)
    const module = 'data:text/javascript,window.injected = true'
    await import(module).catch(() => {})
    await new Promise((done) => {
      setTimeout(done)
    })
    return { failed, injected: 'injected' in window, seenHere }
  })
  expect(blocked.failed).toBe(true)
  expect(blocked.injected).toBe(false)
  expect(blocked.seenHere.map((each) => each.split(' ')[0])).toEqual(
    expect.arrayContaining(['connect-src', 'img-src', 'script-src-elem']),
  )
  expect(onlyWindow().web.refused.requests).toEqual([])
})

test('interprets no text as markup', async () => {
  const injected = await page.evaluate(() => {
    const markup = '<img src="x" onerror="window.injected = true">'
    const sinks = {
      innerHTML: (element: HTMLElement) => (element.innerHTML = markup),
      outerHTML: (element: HTMLElement) => (element.outerHTML = markup),
      insertAdjacentHTML: (element: HTMLElement) => element.insertAdjacentHTML('beforeend', markup),
      srcdoc: (element: HTMLElement) =>
        Object.assign(element.appendChild(document.createElement('iframe')), { srcdoc: markup }),
      parser: () => new DOMParser().parseFromString(markup, 'text/html'),
      script: (element: HTMLElement) =>
        Object.assign(element.appendChild(document.createElement('script')), { text: '1' }),
      policy: () => Reflect.get(window, 'trustedTypes').createPolicy('other', {}),
    }
    return Object.entries(sinks).flatMap(([name, write]) => {
      const parent = document.body.appendChild(document.createElement('div'))
      try {
        write(parent.appendChild(document.createElement('div')))
        return [name]
      } catch {
        return []
      } finally {
        parent.remove()
      }
    })
  })
  expect(injected).toEqual([])
})

test('prevents every navigation, by the page or by a frame', async () => {
  const { web, events } = onlyWindow()
  await page.evaluate(() => {
    location.href = 'https://elsewhere.example/phish'
  })
  await expect.poll(() => web.refused.navigations).toEqual(['https://elsewhere.example/phish'])
  await expect(page.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible()
  for (const event of ['will-redirect', 'will-attach-webview']) {
    let prevented = false
    expect(
      web.emit(event, {
        preventDefault: () => {
          prevented = true
        },
      }),
      event,
    ).toBe(true)
    expect(prevented, event).toBe(true)
  }
  expect(events.listenerCount('closed')).toBe(1)
})

test('opens no second window; an https link that a person clicks goes to the system’s browser', async () => {
  const { web } = onlyWindow()
  const addLink = (href: string): Promise<void> =>
    page.evaluate((address) => {
      const link = Object.assign(document.createElement('a'), {
        id: 'outside',
        href: address,
        target: '_blank',
        rel: 'noopener',
        textContent: 'outside',
      })
      link.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 9999'
      document.body.append(link)
    }, href)
  const click = async (href: string): Promise<void> => {
    await addLink(href)
    await page.locator('#outside').click()
    await expect.poll(() => web.refused.windows.at(-1)).toBe(href)
    await page.evaluate(() => document.getElementById('outside')?.remove())
  }
  await click('https://store.example/redeem?code=1')
  await click('http://store.example/plain')
  for (const url of ['file:///etc/passwd', 'smb://host.example/share', 'javascript:alert(1)'])
    expect(web.rules.open?.({ url })).toEqual({ action: 'deny' })
  expect(calls.openedOutside).toEqual(['https://store.example/redeem?code=1'])
  expect(calls.windows).toHaveLength(1)
})

test('opens no link that a script follows without a click', async () => {
  const { web } = onlyWindow()
  const before = web.refused.windows.length
  calls.openedOutside.length = 0
  await page.evaluate(() => {
    window.open('https://elsewhere.example/?key=1')
    document.body.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    window.open('https://elsewhere.example/?key=2')
    window.postMessage({ type: 'keydesk:activated' }, '*')
    const link = Object.assign(document.createElement('a'), {
      href: 'https://elsewhere.example/?key=3',
      target: '_blank',
    })
    document.body.append(link)
    link.click()
    link.remove()
  })
  await expect.poll(() => web.refused.windows.length).toBe(before + 3)
  expect(calls.openedOutside).toEqual([])
})

test('guards every page that is created, not only the window’s', () => {
  const other = createWebContents(() => {})
  createPage(other)
  for (const event of [
    'will-navigate',
    'will-redirect',
    'will-frame-navigate',
    'will-attach-webview',
  ]) {
    let prevented = false
    other.emit(event, {
      preventDefault: () => {
        prevented = true
      },
    })
    expect(prevented, event).toBe(true)
  }
  expect(other.rules.open?.({ url: 'https://store.example/redeem' })).toEqual({ action: 'deny' })
  expect(calls.openedOutside).not.toContain('https://store.example/redeem')
  let granted: boolean | undefined
  other.rules.request?.(other.contents, 'media', (answer) => {
    granted = answer
  })
  expect([granted, other.rules.check?.(other.contents, 'media'), other.rules.device?.()]).toEqual([
    false,
    false,
    false,
  ])
  expect(other.network).toEqual(onlyWindow().web.network)
})

test('lets no data out through WebRTC', async () => {
  const { webRtc, proxy } = onlyWindow().web.network
  expect([webRtc, proxy['mode']]).toEqual(['disable_non_proxied_udp', 'fixed_servers'])
  // Electron hands both to Chromium; its own settings have the same effect.
  const guarded = [
    `--proxy-server=${proxy['proxyRules']}`,
    `--proxy-bypass-list=${proxy['proxyBypassRules']}`,
  ]
  expect(await sentByWebRtc()).toEqual({ udp: true, tcp: true })
  expect(await sentByWebRtc(webRtc, guarded)).toEqual({ udp: false, tcp: false })
})

test('denies every permission except copying text', () => {
  const { rules, contents } = onlyWindow().web
  const permissions = [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
    'fullscreen',
    'pointerLock',
    'hid',
    'serial',
    'usb',
    'display-capture',
    'fileSystem',
  ]
  const granted = (permission: string): unknown[] => {
    const answers: unknown[] = []
    rules.request?.(contents, permission, (answer) => answers.push(answer))
    return [...answers, rules.check?.(contents, permission)]
  }
  for (const permission of permissions)
    expect(granted(permission), permission).toEqual([false, false])
  expect(granted('clipboard-sanitized-write')).toEqual([true, true])
  expect(rules.device?.()).toBe(false)
})

test('connects only the app’s main frame', async () => {
  const { contents } = onlyWindow().web
  const given: string[] = []
  const frame = (name: string, origin: string) => ({
    origin,
    postMessage: () => {
      given.push(name)
    },
  })
  sendToMain(
    { sender: contents, senderFrame: frame('a frame inside', 'app://keydesk') },
    'keydesk:connect',
  )
  sendToMain(
    { sender: { mainFrame: contents.mainFrame }, senderFrame: contents.mainFrame },
    'keydesk:connect',
  )
  sendToMain(
    { sender: contents, senderFrame: frame('a page elsewhere', 'https://elsewhere.example') },
    'keydesk:connect',
  )
  sendToMain({ sender: contents, senderFrame: null }, 'keydesk:connect')
  expect(given).toEqual([])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Welcome to Keydesk' })).toBeVisible()
})

test('restarts a core that dies', async () => {
  await forked[0]?.kill()
  await expect
    .poll(() => forked.map(({ serviceName, ended }) => [serviceName, ended]))
    .toEqual([
      ['Keydesk core', true],
      ['Keydesk core', false],
    ])
})

test('reconnects the page automatically and starts the sandbox in a fork of the built backend', async () => {
  test.setTimeout(120_000)
  await new FirstRun(page).startSandbox()
  expect(forked.at(-1)).toMatchObject({
    modulePath: join(programFolder, 'out/server/main.js'),
    serviceName: 'Keydesk sandbox',
    ended: false,
  })
  expect(forked.map(({ env }) => strangers(env))).toEqual(forked.map(() => []))
  await expect(page.getByRole('grid', { name: 'Offers' }).getByRole('row').nth(3)).toBeVisible({
    timeout: 30_000,
  })
})

test('connects to services through the system’s proxy, and to the sandbox directly', async () => {
  const tunnels: string[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url }, socket) => {
    tunnels.push(url ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  calls.proxies.rules = `PROXY 127.0.0.1:${(proxy.address() as AddressInfo).port}; DIRECT`
  expect(calls.proxies.asked).toEqual([])
  await new Shell(page).act('Connect an account')
  await page.getByLabel('API key').fill(`svcs_${'x7'.repeat(16)}`)
  await page.getByLabel('Service address').fill('https://service.example/v1')
  await expect.poll(() => tunnels).toContain('service.example:443')
  expect(new Set(calls.proxies.asked)).toEqual(new Set(['https://service.example']))
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  proxy.close()
})

test('copies a key to the clipboard, and locks the vault and clears it on sleep or screen lock', async () => {
  test.setTimeout(120_000)
  const shell = new Shell(page)
  const order = new OrderPage(page)
  await shell.switchTo('Demo partner')
  await order.placeOne(/^Key\b/)
  await order.downloadKeys()
  await shell.openVault()
  await order.confirmDownload()
  const value = await order.reveal(0)
  const copy = order.keys.first().getByRole('button', { name: /^Copy key \d+ of line \d+$/ })
  await copy.click()
  await expect.poll(() => calls.clipboard).toBe(value)
  expect(calls.clipboardFormats).toEqual(
    Object.keys(concealedFormats(process.platform)).map(
      (name) => `electron application/osclipboard;format="${name}"`,
    ),
  )
  expect(onlyWindow().protection.at(-1)).toBe(true)

  emitPowerEvent('suspend')
  await expect(page.getByText('This computer went to sleep.')).toBeVisible()
  await expect.poll(() => calls.clipboard).toBe('')
  await expect(page.getByText(value)).toHaveCount(0)
  await expect.poll(() => onlyWindow().protection.at(-1)).toBe(false)

  await copy.click()
  await shell.openVault()
  await expect.poll(() => calls.clipboard).toBe(value)
  calls.clipboard = 'a shopping list'
  emitPowerEvent('lock-screen')
  await expect(page.getByText('The screen was locked.')).toBeVisible()
  await order.keys
    .first()
    .getByRole('button', { name: /^Reveal key/ })
    .click()
  await expect(
    page.getByRole('dialog').getByRole('heading', { name: 'Unlock the vault' }),
  ).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click()
  expect(calls.clipboard).toBe('a shopping list')
})

test('focuses the window on a second start and opens its link, unless it would perform an action', async () => {
  const { shown } = onlyWindow()
  const offers = page.getByRole('heading', { level: 1, name: 'Offers' })
  await new Shell(page).switchTo('Demo seller')
  emitAppEvent('second-instance', ['keydesk', 'keydesk://open/offers'])
  await expect(offers).toBeVisible()
  expect(onlyWindow().shown).toBeGreaterThan(shown)
  emitAppEvent('second-instance', ['keydesk', 'keydesk://open/orders/new'])
  emitAppEvent('open-url', 'keydesk://open/settings/../orders/new')
  emitAppEvent('open-url', 'https://elsewhere.example/offers')
  emitAppEvent('second-instance', ['keydesk'])
  await expect(offers).toBeVisible()
  emitAppEvent('open-url', 'keydesk://open/offers?account=no-such-account')
  await expect(page.getByText('Its account isn’t connected on this computer.')).toBeVisible()
  emitAppEvent('open-url', 'keydesk://open/settings/secrets')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Where your secrets are' }),
  ).toBeVisible()
  expect(calls.schemes).toEqual(['keydesk'])
})

test('shows system notifications and a dock count in the background; a click opens the page', async () => {
  test.setTimeout(60_000)
  calls.notices.length = 0
  const shell = new Shell(page)
  await shell.switchTo('Demo partner')
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Balance/ })
    .click()
  await page.getByLabel('Warn below, EUR').fill('99999')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => calls.notices.map(({ title }) => title))
    .toEqual([expect.stringContaining('Balance is low')])
  expect(calls.badges.at(-1)).toBeGreaterThan(0)
  await shell.switchTo('Demo seller')
  calls.notices[0]?.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Balance' })).toBeVisible()
  // A toast can cover the bell.
  await page.getByRole('button', { name: /^Notifications, \d+ new/ }).press('Enter')
  await expect.poll(() => calls.badges.at(-1)).toBe(0)
  await page.keyboard.press('Escape')
})

test('restores a backup in one step: the core restarts, the page reloads, the dock count updates', async () => {
  test.setTimeout(120_000)
  const file = test.info().outputPath('harness.keydesk-backup')
  const dialog = page.getByRole('dialog')
  const before = {
    cores: forked.filter(({ serviceName }) => serviceName === 'Keydesk core').length,
    badges: calls.badges.length,
  }
  const shell = new Shell(page)
  await shell.open('Settings')
  await page.getByRole('button', { name: 'Back up…' }).click()
  await dialog.getByLabel('Passphrase of the backup').fill('backup passphrase')
  await dialog.getByLabel('Repeat passphrase').fill('backup passphrase')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save the backup' }).click()
  await shell.prove()
  await (await download).saveAs(file)
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('button', { name: 'Restore…' }).click()
  await page.locator('input[type="file"]').last().setInputFiles(file)
  await dialog.getByLabel('Passphrase of the backup').fill('backup passphrase')
  await dialog.getByRole('button', { name: 'Check the backup' }).click()
  await dialog.getByRole('button', { name: 'Restore and restart' }).click({ timeout: 30_000 })
  await shell.prove()
  await expect(page.getByText(/^Replaced on /)).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  const cores = forked.filter(({ serviceName }) => serviceName === 'Keydesk core')
  expect([cores.length - before.cores, cores.filter(({ ended }) => !ended).length]).toEqual([1, 1])
  expect(calls.badges.length).toBeGreaterThan(before.badges)
  expect(calls.errorBoxes).toEqual([])
})

test('stops the core and the backend on quit', async () => {
  // The sandbox starts shortly after the core.
  await expect
    .poll(() => forked.findLast(({ serviceName }) => serviceName === 'Keydesk sandbox')?.ended)
    .toBe(false)
  const backend = forked.findLast(({ serviceName }) => serviceName === 'Keydesk sandbox')?.pid ?? 0
  expect(backend).toBeGreaterThan(0)
  emitAppEvent('window-all-closed')
  expect(calls.ended).toBe(false)
  await expect.poll(() => calls.ended).toBe(true)
  await expect.poll(() => forked.filter(({ ended }) => !ended)).toEqual([])
  expect(() => process.kill(backend, 0)).toThrow('ESRCH')
  expect(calls.errorBoxes).toEqual([])
})
