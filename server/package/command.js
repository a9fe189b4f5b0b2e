#!/usr/bin/env node
/*
 * The command of the `keydesk-sandbox` package. It contains only the version check, so that an old
 * Node can still parse it and print what is wrong.
 */
const oldest = [22, 13]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
  // As an address, because the program is beside it only in the package.
  await import(new URL('main.js', import.meta.url).href)
} else {
  console.error(
    `keydesk-sandbox needs Node ${oldest.join('.')} or newer; this is Node ${process.versions.node}.`,
  )
  process.exitCode = 1
}
