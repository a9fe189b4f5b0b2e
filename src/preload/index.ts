import { ipcRenderer } from 'electron'

/**
 * The only thing the page gets from Electron: its connection to the core. The page requests it, the
 * main process transfers a port, and this script passes the port on to the page. It also notifies the
 * page when the core behind the port has stopped, and when a link from outside opens a place.
 * Nothing else of Electron or Node is reachable from the page.
 */
const requests = ['keydesk:connect', 'keydesk:secret-shown', 'keydesk:secret-hidden']

window.addEventListener('message', (event) => {
  if (event.source === window && requests.includes(event.data?.type))
    ipcRenderer.send(event.data.type)
})

/** Reports that a person acted. Events that a script creates are not trusted by the browser. */
const report = (event: Event): void => {
  const opens = event.type !== 'keydown' || ['Enter', ' '].includes((event as KeyboardEvent).key)
  if (event.isTrusted && opens) ipcRenderer.send('keydesk:activated')
}
for (const type of ['click', 'auxclick', 'keydown']) window.addEventListener(type, report, true)

ipcRenderer.on('keydesk:port', (event) => {
  window.postMessage({ type: 'keydesk:port' }, window.origin, event.ports)
})

ipcRenderer.on('keydesk:lost', () => {
  window.postMessage({ type: 'keydesk:lost' }, window.origin)
})

ipcRenderer.on('keydesk:place', (_event, place: unknown) => {
  window.postMessage({ type: 'keydesk:place', place }, window.origin)
})
