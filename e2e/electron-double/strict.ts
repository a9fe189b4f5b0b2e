/**
 * A test double must never be more lenient than the original: reading a member it doesn't model
 * throws instead of returning `undefined`.
 */
export function strict<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, member) {
      if (
        typeof member === 'symbol' ||
        member in target ||
        member === 'then' ||
        member === 'toJSON'
      )
        return Reflect.get(target, member) as unknown
      throw new Error(`The Electron double does not model ${name}.${member}`)
    },
    set(_target, member) {
      throw new Error(`The Electron double does not model setting ${name}.${String(member)}`)
    },
  })
}
