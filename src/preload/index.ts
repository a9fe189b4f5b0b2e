import { ipcRenderer } from 'electron'

/**
 * The one thing the page gets from Electron: its line to the core. The page asks for it; main hands
 * a port over; it travels on to the page's own world; when the core behind it has died, the page is
 * told, and so is it of a place that somebody outside wants to see. Nothing else of Electron or
 * Node is reachable from there.
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
