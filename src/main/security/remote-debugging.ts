import type { App } from 'electron'

/** Chromium's switches that let another program read and drive the page. */
const switches = ['remote-debugging-port', 'remote-debugging-pipe']

/**
 * Turns off Chromium's remote debugging in an installed app, before Chromium reads its switches: no
 * fuse does. It stays together with Node's inspector, which only a twin for Playwright has.
 *
 * @param inspector the address of Node's inspector, if it is on
 */
export function denyRemoteDebugging(app: App, inspector: string | undefined): void {
  if (!app.isPackaged || inspector !== undefined) return
  for (const name of switches) app.commandLine.removeSwitch(name)
}
