import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const debianChromium = '/usr/bin/chromium'

/**
 * How Chromium is started: Debian's own where there is one, else Playwright's. Without a graphics
 * processor it would emulate one with the processors that the console works on; so it draws with
 * these, as on any machine that has none.
 */
export const chromiumLaunch: LaunchOptions = existsSync(debianChromium)
  ? { executablePath: debianChromium, args: ['--no-sandbox', '--disable-gpu'] }
  : {}
