import { registerHooks } from 'node:module'
import type { PlantedBug } from './planted.ts'

/**
 * Replaces text in modules that this process loads from now on. Throws when a module no longer
 * contains the text, so that a planted bug is never silently none.
 */
export function plant({ name, changes }: PlantedBug): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const own = changes.filter(({ file }) => url.endsWith(`/${file}`))
      if (own.length === 0) return loaded
      let source = String(loaded.source)
      for (const { file, find, replace } of own) {
        if (!source.includes(find)) throw new Error(`${name}: ${file} no longer contains ${find}`)
        source = source.replace(find, () => replace)
      }
      return { ...loaded, source }
    },
  })
}
