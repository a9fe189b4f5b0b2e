import { openFile, writeAddressFile } from './open-address.ts'
import { fragmentOf } from '../platform/deep-link.ts'
import type { Place } from '../platform/deep-link.ts'
import type { BrowserServer } from './server.ts'
import { tokenLifetimeMs } from './sessions/sessions.ts'

/** Opens a file; resolves false if that isn't possible. */
export type OpenFile = (path: string) => Promise<boolean>

/** Opens pages in the system's browser without an address on a command line. */
export function createOpener(
  server: Pick<BrowserServer, 'newAddress'>,
  resolvesLocalhost: boolean,
  usual: OpenFile = openFile,
): { open(place?: Place | null, open?: OpenFile): Promise<boolean>; close(): void } {
  const files = new Set<() => void>()
  return {
    /** Opens a window, at a place if one is given. Resolves false if the system can't open a browser. */
    async open(place = null, open = usual) {
      const remove = (): void => {
        file.remove()
        clearTimeout(timer)
        files.delete(remove)
      }
      const timer = setTimeout(() => remove(), tokenLifetimeMs)
      timer.unref()
      const file = writeAddressFile({
        page: server.newAddress('page', () => remove()) + fragmentOf(place),
        entry: resolvesLocalhost
          ? null
          : server.newAddress('entry', () => remove()) + fragmentOf(place),
      })
      files.add(remove)
      const opened = await open(file.path)
      if (!opened) remove()
      return opened
    },
    /** Removes the files of addresses that weren't opened. */
    close() {
      for (const remove of files) remove()
    },
  }
}
