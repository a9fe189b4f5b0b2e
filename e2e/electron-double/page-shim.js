/** Inside the page: the `electron` that a preload may require, and real ports bridged to main's. Runs before the preload. */
;(() => {
  const listeners = new Map()
  const ports = new Map()
  const ipcRenderer = {
    send: (channel) => void window.__keydeskToMain(channel),
    on: (channel, listener) => void listeners.set(channel, listener),
  }
  const modelled = (name, members) =>
    new Proxy(members, {
      get(target, member) {
        if (
          typeof member === 'symbol' ||
          member in target ||
          member === '__esModule' ||
          member === 'default'
        )
          return target[member]
        throw new Error(`The Electron double does not model ${name}.${String(member)}`)
      },
    })
  const electron = modelled('electron (in the preload)', {
    ipcRenderer: modelled('ipcRenderer', ipcRenderer),
  })
  window.__keydeskDouble = {
    require(name) {
      if (name === 'electron') return electron
      throw new Error(`A sandboxed preload can't require ${name}`)
    },
    deliver(channel, message, ids) {
      const theirs = ids.map((id) => {
        const { port1, port2 } = new MessageChannel()
        ports.set(id, port1)
        port1.addEventListener('message', async ({ data }) => {
          const carried =
            typeof data === 'string'
              ? data
              : [...new Uint8Array(data instanceof Blob ? await data.arrayBuffer() : data)]
          void window.__keydeskFromPort({ id, data: carried })
        })
        port1.start()
        return port2
      })
      listeners.get(channel)?.({ ports: theirs }, message)
    },
    toPage({ id, data }) {
      const port = ports.get(id)
      if (data === null) port?.close()
      else port?.postMessage(typeof data === 'string' ? data : new Uint8Array(data))
    },
  }
})()
