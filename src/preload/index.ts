import { ipcRenderer } from 'electron'

/**
 * The only thing the page gets from Electron: its connection to the core. The page requests it, the
 * main process transfers a port, and this script passes the port on to the page. It also tells the
 * page when the core behind the port has stopped, and when a link from outside opens a place.
 * Nothing else of Electron or Node is reachable from the page.
 */
window.addEventListener('message', (event) => {
  if (event.source === window && event.data?.type === 'keydesk:connect')
    ipcRenderer.send('keydesk:connect')
})

ipcRenderer.on('keydesk:port', (event) => {
  window.postMessage({ type: 'keydesk:port' }, window.origin, event.ports)
})

ipcRenderer.on('keydesk:lost', () => {
  window.postMessage({ type: 'keydesk:lost' }, window.origin)
})

ipcRenderer.on('keydesk:place', (_event, place: unknown) => {
  window.postMessage({ type: 'keydesk:place', place }, window.origin)
})
