/**
 * `keydesk-sandbox mcp`: a sandbox as a server of the Model Context Protocol, with JSON-RPC in lines
 * of standard input and output, so that an assistant can test an integration against it.
 */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { readOptions } from '../options.ts'
import { startSandbox } from '../sandbox.ts'
import type { Ready } from '../sandbox-types.ts'
import { stderrLog } from '../stderr-log.ts'
import { callTool, tools } from './tools.ts'

const PROTOCOL = '2025-06-18'
const requestSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).default({}),
})
const toolCall = z.looseObject({ name: z.string(), arguments: z.unknown().default({}) })

/** An error of JSON-RPC. */
class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

async function resultOf(ready: Ready, method: string, params: object): Promise<object> {
  if (method === 'ping') return {}
  if (method === 'tools/list') return { tools: tools() }
  if (method === 'initialize')
    return {
      protocolVersion: PROTOCOL,
      capabilities: { tools: {} },
      serverInfo: { name: 'keydesk-sandbox', version: '1.0.0' },
      instructions: `A sandbox of the Partner Ordering API. It listens at ${ready.baseUrl}.`,
    }
  if (method !== 'tools/call') throw new RpcError(-32_601, `Unknown method ${method}.`)
  const call = toolCall.safeParse(params)
  if (!call.success) throw new RpcError(-32_602, 'tools/call needs the name of a tool.')
  const result = await callTool(ready, call.data.name, call.data.arguments)
  if (result === null) throw new RpcError(-32_602, `There is no tool ${call.data.name}.`)
  return result
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** The answer to one line; null for a notification. */
async function answerTo(ready: Ready, line: string): Promise<object | null> {
  const request = requestSchema.safeParse(parsed(line))
  if (!request.success)
    return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Not a request.' } }
  const { id, method, params } = request.data
  if (id === undefined) return null
  try {
    return { jsonrpc: '2.0', id, result: await resultOf(ready, method, params) }
  } catch (error) {
    const code = error instanceof RpcError ? error.code : -32_603
    const message = error instanceof Error ? error.message : String(error)
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

/** Serves requests until standard input closes. Options are those of the sandbox. */
export async function mcpMain(args: readonly string[], input: Readable): Promise<number> {
  const options = readOptions(['--memory', '--port=0', '--products=200', ...args], '')
  if (options === null) return 0
  const sandbox = await startSandbox(options, stderrLog)
  try {
    const answers: Promise<void>[] = []
    for await (const line of createInterface(input)) {
      if (line.trim() === '') continue
      const answered = answerTo(sandbox.ready, line).then((answer) => {
        if (answer !== null) process.stdout.write(`${JSON.stringify(answer)}\n`)
      })
      answers.push(answered)
    }
    await Promise.all(answers)
    return 0
  } finally {
    await sandbox.stop()
  }
}
