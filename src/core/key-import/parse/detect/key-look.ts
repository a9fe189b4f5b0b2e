import { anyShape, shapesOf } from '../text/shapes.ts'

const groups = /^[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}$/i
const link = /^https?:\/\/[^/\s]+\/\S/i
/** `login:password`: the login is an address, or the password has a digit. */
const login = /^(?:[^\s:@]*@[^\s:]*|[^\s:]{2,}(?=:\S*\d)):(?!\/\/)\S/
const general = /^(?=.*\d)[\w:@.+/=-]{8,}$/
/** Ids of the service, such as prd_10024. */
const id = /^[a-z]{2,6}_\w+$/

/** Letters and digits in groups of one length. Article numbers have groups of different lengths. */
const isGrouped = (text: string): boolean =>
  groups.test(text) &&
  new Set(text.split('-').map(({ length }) => length)).size === 1 &&
  (/\d/.test(text) || text === text.toUpperCase())

/**
 * Whether a text alone is almost certainly a key: it has the shape of a platform's keys, or it is a
 * login with its password, or a link to redeem. A word of twelve lower-case letters has a
 * platform's length, but is a word.
 */
export const isCertainKey = (text: string): boolean =>
  link.test(text) || login.test(text) || isShaped(text) || partsOf(text).some(isShaped)

/** Whether a text could be a key. Many article numbers could be one too. */
export const isPossibleKey = (text: string): boolean =>
  isCertainKey(text) || isGeneral(text) || partsOf(text).some(isGeneral)

const isGeneral = (text: string): boolean => general.test(text) && !id.test(text)

function isShaped(text: string): boolean {
  if (isGrouped(text)) return true
  return (shapesOf(text) & ~anyShape) !== 0 && (/[\d-]/.test(text) || text === text.toUpperCase())
}

/** The cells of a text that was split by a wrong delimiter and so contains several columns. */
const partsOf = (text: string): string[] =>
  /[",;|\t]/.test(text) ? text.split(/[\s",;|]+/).filter((part) => part !== '') : []

/**
 * Which values of a column may be shown. A column of mostly different values that could be keys is
 * treated as a column of keys, so none of its values is shown. In any other column, a value that is
 * certainly a key isn't shown, nor one that could be a key and occurs once.
 *
 * @param values the values that name no own offer, with their number of lines
 * @param isTrusted the column names own offers, so a value that could be a key is an article number
 */
export function createValueGuard(
  values: readonly { value: string; lines: number }[],
  isTrusted: boolean,
): (value: string, lines: number) => boolean {
  const named = values.filter(({ value }) => value !== '')
  const lines = named.reduce((sum, each) => sum + each.lines, 0)
  const isKeyColumn =
    !isTrusted &&
    named.filter(({ value }) => isPossibleKey(value)).length >= named.length * 0.5 &&
    named.length >= lines * 0.5
  return (value, count) =>
    value === '' ||
    !(isKeyColumn || isCertainKey(value) || (!isTrusted && count === 1 && isPossibleKey(value)))
}
