const bullets = (length: number): string => '•'.repeat(Math.max(1, Math.min(length, 8)))

/**
 * A delivered unit as it may stand on the screen: its first group and bullets (`ABCDE-•••••-•••••`), the host of a link, the first part of
 * a login, or what kind of picture it is. Never enough to redeem it: a value without groups shows its first quarter, four characters at most.
 */
export function maskValue(value: string, deliveryType: string, contentType: string): string {
  if (contentType.startsWith('image/')) return `picture, ${pictureSize(value)}`
  if (deliveryType === 'gift' || deliveryType === 'link' || /^https?:\/\//.test(value)) return maskLink(value)
  if (deliveryType === 'account') return maskLogin(value)
  const groups = value.split('-')
  if (groups.length >= 3) return groups.map((group, index) => (index === 0 ? group.slice(0, 5) : bullets(group.length))).join('-')
  return opening(value)
}

function maskLink(value: string): string {
  const host = URL.canParse(value) ? new URL(value).host : ''
  return host === '' ? opening(value) : `${host}/••••••••`
}

function maskLogin(value: string): string {
  const login = value.split(/[:\t ]/, 1)[0] ?? ''
  return `${login.slice(0, Math.min(8, Math.floor(login.length / 2)))}${bullets(5)}`
}

function opening(value: string): string {
  return `${value.slice(0, Math.min(4, Math.floor(value.length / 4)))}${bullets(8)}`
}

function pictureSize(base64: string): string {
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`
}
