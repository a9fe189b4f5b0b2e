/**
 * Runs a test double's command and reports its process id; the output of the command is discarded.
 * Stops together with it.
 */
import { spawn } from 'node:child_process'

const [program = '', ...args] = process.argv.slice(2)
const peer = spawn(program, args, { stdio: 'ignore' })
process.stdout.write(`${JSON.stringify({ pid: peer.pid ?? null })}\n`)
process.on('SIGTERM', () => peer.kill('SIGTERM'))
peer.on('exit', () => process.exit(0)).on('error', () => process.exit(1))
