import { pictureProblem } from '../../picture-size.ts'
import type { PictureProblem } from '../../picture-size.ts'
import { pictureType } from '../../picture-type.ts'

/**
 * The form of a delivered unit on screen: a code, a link, a login with its password, or a picture.
 * `fault`: why a picture isn't drawn.
 */
export type KeyForm = {
  kind: 'text' | 'link' | 'account' | 'picture'
  host: string | null
  account: { login: string; password: string } | null
  fault: PictureProblem | null
}

const loginLabel = /^(?:login|user(?:\s?name)?|e-?mail|account)\s*[:=]\s*/i
const passwordLabel = /(?:password|pass|pw)\s*[:=]\s*/gi
const separated = /^([^\s|;:]+)(?:\s*[|;:]|[^\S\t]*\t)\s*(\S.*)$/s

type Credentials = { login: string; password: string }

/**
 * Both with labels, and a line break, comma, semicolon or bar between them. In time proportional to
 * the text, because sellers write it.
 */
function labelledCredentials(text: string): Credentials | null {
  const from = loginLabel.exec(text)?.[0].length
  if (from === undefined) return null
  for (const label of text.matchAll(passwordLabel)) {
    let end = label.index
    let isSeparate = false
    for (; end > from && /[\s,;|]/.test(text.charAt(end - 1)); end -= 1)
      isSeparate ||= /[\r\n,;|]/.test(text.charAt(end - 1))
    const login = text.slice(from, end)
    const password = text.slice(label.index + label[0].length)
    if (isSeparate && login !== '' && password !== '') return { login, password }
  }
  return null
}

/**
 * Login and password of an account's credentials in the formats that suppliers use:
 * `login:password`, or both with labels. Null for anything else.
 */
function credentialsOf(value: string): Credentials | null {
  const text = value.trim()
  const labelled = labelledCredentials(text)
  if (labelled !== null) return labelled
  const [, login, password] = separated.exec(text) ?? []
  return login === undefined || password === undefined ? null : { login, password }
}

/** The host of a value that is a single https or http address; null for anything else. */
function hostOf(value: string): string | null {
  const text = value.trim()
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).host
}

/** Detected from its first bytes, regardless of the content type that the service reports. */
function faultOf(bytes: Buffer): PictureProblem | null {
  const type = pictureType(bytes)
  return type === null ? 'broken' : pictureProblem(type, bytes)
}

export function formOf(value: string, contentType: string, deliveryType: string): KeyForm {
  if (contentType.startsWith('image/'))
    return {
      kind: 'picture',
      host: null,
      account: null,
      fault: faultOf(Buffer.from(value, 'base64')),
    }
  const host = hostOf(value)
  if (host !== null) return { kind: 'link', host, account: null, fault: null }
  const account = deliveryType === 'account' ? credentialsOf(value) : null
  return { kind: account === null ? 'text' : 'account', host: null, account, fault: null }
}

export type MessageUnit = {
  name: string
  platform: string
  region: string
  deliveryType: string
  contentType: string
  value: string
  instructions: string | null
}

const labels: Record<KeyForm['kind'], string> = {
  text: 'Key',
  link: 'Link',
  account: 'Account',
  picture: 'Picture',
}

/**
 * One message for the customer: each product with its units, and how to redeem them. Pictures can't
 * be part of a text; the message refers to them as attachments.
 */
export function customerMessage(units: readonly MessageUnit[]): string {
  const products = Map.groupBy(units, (unit) => unit.name)
  return [...products.values()]
    .map((same) => {
      const [first] = same
      if (first === undefined) return ''
      const place = [first.platform, first.region].filter((word) => word !== '').join(', ')
      const lines = same.flatMap((unit, index) =>
        unitLines(unit, same.length > 1 ? ` ${index + 1}` : ''),
      )
      const redeem =
        first.instructions === null ? [] : ['', 'How to redeem:', first.instructions.trim()]
      return [`${first.name}${place === '' ? '' : ` (${place})`}`, ...lines, ...redeem].join('\n')
    })
    .join('\n\n')
}

function unitLines(unit: MessageUnit, number: string): string[] {
  const { kind, account } = formOf(unit.value, unit.contentType, unit.deliveryType)
  if (kind === 'picture') return [`${labels.picture}${number}: see the attached picture`]
  if (account !== null)
    return [`Login${number}: ${account.login}`, `Password${number}: ${account.password}`]
  return [`${labels[kind]}${number}: ${unit.value.trim()}`]
}
