import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPeer, startPeer } from '../backend/peers.ts'
import { BALANCE, fixedKeys, fixedShelf, type Installer } from './double.ts'

const database = {
  products: Object.values(fixedShelf).map((product) => ({ ...product, inStock: true })),
  orders: [],
  keys: [],
  balance: { balance: BALANCE, currency: 'EUR', mode: 'live' },
}
const routes = { '/v1/orders/:id/keys': '/keys?orderId=:id', '/v1/*': '/$1' }

/** json-server: a REST interface to a file of JSON. */
export const jsonServer: Installer = (log) => {
  const program = installPeer('jsonServer', log)
  if (program === null) return null
  return {
    name: 'json-server',
    how: 'a database with products, orders, keys and a balance, and two routes',
    async start(folder) {
      const [db, rewrites] = ['db.json', 'routes.json'].map((file) => path.join(folder, file))
      writeFileSync(db ?? '', JSON.stringify(database))
      writeFileSync(rewrites ?? '', JSON.stringify(routes))
      const { port, running } = await startPeer(
        (free) =>
          [process.execPath, program, '--quiet', '--port', String(free)].concat([
            '--routes',
            rewrites ?? '',
            db ?? '',
          ]),
        '/products',
      )
      return {
        ...fixedKeys,
        baseUrl: `http://127.0.0.1:${port}/v1`,
        shelf: fixedShelf,
        controls: null,
        announced: [],
        stop: () => running.stop(),
      }
    },
  }
}
