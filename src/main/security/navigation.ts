import type { WebContents } from 'electron'

/** The window shows only Keydesk: no page, script or dropped file can navigate it elsewhere. */
export function denyNavigation(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}
