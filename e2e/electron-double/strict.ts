/**
 * A stand-in must never be kinder than the thing: reading a member it doesn't model is an error,
 * not `undefined`.
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
