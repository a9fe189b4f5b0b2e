/** Replaces secrets in requests, each everywhere by the same stand-in of its kind and length. */
import { pictureTypeOf } from '../domain/stock/key-rules.ts'
import { withoutSecrets } from '../http/request-log/masking.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const picture = (no: number): string =>
  Buffer.concat([Buffer.from(PNG), Buffer.from(`stand-in ${no}`)]).toString('base64')

export type StandIns = {
  /** The body of a request without its secrets; a text that isn't JSON becomes another such text. */
  body(path: string, text: string): string
}

export function createStandIns(): StandIns {
  const known = new Map<string, string>()

  function standIn(text: string): string {
    const core = text.trim()
    const before = known.get(core)
    if (core === '' || before !== undefined) return text.replace(core, before ?? '')
    const no = known.size + 1
    const dataUri = /^data:image\/\w+;base64,/.test(core)
    const isPicture = dataUri || pictureTypeOf(Buffer.from(core.slice(0, 64), 'base64')) !== null
    const made = isPicture
      ? (dataUri ? 'data:image/png;base64,' : '') + picture(no)
      : `S${no.toString(36)}`.padEnd(core.length, 'X')
    known.set(core, made)
    return text.replace(core, made)
  }

  return {
    body(path, text) {
      try {
        return JSON.stringify(withoutSecrets(path, JSON.parse(text), standIn))
      } catch {
        return '{'
      }
    },
  }
}
