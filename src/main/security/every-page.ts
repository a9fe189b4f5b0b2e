import type { App, WebContents } from 'electron'
import { denyNavigation } from './navigation.ts'
import { denyPermissions } from './permissions.ts'

/**
 * A proxy that nothing answers: only a system administrator can listen on this port. `<-loopback>`
 * sends connections to this computer there too.
 */
const noNetwork = {
  mode: 'fixed_servers',
  proxyRules: 'http://127.0.0.1:1',
  proxyBypassRules: '<-loopback>',
} as const

/**
 * Guards every page that Electron creates, whoever creates it and for whatever purpose, before it
 * loads anything: no navigation, no new window, no permission and no network. The console's own
 * window may open links in the browser (`new-windows.ts`).
 */
export function guardEveryPage(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    denyNavigation(contents)
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    denyPermissions(contents.session)
    denyNetwork(contents)
  })
}

/**
 * Our page is served from memory and never uses the network; the core has its own connections. The
 * content security policy does not cover WebRTC, so UDP is limited to proxied traffic and all else
 * goes to a proxy that does not exist.
 */
function denyNetwork(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  void contents.session.setProxy(noNetwork)
}
