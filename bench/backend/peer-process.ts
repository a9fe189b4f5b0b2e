/**
 * Runs a mock server's program and reports its process id; the program's output is discarded. Stops
 * together with it.
 */
import { spawn } from 'node:child_process'

const [program = '', ...args] = process.argv.slice(2)
const peer = spawn(process.execPath, [program, ...args], { stdio: 'ignore' })
process.stdout.write(`${JSON.stringify({ pid: peer.pid })}\n`)
process.on('SIGTERM', () => peer.kill('SIGTERM'))
peer.on('exit', () => process.exit(0))
