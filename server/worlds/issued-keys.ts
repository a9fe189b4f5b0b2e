/** API keys in answers, where later requests take them from. */

const isKey = (text: string): boolean => /^(svc_test_|svc_live_|svcs_)\S+$/.test(text)

/** Every key in an answer and its place, such as `/demo/sellerKey`. */
export function issuedKeys(answer: unknown, place = ''): [key: string, place: string][] {
  if (typeof answer === 'string') return isKey(answer) ? [[answer, place]] : []
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([name, part]) => issuedKeys(part, `${place}/${name}`))
}
