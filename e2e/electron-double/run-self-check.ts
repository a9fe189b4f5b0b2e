import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'
import { calls } from './electron.ts'
import { runMain, showWindow } from './run-main.ts'

/*
 * `keydesk --self-check` on the double, as a program: main prints the report. Its argument is the
 * home folder, and its exit status is the one that main chose.
 */
const [, , home = ''] = process.argv
calls.switches.push('self-check')
await runMain(home)
const browser = await chromium.launch(chromiumLaunch)
await showWindow(await browser.newContext())
while (!calls.ended) await wait(50)
await browser.close()
if (calls.windows.some(({ shown }) => shown > 0)) throw new Error('The window was shown')
if (calls.schemes.length > 0) throw new Error('Links were registered')
process.exit(calls.exitStatus ?? 2)
