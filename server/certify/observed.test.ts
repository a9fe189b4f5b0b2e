import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { byLog, byProbe, ObservationError } from './observed.ts'

async function probeOf(body: string) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(body)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { asked, observe: byProbe(new URL(`http://127.0.0.1:${port}/state`)) }
}

test('asks the probe for its orders, and ignores others', async () => {
  const state = {
    units: [
      { id: 'k1', order: 'a' },
      { id: 'k2', order: 'other' },
    ],
    orders: [{ id: 'other', status: 'failed' }],
    more: true,
  }
  const { asked, observe } = await probeOf(JSON.stringify(state))
  expect(await observe(['a', 'b'])).toEqual({ units: [{ id: 'k1', order: 'a' }], orders: [] })
  expect(asked).toEqual(['/state?orders=a%2Cb'])
})

test('accepts a probe without states, and refuses one that reports something else', async () => {
  const silent = await probeOf('{"units": []}')
  expect(await silent.observe(['a'])).toEqual({ units: [], orders: null })
  for (const body of ['<html>', '{"units": [{"id": 1}]}', '[]']) {
    const { observe } = await probeOf(body)
    await expect(observe(['a'])).rejects.toThrow(ObservationError)
  }
})

test('reports a probe that does not answer', async () => {
  const observe = byProbe(new URL('http://127.0.0.1:1/state'))
  await expect(observe(['a'])).rejects.toThrow(ObservationError)
})

test('reads new lines of a log file, and a line only once it is complete', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'shop.jsonl')
  const observe = byLog(path)
  expect(await observe(['a'])).toEqual({ units: [], orders: null })
  appendFileSync(path, '{"order":"a","unit":"k1"}\n{"order":"a","sta')
  expect(await observe(['a'])).toEqual({ units: [{ id: 'k1', order: 'a' }], orders: null })
  appendFileSync(path, 'tus":"completed"}\n{"order":"a","unit":"k1"}\n')
  expect(await observe(['a'])).toEqual({
    units: [
      { id: 'k1', order: 'a' },
      { id: 'k1', order: 'a' },
    ],
    orders: [{ id: 'a', status: 'completed' }],
  })
  appendFileSync(path, 'shipped k2\n')
  await expect(observe(['a'])).rejects.toThrow(ObservationError)
})
