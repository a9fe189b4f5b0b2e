import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPeer, peerFolder, startPeer } from '../backend/peers.ts'
import { BALANCE, fixedKeys, fixedShelf, type Installer } from './double.ts'

const { plenty, scarce, dear, broken } = fixedShelf
const entry = ({ id, price }: typeof plenty, stock: number, fails = false) =>
  [id, { price, stock, fails }] as const
const state = {
  balance: BALANCE,
  shelf: Object.fromEntries([
    entry(plenty, 100),
    entry(scarce, 1),
    entry(dear, 5),
    entry(broken, 50, true),
  ]),
  orders: [],
  first: {},
}
const service = path.join(import.meta.dirname, 'emulate-service.ts')

/** The file that emulate loads; it is inside its packages, so that it finds them. */
const configFor = (receiver: { url: string; secret: string } | null): string => `
import { defineConfig, defineEmulator } from 'emulate'
import { partnerApi } from ${JSON.stringify(service)}
const emulator = defineEmulator(partnerApi(${JSON.stringify(state)}, ${JSON.stringify(receiver)}))
export default defineConfig({ services: { partner: { emulator } } })
`

/** emulate: emulators of well-known services, and a frame for one's own. */
export const emulate: Installer = (log) => {
  const program = installPeer('emulate', log)
  if (program === null) return null
  return {
    name: 'emulate',
    how: 'a custom emulator: our own code for orders, stock, a balance and signed events',
    async start(_folder, _document, receiver) {
      const folder = mkdtempSync(path.join(peerFolder('emulate'), 'config-'))
      const file = path.join(folder, 'emulate.config.mjs')
      const given = receiver === null ? null : { url: receiver.url, secret: receiver.secret }
      writeFileSync(file, configFor(given))
      const { port, running } = await startPeer(
        (free) => [process.execPath, program, 'start', '--port', String(free), '--config', file],
        '/balance',
      )
      return {
        ...fixedKeys,
        baseUrl: `http://127.0.0.1:${port}`,
        shelf: fixedShelf,
        controls: null,
        announced: [],
        async stop() {
          await running.stop()
          rmSync(folder, { recursive: true, force: true })
        },
      }
    },
  }
}
