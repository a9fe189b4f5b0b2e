/**
 * Yardsticks of the reads, run as a separate process: `node:http` responding with the 50 products,
 * serialized for each request or as one constant text.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const { page, constant } = JSON.parse(await text(process.stdin)) as {
  page: unknown
  constant: boolean
}
const kept = Buffer.from(JSON.stringify(page))
const server = createServer((_request, response) => {
  const body = constant ? kept : Buffer.from(JSON.stringify(page))
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    })
    .end(body)
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
)
process.on('SIGTERM', () => process.exit(0))
