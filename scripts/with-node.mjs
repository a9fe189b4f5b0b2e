import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './lib/child.mjs'
import { install } from './lib/install.mjs'
import { isAtLeast, oldestForProduct, unsupportedMessage } from './lib/node-version.mjs'
import { productNode } from './lib/pinned-node.mjs'
import { runCommand } from './lib/plain-failure.mjs'

/*
 * `node scripts/with-node.mjs PROGRAM [ARGUMENTS…]` runs a TypeScript program with a Node that
 * supports it, after installing the packages if needed. `npm run` puts the pinned Node first on the
 * PATH, so the program usually runs in this process, with no second process between it and its
 * signals.
 */
async function isReady() {
  await runCommand(async () => {
    await install()
    return 0
  })
  return process.exitCode === 0
}

const [program = '', ...args] = process.argv.slice(2)
const refusal = unsupportedMessage(process.versions.node)
if (refusal !== undefined) {
  console.error(refusal)
  process.exitCode = 1
} else if (!(await isReady())) {
  // The reason was printed.
} else if (isAtLeast(process.versions.node, oldestForProduct)) {
  const path = resolve(program)
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
} else {
  await runCommand(() =>
    run(productNode(), [program, ...args], { cwd: process.cwd(), stdio: 'inherit' }),
  )
}
