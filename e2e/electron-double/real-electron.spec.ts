import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, expect, test } from '@playwright/test'
import { electronBinary, hasDisplay } from '../../scripts/lib/electron-binary.mjs'
import { FirstRun } from '../pages/shell.ts'
import { cleanEnvironment } from '../support/processes.ts'

/** A packaged app to drive, such as a twin of `npm run dist`; default: Electron on the build. */
const packaged = process.env['KEYDESK_APP']
const executablePath = packaged ?? electronBinary()

/* The real Electron, on machines that have it. */
test('opens the window and starts the sandbox in Electron itself', async () => {
  test.skip(executablePath === undefined, 'skipped: no Electron binary')
  test.skip(!hasDisplay(), 'skipped: no display')
  const home = mkdtempSync(join(tmpdir(), 'keydesk-electron-'))
  mkdirSync(join(home, 'run'), { mode: 0o700 })
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const display = Object.fromEntries(
    Object.entries({ DISPLAY, WAYLAND_DISPLAY }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    ),
  )
  const environment = Object.entries(cleanEnvironment(home, display)).filter(
    (each): each is [string, string] => each[1] !== undefined,
  )
  const electron = await _electron.launch({
    executablePath: executablePath ?? '',
    args: [...(packaged === undefined ? ['.'] : []), `--data=${home}/Keydesk`],
    env: Object.fromEntries(environment),
  })
  try {
    const page = await electron.firstWindow()
    expect(page.url()).toMatch(/^app:\/\/keydesk\//)
    expect(
      await page.evaluate(() =>
        ['require', 'process', 'electron'].filter((name) => name in globalThis),
      ),
    ).toEqual([])
    const preferences = await electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
    )
    expect(preferences).toEqual(['app://keydesk/'])
    await new FirstRun(page).startSandbox()
  } finally {
    await electron.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
})
