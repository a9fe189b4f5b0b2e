import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export const modulesFolder = join(root, 'node_modules')
export const builtFolder = join(root, 'out')
