import { fileProblem, UnreadableFile } from '../unreadable.ts'

/**
 * The content of a document in order. Names have no namespace prefix; `attributes` is raw text for
 * {@link attribute}.
 */
export interface XmlSink {
  open(name: string, attributes: string): void
  close(name: string): void
  text(text: string): void
}

/** No name, tag or text of a workbook is this long. */
const LONGEST = 4 * 1024 * 1024

const refused = (what: string): UnreadableFile =>
  new UnreadableFile(
    fileProblem(
      'WORKBOOK_REFUSED',
      `This workbook ${what}.`,
      'Open it in a spreadsheet program and save it again, or save the sheet as csv.',
    ),
  )

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([^;&\s]{1,32}));/gi,
        (_, hex?: string, decimal?: string, name?: string) => {
          if (name !== undefined) {
            const known = named[name]
            if (known === undefined) throw refused('declares custom entities')
            return known
          }
          const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
          if (code > 0x10_ffff) throw refused('contains invalid characters')
          return String.fromCodePoint(code)
        },
      )
    : text

/** The value of an attribute in a tag's text; null if it is missing. */
export function attribute(attributes: string, name: string): string | null {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    const before = at === 0 ? ' ' : attributes.charAt(at - 1)
    if (!/\s/.test(before)) continue
    const value = /^\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes.slice(at + name.length))
    if (value !== null) return decodeEntities(value[1] ?? value[2] ?? '')
  }
  return null
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The end of a tag that starts at `from`: the first ">" outside quotes; -1 if it is incomplete. */
function endOfTag(text: string, from: number): number {
  for (let end = text.indexOf('>', from); end >= 0; end = text.indexOf('>', end + 1)) {
    let quote = ''
    for (let at = from; at < end; at++) {
      const letter = text.charAt(at)
      if (quote === '' ? letter === '"' || letter === "'" : letter === quote)
        quote = quote === '' ? letter : ''
    }
    if (quote === '') return end
  }
  return -1
}

/**
 * Reads XML as a stream, holding at most one tag or text. Rejects document types and with them all
 * custom entities, because a small file could expand without limit or read other files through
 * them.
 */
export function createXmlReader(sink: XmlSink): { push(text: string): void; end(): void } {
  let rest = ''

  /**
   * Reads markup that starts with "<" and returns the position after it, or -1 if it is incomplete.
   */
  function takeTag(text: string, at: number): number {
    const second = text.charAt(at + 1)
    if (second === '!' || second === '?') return takeSpecial(text, at)
    const end = endOfTag(text, at + 1)
    if (end < 0) return -1
    if (second === '/') sink.close(localName(text.slice(at + 2, end).trim()))
    else {
      const isEmpty = text.charAt(end - 1) === '/'
      const inside = text.slice(at + 1, isEmpty ? end - 1 : end)
      const space = inside.search(/\s/)
      const name = localName(space < 0 ? inside : inside.slice(0, space))
      sink.open(name, space < 0 ? '' : inside.slice(space))
      if (isEmpty) sink.close(name)
    }
    return end + 1
  }
  function takeSpecial(text: string, at: number): number {
    if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at)
      if (end < 0) return -1
      sink.text(text.slice(at + 9, end))
      return end + 3
    }
    const closes = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : null
    if (closes === null) {
      if (text.length - at < 9) return -1
      throw refused('has a document type declaration, which no workbook needs')
    }
    const end = text.indexOf(closes, at)
    return end < 0 ? -1 : end + closes.length
  }

  return {
    push(piece) {
      const text = rest + piece
      let at = 0
      for (;;) {
        const next = text.indexOf('<', at)
        if (next < 0) break
        if (next > at) sink.text(decodeEntities(text.slice(at, next)))
        at = next
        const after = takeTag(text, at)
        if (after < 0) break
        at = after
      }
      rest = text.slice(at)
      if (rest.length > LONGEST) throw refused('has a part that never ends')
    },
    end() {
      if (rest.trim() !== '') throw refused('is truncated')
    },
  }
}
