import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPeer, startPeer } from '../backend/peers.ts'
import type { Installer, Receiver } from './double.ts'
import { type FixedKind, fixedKinds, signedEvent, withFixedEvents } from './fixed-events.ts'
import { answers, buckets, type MockoonAnswer } from './mockoon-answers.ts'

type Route = { method: string; endpoint: string; responses: object[] }
const callbackIds = {
  completed: crypto.randomUUID(),
  partial: crypto.randomUUID(),
  test: crypto.randomUUID(),
}

type Environment = { routes: Route[]; callbacks: object[]; data: object[] }

const headersOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([key, value]) => ({ key, value }))

const responseOf = ({ when = [], status, body, event }: MockoonAnswer, receiver: boolean) => ({
  uuid: crypto.randomUUID(),
  body,
  latency: 0,
  statusCode: status,
  label: '',
  headers: headersOf({ 'Content-Type': 'application/json' }),
  bodyType: 'INLINE',
  filePath: '',
  databucketID: '',
  sendFileAsBody: false,
  rules: when.map(([modifier, value, invert = false]) => ({
    target: 'templating',
    modifier,
    value,
    invert,
    operator: value === '' ? 'null' : 'equals',
  })),
  rulesOperator: 'AND',
  disableTemplating: false,
  fallbackTo404: false,
  default: when.length === 0,
  crudKey: 'id',
  callbacks: receiver && event !== undefined ? [{ uuid: callbackIds[event], latency: 0 }] : [],
})

/** Sends a fixed event with a new delivery id each time. */
function callbackOf(kind: FixedKind, { url, secret }: Receiver) {
  const { headers, body } = signedEvent(kind, secret, '{{uuid}}')
  return {
    uuid: callbackIds[kind],
    id: kind,
    name: kind,
    documentation: '',
    method: 'post',
    uri: url,
    headers: headersOf({ ...headers, 'Content-Type': 'application/json' }),
    body,
    bodyType: 'INLINE',
  }
}

function configure(environment: Environment, receiver: Receiver | null): Environment {
  const own = Object.entries(answers).map(([name, list]) => {
    const [method = '', endpoint = ''] = name.split(' ')
    const route = environment.routes.find(
      (one) => one.method === method && one.endpoint === endpoint,
    )
    if (route === undefined) throw new Error(`Mockoon did not import ${name}`)
    return { ...route, responses: list.map((answer) => responseOf(answer, receiver !== null)) }
  })
  return {
    ...environment,
    routes: environment.routes.map(
      (route) =>
        own.find((one) => one.method === route.method && one.endpoint === route.endpoint) ?? route,
    ),
    callbacks: receiver === null ? [] : fixedKinds.map((kind) => callbackOf(kind, receiver)),
    data: Object.entries(buckets).map(([name, value]) => ({
      uuid: crypto.randomUUID(),
      id: name,
      name,
      documentation: '',
      value: JSON.stringify(value),
    })),
  }
}

/** Mockoon: an imported OpenAPI document with rules, templates, data and callbacks. */
export const mockoon: Installer = (log) => {
  const program = installPeer('mockoon', log)
  if (program === null) return null
  return {
    name: 'Mockoon',
    how:
      'our imported OpenAPI document, with rules and templates that keep orders, stock and a ' +
      'balance in its data, and callbacks of POST /orders',
    async start(folder, document, receiver) {
      const [source = '', file = ''] = ['openapi.json', 'mockoon.json'].map((name) =>
        path.join(folder, name),
      )
      writeFileSync(source, document)
      execFileSync(process.execPath, [program, 'import', '--input', source, '--output', file], {
        stdio: 'ignore',
      })
      const imported = JSON.parse(readFileSync(file, 'utf8')) as Environment
      writeFileSync(file, JSON.stringify(configure(imported, receiver)))
      const { port, running } = await startPeer(
        (free) =>
          [process.execPath, program, 'start', '--data', file, '--port', String(free)].concat([
            '--disable-log-to-file',
            '--hostname',
            '127.0.0.1',
          ]),
        '/v1/balance',
      )
      return withFixedEvents(port, running)
    },
  }
}
