import { existsSync } from 'node:fs'
import type { LaunchOptions } from '@playwright/test'

const debianChromium = '/usr/bin/chromium'

/**
 * How to start Chromium: Debian's build if there is one, otherwise Playwright's. Without a GPU it
 * would emulate one on the CPUs that the console uses, so it draws in software, as on any machine
 * without a GPU.
 */
export const chromiumLaunch: LaunchOptions = existsSync(debianChromium)
  ? { executablePath: debianChromium, args: ['--no-sandbox', '--disable-gpu'] }
  : {}
