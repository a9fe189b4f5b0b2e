/** Saves the session of a repeatable sandbox as a world file, and repeats one. */
import { createHash } from 'node:crypto'
import type { WorldFile, WorldRequest } from '../api/dashboard/worlds.ts'
import { instantMs, instantText } from '../domain/context.ts'
import type { Log } from '../domain/ports/environment.ts'
import { maskedPath, maskedResponse, maskedUrl } from '../http/request-log/masking.ts'
import { pathOf } from '../http/access/zones.ts'
import type { Options } from '../options.ts'
import type { Ready, Sandbox } from '../sandbox-types.ts'
import { issuedKeys } from './issued-keys.ts'
import type { Recorded } from './recorder.ts'
import { createStandIns } from './stand-ins.ts'

const { request: httpRequest } = process.getBuiltinModule('node:http')

export type StartSandbox = (options: Options, log: Log) => Promise<Sandbox>

type Session = Pick<WorldFile, 'repeatable' | 'at' | 'seed' | 'products'>
type Sent = Omit<WorldRequest, 'answer'>
type Answer = { readonly status: number; readonly text: string }

/** A larger body is compared, but not shown. */
const MAX_SHOWN = 64 * 1024
/** In place of a key that no answer issued. */
const UNKNOWN_KEY = 'svc_test_unknown'

/** Sends a request exactly as it is, and reads the response; status 0 if the connection is cut. */
function send(origin: string, { method, path, headers, body }: Sent, key: string | null) {
  return new Promise<Answer>((resolve) => {
    const { hostname, port } = new URL(origin)
    const sent = httpRequest({
      hostname,
      port,
      method,
      path,
      headers: {
        ...headers,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    })
    sent.on('error', () => resolve({ status: 0, text: '' }))
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', () => resolve({ status: 0, text: '' }))
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.end(body ?? undefined)
  })
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Sends the requests of a session, one after another, to a new sandbox that sends nothing. */
async function repeated(
  session: Session,
  requests: readonly Sent[],
  start: StartSandbox,
  log: Log,
): Promise<{ sandbox: Sandbox; answers: Answer[] }> {
  const { repeatable: seed, at, products } = session
  const sandbox = await start(
    {
      port: 0,
      host: '127.0.0.1',
      allowRemote: false,
      dataFolder: null,
      world: { seed: session.seed, products },
      smtp: null,
      limits: false,
      exitWithParent: false,
      readyFile: null,
      repeatable: { seed, at: instantMs(at) },
      webhooks: false,
    },
    log,
  )
  const { ready } = sandbox
  const origin = new URL(ready.baseUrl).origin
  const keys = new Map<string, string>()
  const learn = (no: number, answer: unknown): void => {
    for (const [key, place] of issuedKeys(answer)) keys.set(`${no}${place}`, key)
  }
  learn(0, ready)
  const keyOf = (name: string, { dashboardToken }: Ready): string | null =>
    name === 'none' ? null : name === 'dashboard' ? dashboardToken : (keys.get(name) ?? UNKNOWN_KEY)
  const answers: Answer[] = []
  try {
    for (const request of requests) {
      const { status, text } = await send(origin, request, keyOf(request.key, ready))
      answers.push({ status, text: text.replaceAll(origin, 'http://sandbox') })
      learn(answers.length, parsed(text))
    }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
  return { sandbox, answers }
}

const shown = (path: string, text: string): unknown =>
  text.length > MAX_SHOWN ? null : maskedResponse(pathOf(path), parsed(text))

const answerOf = (path: string, { status, text }: Answer): WorldRequest['answer'] => ({
  status,
  sha256: createHash('sha256').update(text).digest('hex'),
  body: shown(path, text),
})

/**
 * The world file of a session: its secrets are replaced first, and its answers are those of the
 * requests without them.
 */
export async function saveWorld(
  session: Session,
  recorded: readonly Recorded[],
  start: StartSandbox,
  log: Log,
): Promise<WorldFile> {
  const standIns = createStandIns()
  const requests = recorded.map(({ status: _status, path, headers, body, ...request }) => ({
    ...request,
    path: maskedUrl(path),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, maskedPath(value)]),
    ),
    body: body === null ? null : standIns.body(pathOf(path), body),
  }))
  const { sandbox, answers } = await repeated(session, requests, start, log)
  await sandbox.stop()
  return {
    format: 'keydesk-world',
    version: 1,
    ...session,
    changed: recorded.filter(({ status }, index) => status !== answers[index]?.status).length,
    requests: requests.map((request, index) => ({
      ...request,
      answer: answerOf(request.path, answers[index] ?? { status: 0, text: '' }),
    })),
  }
}

export type ReplayedDifference = {
  /** Counts requests from 1. */
  readonly no: number
  readonly method: string
  readonly path: string
  readonly expected: WorldRequest['answer']
  readonly received: WorldRequest['answer']
}

/** A sandbox in the state after a world file's requests, and the answers that differed. */
export type OpenedWorld = {
  readonly sandbox: Sandbox
  readonly differences: readonly ReplayedDifference[]
}

/** The requests whose answers differ, byte for byte. */
const differencesOf = (
  { requests }: WorldFile,
  expected: readonly WorldRequest['answer'][],
  received: readonly WorldRequest['answer'][],
): ReplayedDifference[] =>
  requests.flatMap(({ method, path }, index) => {
    const [before, after] = [expected[index], received[index]]
    if (before === undefined || after === undefined) return []
    const isSame = before.status === after.status && before.sha256 === after.sha256
    return isSame ? [] : [{ no: index + 1, method, path, expected: before, received: after }]
  })

const shownAnswers = ({ requests }: WorldFile, answers: readonly Answer[]) =>
  requests.map(({ path }, index) => answerOf(path, answers[index] ?? { status: 0, text: '' }))

/** Repeats a world file, compares every answer, byte for byte, and leaves the sandbox running. */
export async function openWorld(
  file: WorldFile,
  start: StartSandbox,
  log: Log,
): Promise<OpenedWorld> {
  const { sandbox, answers } = await repeated(file, file.requests, start, log)
  const expected = file.requests.map(({ answer }) => answer)
  return { sandbox, differences: differencesOf(file, expected, shownAnswers(file, answers)) }
}

/** The answers of a later version of the service that differ from those of an earlier one. */
export async function compareVersions(
  file: WorldFile,
  startEarlier: StartSandbox,
  startLater: StartSandbox,
  log: Log,
): Promise<ReplayedDifference[]> {
  const answersBy = async (start: StartSandbox) => {
    const { sandbox, answers } = await repeated(file, file.requests, start, log)
    await sandbox.stop()
    return shownAnswers(file, answers)
  }
  return differencesOf(file, await answersBy(startEarlier), await answersBy(startLater))
}

/** Repeats a world file and returns the answers that differ. */
export async function replayWorld(
  file: WorldFile,
  start: StartSandbox,
  log: Log,
): Promise<readonly ReplayedDifference[]> {
  const { sandbox, differences } = await openWorld(file, start, log)
  await sandbox.stop()
  return differences
}

export const sessionOf = ({ world, repeatable }: Options): Session | null =>
  repeatable === null
    ? null
    : {
        repeatable: repeatable.seed,
        at: instantText(repeatable.at),
        seed: world.seed,
        products: world.products,
      }
